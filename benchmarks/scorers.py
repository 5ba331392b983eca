"""Pages/s and links/s of each scorer beside the plain parse of the same HTML pages, in one run.

python -m benchmarks.scorers [--html FOLDER] [--pages 60] [--rounds 3] [--vectors FILE]

Without a folder, pages are made up: some 1,500 words and 60 links each.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path

from taxocrawl.documents.html import extract_html
from taxocrawl.score import tfidf
from taxocrawl.score.choice import SCORERS, TopicTexts, make_scorer, page_reader
from taxocrawl.score.links import LinkWeights, score_links, url_text
from taxocrawl.settings import COSINE_GOLDSTANDARD_FILE, SCORING_STOPWORD_FILE
from taxocrawl.text.stopwords import load_stopwords
from taxocrawl.topic import GoldStandard, read_goldstandard


def made_up(number: int) -> list[bytes]:
    """Pages of words that are common, rare or the topic's."""
    rng = random.Random(0)
    known = "the of and in to is species genus family holotype bat wing locality museum".split()
    vocabulary = known + [f"{a}{b}" for a in "ba ten mor li us ra".split() for b in known]
    pages = []
    for n in range(number):
        parts = [f"<html><head><title>Page {n}</title></head><body><main>"]
        for paragraph in range(30):
            text = rng.choices(vocabulary, k=48)
            for _ in range(2):
                at, link = rng.randrange(46), rng.randrange(9999)
                text[at] = (
                    f'<a href="/wiki/{text[at].title()}_{link}">{text[at]} {text[at + 1]}</a>'
                )
            parts.append(f"<p>{' '.join(text)} ({paragraph}).</p>")
        pages.append("".join([*parts, "</main></body></html>"]).encode())
    return pages


def seconds(work: Callable[[], object], rounds: int) -> float:
    """Best CPU time of one call, with nothing remembered of the texts of the call before."""
    best = float("inf")
    for _ in range(rounds):
        for remembered in (url_text, tfidf._terms, tfidf._runs):
            remembered.cache_clear()
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--html", type=Path)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--vectors", type=Path, help="word vectors, for glove")
    options = parser.parse_args()
    if options.html:
        files = sorted(f for f in options.html.rglob("*.htm*") if f.is_file())[: options.pages]
        bodies = [file.read_bytes() for file in files]
    else:
        bodies = made_up(options.pages)
    documents = [extract_html(body, "http://example.org/") for body in bodies]
    links = sum(len(document.outlinks) for document in documents)
    parse = seconds(
        lambda: [extract_html(body, "http://example.org/") for body in bodies], options.rounds
    )
    gold = GoldStandard("topic", read_goldstandard(COSINE_GOLDSTANDARD_FILE))
    stopwords = load_stopwords(SCORING_STOPWORD_FILE)
    topic = TopicTexts((gold,), "fruit bats", stopwords, vectors=options.vectors)
    print(f"{len(bodies)} pages, {links} links")
    print(f"{'':<22}{'pages/s':>9}{'of parse':>10}{'links/s':>10}{'of parse':>10}{'both':>7}")
    print(f"{'HTML parse':<22}{len(bodies) / parse:9.0f}{1:10.2f}{links / parse:10.0f}{1:10.2f}")
    missing = {"sbert"} if options.vectors else {"sbert", "glove"}  # sbert: see embeddings.py
    ways = [(name, name, {}) for name in SCORERS if name not in missing]
    ways.append(("tfidf, whole text", "tfidf", {"whole_text": True, "stemming": "snowball"}))
    for label, name, params in ways:
        scorer, read = make_scorer(name, topic, params), page_reader(name)
        texts = [read(document) for document in documents]
        pages_taken = seconds(lambda s=scorer, t=texts: s.score_many(t), options.rounds)
        weights = LinkWeights()

        def all_links(scorer: object = scorer, weights: LinkWeights = weights) -> None:
            for document in documents:
                score_links(scorer, 0.5, document.outlinks, weights)  # type: ignore[arg-type]

        links_taken = seconds(all_links, options.rounds)
        print(
            f"{label:<22}{len(bodies) / pages_taken:9.0f}{pages_taken / parse:10.2f}"
            f"{links / links_taken:10.0f}{links_taken / parse:10.2f}"
            f"{(pages_taken + links_taken) / parse:7.2f}"
        )


if __name__ == "__main__":
    main()
