"""What a link model costs beside the plain parse of the same HTML pages, in one run.

python -m benchmarks.linkmodels [--pages 1000] [--links 40] [--rounds 1]

Made-up pages; their links lead to pages of one growing web, half of which were seen before.
"""

from __future__ import annotations

import argparse
import random
from typing import TYPE_CHECKING

from benchmarks.scorers import made_up, seconds
from taxocrawl.documents.html import extract_html
from taxocrawl.score.linkmodel import LEARNED, make_link_model
from taxocrawl.score.links import LinkScore
from taxocrawl.score.linkstructure import ORDERINGS
from taxocrawl.score.pagetexts import PageTexts

if TYPE_CHECKING:
    from taxocrawl.score.linkmodel import LinkModel

    Told = tuple[str, float, list[tuple[str, str, LinkScore]], PageTexts]


def crawl(pages: int, links: int) -> list[Told]:
    """What a model is told of pages, each of which an earlier one links to."""
    rng = random.Random(0)
    vocabulary = [f"word{n}" for n in range(3_000)]
    told: list[Told] = []
    for number in range(pages):
        latest = (number + 1) * links // 2
        targets = [f"http://h{rng.randrange(50)}/p{rng.randrange(latest)}" for _ in range(links)]
        parts = [LinkScore(0.0, 0.0, rng.random(), rng.random(), rng.random()) for _ in targets]
        text = " ".join(rng.choices(vocabulary, k=1_500))
        nearby = tuple(" ".join(rng.choices(vocabulary, k=30)) for _ in targets)
        rows = [(url, url[7:].partition("/")[0], p) for url, p in zip(targets, parts, strict=True)]
        told.append((f"http://h0/p{number}", rng.random(), rows, PageTexts(text, nearby)))
    return told


def tell(model: LinkModel, told: list[Told]) -> None:
    """Let a model learn of all pages, and score waiting links whenever it wants to."""
    for url, score, rows, texts in told:
        model.add_page(url, score, rows, (), texts)
        if model.due:
            model.rescore()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--links", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    bodies = made_up(50)
    parse = seconds(
        lambda: [extract_html(body, "http://example.org/") for body in bodies], options.rounds
    ) / len(bodies)
    told = crawl(options.pages, options.links)
    print(f"{options.pages} pages of {options.links} links; parse: {parse * 1000:.1f} ms a page")
    ways = [(LEARNED, {}), (f"{LEARNED}, no feedback", {"feedback": False})]
    ways += [(name, {}) for name in ORDERINGS]
    for label, params in ways:

        def work(label: str = label, params: dict[str, bool] = params) -> None:
            model = make_link_model(label.partition(",")[0], params)
            assert model is not None
            tell(model, told)

        taken = seconds(work, options.rounds) / len(told)
        print(f"{label:<22}{taken * 1000:8.1f} ms a page{taken / parse:8.2f} of parse")


if __name__ == "__main__":
    main()
