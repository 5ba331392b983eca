from __future__ import annotations

import base64
import hashlib
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxocrawl.runs.report import TOP_DOCUMENTS, ReportExtras, report_html

RUN = {
    "id": "20260102-pteropus",
    "queries": ["Pteropus vampyrus"],
    "arguments": {"query": "Pteropus vampyrus", "expand": "generic"},
    "starts": ["2026-01-02T10:00:00+00:00"],
    "ended": "2026-01-02T11:02:03+00:00",
    "outcome": "finished",
    "settings": {"DOWNLOAD_DELAY": 1.0},
    "versions": {"Scrapy": "2.19"},
    "models": {"CLASSIFIER_HTML": "ab12"},
}
COUNTS = {"known": 4, "done": 3}


def iteration(number: int, **cells: str) -> dict[str, str]:
    row = {
        "iteration": str(number),
        "downloaded": "10",
        "passed": "4",
        "rejected": "6",
        "failed": "1",
        "harvest_rate": "0.400000",
        "tp": "",
    }
    return row | cells


JUDGED = {
    "tp": "3",
    "precision_before": "0.300000",
    "precision_after": "0.750000",
    "recall": "1.000000",
    "relative_recall_before": "1.000000",
    "relative_recall_after": "n/a",
    "cumulative_precision_before": "0.312500",
    "cumulative_precision_after": "0.737300",
    "cumulative_accuracy_after": "0.900000",
}


def fetch(name: str = "1", **fields: Any) -> dict[str, Any]:
    record = {
        "url": f"http://a.example/{name}",
        "final_url": f"http://a.example/{name}",
        "status": 200,
        "kind": "html",
        "category": "taxonomic",
        "iteration": 0,
        "reason": "",
    }
    return record | fields


def document(**fields: Any) -> dict[str, Any]:
    record = {
        "url": "http://a.example/1",
        "final_url": "http://a.example/1",
        "kind": "pdf",
        "title": "A new flying fox",
        "authors": ["Simmons, Nancy B."],
        "year": 2005,
        "doi": "10.5555/bats.1",
        "language": "en",
        "category": "taxonomic",
        "confidence": 0.93,
        "score": 0.5,
        "page_score": 0.25,
        "iteration": 1,
        "depth": 2,
        "referrer": "http://a.example/list",
        "path": "documents/ab12.pdf",
    }
    return record | fields


class Page(HTMLParser):
    """The page's elements, checked to be well nested."""

    EMPTY = frozenset({"meta", "rect", "line", "polyline", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page(
    run: dict[str, Any] = RUN,
    rows: list[dict[str, str]] | None = None,
    fetches: list[dict[str, Any]] | None = None,
    documents: list[dict[str, Any]] | None = None,
    extras: ReportExtras | None = None,
) -> Page:
    html = report_html(
        run,
        [iteration(0)] if rows is None else rows,
        iter([fetch()] if fetches is None else fetches),
        iter([document()] if documents is None else documents),
        COUNTS,
        extras,
    )
    return Page(html)


def test_the_page_says_what_was_asked_and_what_came_of_it() -> None:
    words = page().words

    assert "Pteropus vampyrus" in words
    assert "duration 1:02:03" in words
    assert "documents exported 1" in words
    assert "DOWNLOAD_DELAY 1.0" in words
    assert "CLASSIFIER_HTML ab12" in words


def test_it_loads_and_runs_nothing() -> None:
    html = report_html(RUN, [iteration(0)], [fetch()], [document()], COUNTS)
    parsed = Page(html)

    tags = {tag for tag, _ in parsed.elements}
    assert not tags & {"script", "img", "link", "iframe", "object", "embed", "form", "base"}
    assert not re.search(r"@import|url\(", html)
    assert not any(
        name == "style" or name.startswith("on")
        for _, attributes in parsed.elements
        for name in attributes
    )


def test_its_policy_allows_exactly_its_own_style_sheet() -> None:
    html = report_html(RUN, [], [], [], {})
    style = re.search("<style>(.*?)</style>", html, re.DOTALL)
    policy = next(
        meta["content"] or ""
        for meta in Page(html).all("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    )

    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; ")
    assert f"style-src 'sha256-{digest}';" in policy
    assert "unsafe" not in policy


def test_seeds_failures_and_url_states_are_told() -> None:
    extras = ReportExtras(
        seeds={"europepmc": 3, "crossref": 20}, seed_failures=["gbif: HTTP 503 three times"]
    )

    words = page(extras=extras).words

    assert "crossref 20 europepmc 3" in words
    assert "gbif: HTTP 503 three times" in words
    assert "known 4 done 3" in words


def test_figures_by_iteration_are_tabled_and_drawn() -> None:
    parsed = page(rows=[iteration(0), iteration(1, downloaded="31", harvest_rate="n/a")])

    assert "0 10 4 6 1 40.00" in parsed.words
    assert "1 31 4 6 1 n/a" in parsed.words
    assert "precision" not in parsed.words
    bars = [rect for rect in parsed.all("rect") if rect.get("class") and rect["height"] != "12"]
    assert len(bars) == 4


def test_with_a_truth_precision_is_shown_before_and_after() -> None:
    parsed = page(rows=[iteration(0, **JUDGED)])

    assert "0 30.00 75.00 100.00 100.00 n/a 31.25 73.73 90.00" in parsed.words
    assert "Precision up to each iteration" in parsed.words


def test_undefined_precision_is_drawn_without_failing() -> None:
    row = iteration(0, **(JUDGED | {"cumulative_precision_after": "n/a"}))

    assert "31.25 n/a 90.00" in page(rows=[row]).words


def test_dropped_pages_are_counted_by_reason_and_kind() -> None:
    parsed = page(
        fetches=[
            fetch(category="non-taxonomic", kind="pdf"),
            fetch(category=None, kind="pdf", reason="password"),
            fetch(reason="noindex"),
            fetch(status=None, category=None, kind=None, reason="timeout"),
            fetch(status="404", category="", kind=""),
        ]
    )

    for row in (
        "non-taxonomic dropped 1 20.00",
        "password dropped 1 20.00",
        "noindex withheld 1 20.00",
        "timeout failed 1 20.00",
        "status 404 failed 1 20.00",
        "pdf 2",
        "a.example 5 1 2 2",
    ):
        assert row in parsed.words


def test_relevance_by_a_truth_replaces_the_filter_s_opinion_in_the_harvest() -> None:
    fetches = [fetch("1"), fetch("2"), fetch("3", category="non-taxonomic"), fetch("4")]
    fetches.append(fetch("3", status=404, category=None))

    unjudged = page(fetches=fetches)
    judged = page(
        fetches=fetches, extras=ReportExtras(is_relevant=lambda record: record["url"][-1] == "3")
    )

    assert "3 of 4 pages downloaded passed the page filter (75.00 %)" in unjudged.words
    assert "1 of 4 pages downloaded were relevant (25.00 %)" in judged.words
    assert len(judged.all("polyline")) == len(unjudged.all("polyline")) + 1


def test_the_best_documents_are_listed_with_their_reasons() -> None:
    documents = [document(title=f"Paper {n}.", page_score=n / 100) for n in range(80)]
    extras = ReportExtras(
        details=lambda record: {
            "snippet": "Holotype: adult male",
            "evidence": {"anchor": 0.31, "near": {"url": 0.2}, "rank": 3, "links": ["a", "b"]},
        }
    )

    parsed = page(documents=documents, extras=extras)

    assert f"The best {TOP_DOCUMENTS} of 80" in parsed.words
    listed = re.findall(r"Paper (\d+)\.", parsed.words)[:TOP_DOCUMENTS]
    assert listed == [str(n) for n in range(79, 29, -1)]
    for words in (
        "Simmons, Nancy B. · 2005 · pdf · en · DOI 10.5555/bats.1 · stored copy",
        "Holotype: adult male",
        "taxonomic, 93 % sure",
        "page score 0.790",
        "iteration 1, depth 2",
        "found on http://a.example/list",
        "anchor: 0.310 near url: 0.200 rank: 3 links: a, b",
    ):
        assert words in parsed.words


def test_documents_with_equal_scores_keep_their_order() -> None:
    parsed = page(documents=[document(title=f"Paper {n}.") for n in range(5)])

    assert re.findall(r"Paper (\d)\.", parsed.words)[:5] == list("01234")


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title></style></main><script>",
    "<!-- comment",
    "]]><svg onload=alert(1)>",
    "&lt;b&gt; &#x3c;script&#x3e;",
    "nul\x00 bell\x07 escape\x1b[31m lone \ud800 surrogate",
    "right-to-left \u202egnp.exe",
    "שלום <b>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    plain = page(extras=everywhere("plain"), **hostile_input("plain"))
    hostile = page(extras=everywhere(text), **hostile_input(text))

    # Only bdi may be added, and links may be missing.
    kept = [tag for tag, _ in hostile.elements if tag not in ("bdi", "a")]
    assert kept == [tag for tag, _ in plain.elements if tag not in ("bdi", "a")]
    html = report_html(**arguments(text))
    html.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]", html)


def arguments(text: str) -> dict[str, Any]:
    given = hostile_input(text)
    return {
        "run": given["run"],
        "iterations": given["rows"],
        "fetches": given["fetches"],
        "documents": given["documents"],
        "frontier_counts": COUNTS,
        "extras": everywhere(text),
    }


def everywhere(text: str) -> ReportExtras:
    return ReportExtras(
        seeds={text: 1},
        seed_failures=[text],
        details=lambda record: {"snippet": text, "evidence": {text: text}},
    )


def hostile_input(text: str) -> dict[str, Any]:
    strings = {name: text for name, value in document().items() if isinstance(value, str)}
    run = {
        **dict.fromkeys(("id", "ended", "outcome"), text),
        "queries": [text],
        "starts": [text],
        **{name: {text: text} for name in ("arguments", "settings", "versions", "models")},
    }
    return {
        "run": run,
        "rows": [iteration(0)],
        "fetches": [
            fetch(final_url=f"http://{text}/", reason=text, kind=text),
            fetch(final_url=f"http://{text}/", category=text, reason=text, kind=text),
        ],
        "documents": [document(**strings, authors=[text])],
    }


@given(st.text(min_size=1))
@settings(max_examples=40, deadline=None)
def test_no_text_makes_an_element_or_an_attribute(text: str) -> None:
    html = report_html(**arguments(text))
    expected = report_html(**arguments("plain"))

    assert tags_without_links(html) == tags_without_links(expected)
    html.encode("utf-8")


def tags_without_links(html: str) -> list[tuple[str, list[str]]]:
    return [
        (tag, sorted(attributes))
        for tag, attributes in Page(html).elements
        if tag not in ("a", "bdi")
    ]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "data:text/html,<script>",
        "file:///etc/passwd",
        "http:alert(1)",
        "//a.example/",
        "http://a.example/\x01",
        "http://[",
        "",
    ],
)
def test_only_web_addresses_become_links(url: str) -> None:
    parsed = page(documents=[document(final_url=url, url="", referrer=url)])

    targets = {link["href"] for link in parsed.all("a")}
    assert targets == {
        "documents.jsonl",
        "bibliography.bib",
        "bibliography.ris",
        "fetches.csv",
        "iterations.csv",
        "run.json",
        "documents/ab12.pdf",
    }


def test_web_links_give_no_referrer_away() -> None:
    links = [a for a in page().all("a") if (a["href"] or "").startswith("http")]

    assert [a["href"] for a in links] == ["http://a.example/1", "http://a.example/list"]
    assert all(a["rel"] == "noopener noreferrer nofollow" for a in links)


@pytest.mark.parametrize("path", ["../../etc/passwd", "documents/../run.json", "/etc/passwd", "x"])
def test_only_stored_documents_are_linked_as_files(path: str) -> None:
    assert path not in {link["href"] for link in page(documents=[document(path=path)]).all("a")}


def test_a_run_without_anything_has_a_report_too() -> None:
    parsed = page(run={}, rows=[], fetches=[], documents=[])

    for words in (
        "Crawl without a query",
        "No iteration has been finished.",
        "Nothing was downloaded.",
        "No document was exported.",
    ):
        assert words in parsed.words


def test_many_fetches_are_summed_up_and_not_listed() -> None:
    def many() -> Iterator[dict[str, Any]]:
        for n in range(20_000):
            yield fetch(f"page-{n}", final_url=f"http://host-{n % 997}.example/{n}")

    html = report_html(RUN, [iteration(0)], many(), [], COUNTS)

    assert len(html) < 60_000
    assert "20000 of 20000 pages downloaded" in html
    assert "967 more hosts" in html


def test_tables_have_captions_and_headers_for_every_row_and_column() -> None:
    parsed = page()

    assert len(parsed.all("caption")) == len(parsed.all("table")) > 4
    assert {th["scope"] for th in parsed.all("th")} == {"col", "row"}
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in parsed.all("svg"))


def test_charts_are_well_formed_xml() -> None:
    html = report_html(RUN, [iteration(n) for n in range(60)], [fetch()] * 3, [], COUNTS)

    charts = re.findall("<svg.*?</svg>", html, re.DOTALL)
    assert len(charts) == 2
    for chart in charts:
        for element in ET.fromstring(chart).iter():
            for name in ("x", "y", "width", "height"):
                assert -1 <= float(element.get(name, "0")) <= 700
