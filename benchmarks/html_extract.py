"""CPU time of reading one page: ours against what a plain Scrapy spider does, in one run.

    python -m benchmarks.html_extract [--pages 40] [--rounds 7] [--json]

The pages are made here: 92 links, some 5,000 words, about 38 kB. Each contender reads every page
once a round, in turn; the best round counts, so that other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable

from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from taxocrawl.documents.charset import decode
from taxocrawl.documents.html import extract_html
from taxocrawl.documents.markup import read_markup

URL = "http://127.0.0.1/articles/1"


def make_page(seed: int) -> bytes:
    """A page with a menu of 30 links and 62 paragraphs with a link and an italic name each."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("abcdefghilmnoprstu", k=rng.randint(2, 9))) for _ in range(2000)]
    menu = "".join(f'<li><a href="/menu/{n}.html">{rng.choice(words)}</a></li>' for n in range(30))
    paragraphs = []
    for _ in range(62):
        text = rng.choices(words, k=78)
        text[20] = f'<a href="/articles/{rng.randrange(9**9)}.html">{text[20]} {text[21]}</a>'
        text[30] = f"<i>{text[30]}</i>"
        paragraphs.append(f"<p>{' '.join(text)}</p>")
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page {seed}</title>'
        f'<meta name="description" content="A made page."></head><body><nav><ul>{menu}</ul></nav>'
        f'<div class="content"><h1>Page {seed}</h1>{"".join(paragraphs)}</div></body></html>'
    ).encode()


def contenders() -> dict[str, Callable[[bytes], object]]:
    links = LinkExtractor()

    def response(body: bytes) -> HtmlResponse:
        return HtmlResponse(URL, body=body, encoding="utf-8")

    return {
        "extract_html": lambda body: extract_html(body, URL, "utf-8"),
        "  of it read_markup": lambda body: read_markup(decode(body, "utf-8"), 10_000),
        "LinkExtractor": lambda body: links.extract_links(response(body)),
        "parsel css": lambda body: response(body).css("a::attr(href)").getall(),
    }


def measure(pages: list[bytes], rounds: int) -> dict[str, float]:
    """Milliseconds of CPU time a page, best of the rounds."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, read in contenders().items():
            start = time.process_time()
            for page in pages:
                read(page)
            spent = (time.process_time() - start) / len(pages) * 1000
            best[name] = min(spent, best.get(name, spent))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    pages = [make_page(seed) for seed in range(arguments.pages)]
    spent = measure(pages, arguments.rounds)
    if arguments.json:
        print(json.dumps(spent))
        return
    print(f"{len(pages)} pages of {sum(map(len, pages)) // len(pages)} bytes, 92 links")
    for name, milliseconds in spent.items():
        ratio = milliseconds / spent["LinkExtractor"]
        print(f"{name:<20} {milliseconds:6.2f} ms CPU a page   {ratio:5.2f} of LinkExtractor")


if __name__ == "__main__":
    main()
