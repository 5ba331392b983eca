"""Embeddings of texts in one call beside one call a text, in one run.

python -m benchmarks.embeddings --html FOLDER [--minilm FOLDER] [--vectors FILE] [--rounds 3]

Texts are those of the folder's HTML pages and their links. CPU time of one core.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

os.environ["OMP_NUM_THREADS"] = "1"

from benchmarks.scorers import seconds
from taxocrawl.documents.html import extract_html
from taxocrawl.score.embeddings import EmbeddingScorer, load_vectors
from taxocrawl.score.links import url_text
from taxocrawl.score.onnx import OnnxEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CHUNK_WORDS = 150


def texts_of(folder: Path, pages: int) -> dict[str, list[str]]:
    """Texts by their kind, each once, as a crawl's cache has it."""
    found: dict[str, list[str]] = {"anchor": [], "URL": [], "nearby text": [], "chunk": []}
    for file in sorted(f for f in folder.rglob("*.htm*") if f.is_file())[:pages]:
        document = extract_html(file.read_bytes(), "http://example.org/")
        words = document.text.split()
        found["chunk"] += [
            " ".join(words[n : n + CHUNK_WORDS]) for n in range(0, len(words), CHUNK_WORDS)
        ]
        for link in document.outlinks:
            found["anchor"].append(link.anchor)
            found["URL"].append(url_text(link.url))
            found["nearby text"].append(link.context)
    return {kind: [t for t in dict.fromkeys(texts) if t] for kind, texts in found.items()}


def compare(
    name: str, kind: str, texts: Sequence[str], many: Callable[[Sequence[str]], object], rounds: int
) -> None:
    """Print what one call for all texts and one call for each take."""
    together = seconds(lambda: many(texts), rounds)
    apart = seconds(lambda: [many([text]) for text in texts], rounds)
    number = len(texts)
    print(
        f"{name:<8}{kind:<13}{number:>7}{apart / number * 1000:12.3f}"
        f"{together / number * 1000:12.3f}{apart / together:9.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--html", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--minilm", type=Path, help="folder of the sentence model")
    parser.add_argument("--vectors", type=Path, help="file of word vectors")
    parser.add_argument("--most", type=int, default=300, help="texts of a kind for MiniLM")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    texts = texts_of(options.html, options.pages)
    print(f"{'':<8}{'texts':<13}{'number':>7}{'ms apart':>12}{'ms together':>12}{'times':>9}")
    if options.vectors:
        scorer = EmbeddingScorer("fruit bats", load_vectors(options.vectors), "mean")
        for kind, found in texts.items():
            compare("GloVe", kind, found, scorer.score_many, options.rounds)
    if options.minilm:
        encoder = OnnxEncoder.load(options.minilm)
        for kind, found in texts.items():
            most = options.most // 10 if kind == "chunk" else options.most
            compare("MiniLM", kind, found[:most], encoder, options.rounds)


if __name__ == "__main__":
    main()
