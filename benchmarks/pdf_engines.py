"""Compares the PDF engines: text quality, reading order, titles, classifier accuracy and time.

    python benchmarks/pdf_engines.py SHARED [--made 20] [--engines pdfium ...] [--json OUT.json]

SHARED is the folder with corpora/. Four measurements for each of default, pdfium, pdfminer:

made      two-column PDFs set from articles of the corpus (running heads, page numbers, words
          divided at line ends), drawn column by column and, harder, row by row: the words must
          come back, in order, without heads and page numbers
pairs     real PDFs whose article is in the corpus as HTML too: share of the HTML's five-word runs
known     share of a real PDF's words that are words of the corpus's HTML and text: glued and torn
          words are not
titles    share of titles right, against SHA-1 of the titles typed by hand (pdf_titles.tsv)
accuracy  linear SVM on tf-idf, 5-fold, over the real PDFs: a stand-in for the real classifier
time      pages per second over the real PDFs, in this process
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
import time
from collections import Counter
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Indel
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from taxocrawl.documents.pdf_deadline import Deadline
from taxocrawl.documents.pdf_engines import Engine, PdfText, extract

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
FONT, SIZE, STEP, COLUMN = "Times-Roman", 9.5, 11.5, 235
LEFTS = (55, 305)
TOP, BOTTOM = 770, 70


def words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


def plain(path: Path) -> str:
    text = path.read_text("utf-8", errors="replace")
    text = re.sub(r"(?s)<(script|style|head)\b.*?</\1>", " ", text)
    text = re.sub(r"<[^>]+>", " ", text)
    return re.sub(r"\s+", " ", re.sub(r"&\w+;|&#\w+;", " ", text))


def set_lines(text: str) -> list[str]:
    """The text broken into lines of a column, long words divided at the line's end."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if stringWidth(longer, FONT, SIZE) <= COLUMN:
            line = longer
            continue
        room = COLUMN - stringWidth(line + " -", FONT, SIZE)
        cut = next((n for n in range(len(word) - 3, 2, -1) if _fits(word[:n], room)), 0)
        if word.isalpha() and len(word) > 7 and cut:
            lines.append(f"{line} {word[:cut]}-".strip())
            line = word[cut:]
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def _fits(part: str, room: float) -> bool:
    return bool(stringWidth(part, FONT, SIZE) <= room)


def made_pdf(text: str, *, by_rows: bool) -> bytes:
    """An article in two columns, with heads and numbers that are no part of its text."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, invariant=1)
    lines = set_lines(text)
    rows = int((TOP - BOTTOM) // STEP)
    for page, start in enumerate(range(0, len(lines), 2 * rows), start=1):
        canvas.setFont("Times-Italic", 8)
        canvas.drawString(LEFTS[0], 810, "Journal of Invented Bats 12")
        canvas.drawRightString(LEFTS[1] + COLUMN, 810, f"Doe & Roe: on bats {page}")
        canvas.drawCentredString(A4[0] / 2, 30, str(page))
        canvas.setFont(FONT, SIZE)
        left, right = lines[start : start + rows], lines[start + rows : start + 2 * rows]
        places = [(LEFTS[0], row, line) for row, line in enumerate(left)]
        places += [(LEFTS[1], row, line) for row, line in enumerate(right)]
        if by_rows:
            places.sort(key=lambda place: (place[1], place[0]))
        for x, row, line in places:
            canvas.drawString(x, TOP - row * STEP, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def read(body: bytes, engine: Engine) -> PdfText:
    return extract(body, engine=engine, deadline=Deadline(120))


def on_made(texts: list[str], engine: Engine, *, by_rows: bool) -> dict[str, float]:
    recalls, orders, extra = [], [], []
    for text in texts:
        wanted = words(text)
        found = words(read(made_pdf(text, by_rows=by_rows), engine).text)
        shared = sum((Counter(wanted) & Counter(found)).values())
        recalls.append(shared / len(wanted))
        extra.append(1 - shared / max(1, len(found)))
        orders.append(Indel.normalized_similarity(wanted, found))
    return {
        "words": float(np.mean(recalls)),
        "extra": float(np.mean(extra)),
        "order": float(np.mean(orders)),
    }


def shingles(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[start : start + 5]) for start in range(len(found) - 4)}


def on_pairs(results: dict[str, PdfText], pairs: dict[str, set[tuple[str, ...]]]) -> float:
    shares = [
        len(shingles(results[path].text) & wanted) / len(wanted) for path, wanted in pairs.items()
    ]
    return float(np.mean(shares))


def find_pairs(corpora: Path, rows: list[dict[str, str]], texts: dict[str, str]) -> dict[str, set]:
    """Real PDFs and the five-word runs of their HTML that any engine should find."""
    others = {r["path"]: shingles(plain(corpora / r["path"])) for r in rows if r["kind"] == "html"}
    pairs = {}
    for path, text in texts.items():
        own = shingles(text)
        best = max(others.values(), key=lambda other: len(other & own))
        if own and len(best & own) > 0.5 * len(own):
            pairs[path] = best
    return pairs


def title_hash(title: str) -> str:
    letters = "".join(character for character in title.lower() if character.isalnum())
    return hashlib.sha1(letters.encode()).hexdigest()[:16]


def on_titles(results: dict[str, PdfText]) -> dict[str, float]:
    table = Path(__file__).with_name("pdf_titles.tsv").read_text().splitlines()
    wanted = dict(line.split("\t") for line in table if line)
    right = [title_hash(results[path].title) == digest for path, digest in wanted.items()]
    return {"right": float(np.mean(right)), "of": len(right)}


def accuracy(rows: list[dict[str, str]], results: dict[str, PdfText]) -> dict[str, float]:
    labelled = [row for row in rows if row["kind"] == "pdf" and row["label"] != "borderline"]
    texts = [results[row["path"]].text for row in labelled]
    labels = [row["label"] for row in labelled]
    model = make_pipeline(
        TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2)), LinearSVC()
    )
    scores = [
        cross_val_score(model, texts, labels, cv=StratifiedKFold(5, shuffle=True, random_state=s))
        for s in range(5)
    ]
    return {"mean": float(np.mean(scores)), "sd": float(np.std(np.mean(scores, axis=1)))}


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares the PDF engines.")
    parser.add_argument("shared", type=Path)
    parser.add_argument("--made", type=int, default=20)
    parser.add_argument("--engines", nargs="+", default=["pdfium", "pdfminer", "default"])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    corpora = options.shared / "corpora"
    with (corpora / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rendered = [row["path"] for row in rows if row["kind"] == "html_rendered"]
    step = max(1, len(rendered) // options.made)
    articles = [plain(corpora / path)[:30_000] for path in rendered[::step][: options.made]]
    articles = [text.encode("cp1252", "ignore").decode("cp1252") for text in articles]
    vocabulary = set()
    for row in rows:
        if row["kind"] in {"html", "html_rendered", "txt"}:
            vocabulary.update(words(plain(corpora / row["path"])))
    pdfs = {r["path"]: (corpora / r["path"]).read_bytes() for r in rows if r["kind"] == "pdf"}
    report: dict[str, dict[str, object]] = {}
    pairs: dict[str, set] = {}
    for engine in map(Engine, options.engines):
        start = time.perf_counter()
        results = {path: read(body, engine) for path, body in pdfs.items()}
        seconds = time.perf_counter() - start
        pairs = pairs or find_pairs(
            corpora, rows, {path: result.text for path, result in results.items()}
        )
        known = [
            np.mean([word in vocabulary for word in words(result.text)])
            for result in results.values()
            if result.text
        ]
        singles = [
            sum(len(line) == 1 for line in result.text.splitlines()) for result in results.values()
        ]
        count = sum(result.pages or 0 for result in results.values())
        report[engine.value] = {
            "made, by columns": on_made(articles, engine, by_rows=False),
            "made, by rows": on_made(articles, engine, by_rows=True),
            "pairs": {"runs found": on_pairs(results, pairs), "of": len(pairs)},
            "known words": float(np.mean(known)),
            "one-letter lines": int(np.sum(singles)),
            "words": sum(len(words(result.text)) for result in results.values()),
            "titles": on_titles(results),
            "with authors": sum(bool(result.authors) for result in results.values()),
            "with year": sum(result.year is not None for result in results.values()),
            "with doi": sum(bool(result.doi) for result in results.values()),
            "accuracy": accuracy(rows, results),
            "pages a second": count / seconds,
            "pages": count,
        }
        print(engine.value, json.dumps(report[engine.value], indent=1))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
