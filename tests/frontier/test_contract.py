"""What every frontier promises, whatever it stores its URLs in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from taxocrawl.exceptions import FrontierError
from taxocrawl.frontier.base import Frontier, Outcome, State
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.revisit import Visit, text_hash
from taxocrawl.frontier.selection import All, Top
from tests.frontier.conftest import Open, offer


def pops(frontier: Frontier, busy: tuple[str, ...] = ()) -> list[str]:
    urls = []
    while entry := frontier.pop(busy):
        urls.append(entry.url)
    return urls


def start(frontier: Frontier, *urls: str) -> list[int]:
    """Push, select and pop; ids in the order given."""
    frontier.push([offer(url) for url in urls], -1)
    frontier.select(All(), 0)
    pops(frontier)
    return [frontier.find(url).id for url in urls]  # type: ignore[union-attr]


def total(frontier: Frontier) -> int:
    return sum(frontier.counts().values())


class TestPush:
    def test_one_row_per_canonical_url(self, frontier: Frontier) -> None:
        assert frontier.push(
            [offer("http://same.example/"), offer("HTTP://same.example:80")], 0
        ) == (
            1,
            1,
        )
        assert frontier.push([offer("http://same.example/index.html#top")], 0) == (0, 1)
        assert frontier.counts()[State.KNOWN] == total(frontier) == 1

    def test_found_again_takes_the_best_score_and_its_evidence(self, frontier: Frontier) -> None:
        url = "http://a.example/x"
        frontier.push([offer(url, 0.2, depth=3, referrer="http://one/", evidence={"bm25": 1})], 0)
        frontier.push([offer(url, 0.8, depth=5, referrer="http://two/", evidence={"bm25": 2})], 1)
        frontier.push([offer(url, 0.5, depth=1, referrer="http://three/")], 2)
        entry = frontier.find(url)
        assert entry is not None
        assert (entry.score, entry.depth, entry.found_in) == (0.8, 1, 0)
        assert (entry.referrer, entry.evidence) == ("http://two/", {"bm25": 2})

    def test_found_again_within_one_page(self, frontier: Frontier) -> None:
        url = "http://a.example/x"
        assert frontier.push([offer(url, 0.2, depth=1), offer(url, 0.9, depth=4)], 0) == (1, 1)
        entry = frontier.find(url)
        assert entry is not None
        assert (entry.score, entry.depth) == (0.9, 1)

    def test_score_is_fixed_once_selected(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/x")
        frontier.push([offer("http://a.example/x", 1.0)], 0)
        assert frontier.entry(entry_id).score == 0.5  # type: ignore[union-attr]

    def test_unfetchable_urls_are_counted(self, frontier: Frontier) -> None:
        urls = [
            "mailto:a@b.example",
            "javascript:x()",
            "http://u:p@h.example/",
            "http://ok.example/",
        ]
        assert frontier.push([offer(url) for url in urls], 0) == (1, 0)
        frontier.push([offer("mailto:c@d.example")], 0)
        assert frontier.refusals() == {
            "credentials": 1,
            "scheme javascript": 1,
            "scheme mailto": 2,
        }

    @pytest.mark.parametrize("score", [math.nan, math.inf, -0.1, 1.1])
    def test_score_out_of_range(self, frontier: Frontier, score: float) -> None:
        with pytest.raises(ValueError, match=r"http://b\.example/: score .* expected 0 to 1"):
            frontier.push([offer("http://a.example/"), offer("http://b.example/", score)], 0)
        assert total(frontier) == 0

    def test_payload_of_a_new_url_is_kept(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/", payload='{"headers":{}}')], 0)
        assert frontier.find("http://a.example/").payload == '{"headers":{}}'  # type: ignore[union-attr]


class TestOrder:
    def test_score_then_discovery(self, open_frontier: Open) -> None:
        """FRO-04; the discovery number survives a restart and a change of score."""
        frontier = open_frontier()
        for url in ("https://b.example/2", "https://a.example/9", "https://c.example/1"):
            frontier.push([offer(url, 0.4)], 0)
        frontier.close()
        frontier = open_frontier()
        frontier.push([offer("https://c.example/1"), offer("https://a.example/9")], 0)
        frontier.push([offer("https://b.example/2"), offer("https://z.example/", 0.7)], 0)
        frontier.select(All(), 0)
        assert pops(frontier) == [
            "https://z.example/",
            "https://b.example/2",
            "https://a.example/9",
            "https://c.example/1",
        ]
        frontier.close()

    def test_scores_are_not_rounded(self, frontier: Frontier) -> None:
        """FRO-03: 0.738 before 0.731, 0.57 before 0.29."""
        for score in (0.731, 0.29, 0.738, 0.57, 0.7310000001):
            frontier.push([offer(f"http://h.example/{score}", score)], 0)
        frontier.select(All(), 0)
        assert [url.rpartition("/")[2] for url in pops(frontier)] == [
            "0.738",
            "0.7310000001",
            "0.731",
            "0.57",
            "0.29",
        ]

    def test_ranked_reads_in_the_order_of_best_known(self, frontier: Frontier) -> None:
        for number in range(40):
            frontier.push(
                [offer(f"http://h{number % 3}.example/{number}", number % 7 / 10)], number % 4
            )
        ranked = list(frontier.ranked())
        assert ranked == sorted(ranked, key=lambda known: (-known.score, known.found_in, known.id))
        assert [known.id for known in ranked] == [entry.id for entry in frontier.best_known()]
        assert [k.id for k in frontier.ranked(found_in=2)] == [
            k.id for k in ranked if k.found_in == 2
        ]
        assert [k.id for k in frontier.ranked(found_before=2)] == [
            k.id for k in ranked if k.found_in < 2
        ]
        assert [e.id for e in frontier.best_known(3, found_before=2)] == [
            k.id for k in ranked if k.found_in < 2
        ][:3]
        assert list(frontier.ranked(found_before=0)) == []


class TestOrderOfAnswers:
    """What an iteration finds does not depend on which of its pages comes first."""

    PAGES = ("http://one.example/", "http://two.example/", "http://three.example/")

    def found(self, frontier: Frontier, answers: Sequence[str]) -> list[tuple[object, ...]]:
        """Settle three pages in an order; all that is known of their links, best first."""
        links = {
            "http://one.example/": [
                offer("http://x.example/1"),
                offer("http://x.example/2", 0.2, depth=9),
                offer("http://x.example/same#one", 0.4, payload="{}"),
            ],
            "http://two.example/": [
                offer("http://x.example/2", 0.7, depth=3, evidence={"anchor": "two"}),
                offer("http://y.example/1"),
                offer("http://x.example/3", 0.2),
                offer("http://x.example/same?utm_source=two", 0.9),
            ],
            "http://three.example/": [
                offer("http://x.example/3"),
                offer("http://x.example/1", depth=2),
                offer("http://x.example/2", 0.7, depth=1, evidence={"anchor": "three"}),
                offer("http://x.example/4", 0.2),
            ],
        }
        start(frontier, *self.PAGES)
        for page in answers:
            entry = frontier.find(page)
            assert entry is not None
            offers = [replace(link, referrer=page) for link in links[page]]
            frontier.settle(Outcome(entry.id, State.DONE, links=offers))
        return [
            (e.url, e.score, e.depth, e.referrer, e.evidence, e.payload)
            for e in frontier.best_known()
        ]

    @pytest.mark.parametrize("answers", list(permutations(PAGES)))
    def test_links(self, frontier: Frontier, answers: Sequence[str]) -> None:
        one, two, three = self.PAGES
        assert self.found(frontier, answers) == [
            ("http://x.example/same", 0.9, 0, two, {}, "{}"),
            ("http://x.example/2", 0.7, 1, three, {"anchor": "three"}, ""),
            ("http://x.example/1", 0.5, 0, one, {}, ""),
            ("http://y.example/1", 0.5, 0, two, {}, ""),
            ("http://x.example/3", 0.5, 0, three, {}, ""),
            ("http://x.example/4", 0.2, 0, three, {}, ""),
        ]
        assert frontier.select(Top(3), 1) == 3
        assert pops(frontier)[-1] == "http://x.example/1"

    def test_links_of_later_iterations_come_later(self, frontier: Frontier) -> None:
        first, second = start(frontier, "http://one.example/", "http://two.example/")
        frontier.settle(Outcome(second, State.DONE, links=[offer("http://z.example/")]))
        frontier.settle(Outcome(first, State.DONE, links=[offer("http://b.example/")]))
        frontier.select(Top(1), 1)
        page = frontier.pop()
        assert page is not None
        assert page.url == "http://b.example/"
        links = [offer("http://a.example/"), offer("http://z.example/")]
        frontier.settle(Outcome(page.id, State.DONE, links=links))
        assert [e.host for e in frontier.best_known()] == ["z.example", "a.example"]

    @pytest.mark.parametrize("followed", ["http://a.example/", "http://b.example/"])
    def test_links_of_a_page_that_two_redirects_lead_to(
        self, frontier: Frontier, followed: str
    ) -> None:
        urls = [f"http://{name}.example/" for name in "abc"]
        ids = dict(zip("abc", start(frontier, *urls), strict=True))
        (left,) = {"a", "b"} - {followed[7]}
        assert frontier.redirect(ids[followed[7]], "http://t.example/", "{}").followed
        assert not frontier.redirect(ids[left], "http://t.example/", "{}").followed
        frontier.pop()
        frontier.settle(Outcome(ids[followed[7]], State.DONE, links=[offer("http://q.example/")]))
        frontier.settle(Outcome(ids["c"], State.DONE, links=[offer("http://r.example/")]))
        assert [e.host for e in frontier.best_known()] == ["r.example", "q.example"]


class TestPop:
    def test_passes_over_busy_hosts(self, frontier: Frontier) -> None:
        frontier.push(
            [
                offer("http://a.example/1", 0.9),
                offer("http://a.example/2", 0.8),
                offer("http://b.example/", 0.1),
            ],
            0,
        )
        frontier.select(All(), 0)
        assert frontier.pop(["a.example"]).url == "http://b.example/"  # type: ignore[union-attr]
        assert frontier.pop(["a.example", "b.example"]) is None
        assert pops(frontier) == ["http://a.example/1", "http://a.example/2"]

    def test_ports_of_one_host_are_one_host(self, frontier: Frontier) -> None:
        frontier.push([offer("http://127.0.0.1:8001/"), offer("http://127.0.0.1:8002/")], 0)
        frontier.select(All(), 0)
        assert frontier.pop(["127.0.0.1"]) is None

    def test_gives_only_what_is_selected(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/")], 0)
        assert frontier.pop() is None

    def test_counts_attempts_and_states(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/"), offer("http://b.example/")], 0)
        frontier.select(Top(1), 3)
        entry = frontier.pop()
        assert entry is not None
        assert (entry.state, entry.attempts, entry.iteration) == (State.IN_FLIGHT, 1, 3)
        assert frontier.counts() == {
            State.KNOWN: 1,
            State.SELECTED: 0,
            State.IN_FLIGHT: 1,
            State.DONE: 0,
            State.FAILED: 0,
            State.GONE: 0,
        }
        assert frontier.outstanding() == {3: 1}

    def test_selecting_writes_the_iteration_down(self, frontier: Frontier) -> None:
        frontier.select(All(), 6)
        assert frontier.get_meta("iteration") is None
        frontier.push([offer("http://a.example/"), offer("http://b.example/")], -1)
        frontier.select(All(), 7)
        assert (frontier.get_meta("iteration"), frontier.get_meta("iteration taken")) == (7, 2)


class TestPopKnown:
    def test_best_of_a_host_that_is_not_busy(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/", 0.9), offer("http://b.example/", 0.2)], -1)
        assert frontier.pop_known(0, Limits(), ["a.example"]).url == "http://b.example/"  # type: ignore[union-attr]
        frontier.push([offer("http://c.example/", 0.95)], 0)
        entry = frontier.pop_known(1, Limits())
        assert entry is not None
        assert (entry.url, entry.iteration, entry.state) == (
            "http://c.example/",
            1,
            State.IN_FLIGHT,
        )
        assert frontier.get_meta("iteration") == 1
        frontier.pop_known(1, Limits())
        assert frontier.get_meta("iteration taken") == 2
        assert not frontier.can_pop_known(Limits())

    def test_follows_improved_scores_and_settled_links(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/1", 0.9), offer("http://a.example/2", 0.1)], -1)
        first = frontier.pop_known(0, Limits())
        assert first is not None
        links = [offer("http://a.example/3", 0.5), offer("http://a.example/2", 0.6)]
        frontier.settle(Outcome(first.id, State.DONE, links=links))
        assert frontier.pop_known(0, Limits()).url == "http://a.example/2"  # type: ignore[union-attr]
        assert frontier.pop_known(0, Limits()).url == "http://a.example/3"  # type: ignore[union-attr]
        assert frontier.pop_known(0, Limits()) is None

    def test_limits(self, frontier: Frontier) -> None:
        frontier.push(
            [
                offer("http://a.example/deep", 0.9, depth=4),
                offer("http://a.example/1", 0.8),
                offer("http://a.example/2", 0.7),
                offer("http://b.example/", 0.1, depth=2),
            ],
            -1,
        )
        limits = Limits(max_depth=2, max_pages_per_host=1)
        assert frontier.pop_known(0, limits).url == "http://a.example/1"  # type: ignore[union-attr]
        assert frontier.pop_known(0, limits).url == "http://b.example/"  # type: ignore[union-attr]
        assert frontier.pop_known(0, limits) is None
        assert frontier.counts()[State.KNOWN] == 2

    def test_after_a_restart_and_with_another_limit(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        frontier.push(
            [offer("http://a.example/deep", 0.9, depth=4), offer("http://a.example/1")], -1
        )
        assert frontier.pop_known(0, Limits(max_depth=1)).depth == 0  # type: ignore[union-attr]
        frontier.close()
        frontier = open_frontier()
        assert frontier.pop_known(0, Limits(max_depth=1)) is None
        assert frontier.pop_known(0, Limits()).depth == 4  # type: ignore[union-attr]
        frontier.close()


class TestSettle:
    def test_writes_everything(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/")
        outcome = Outcome(
            entry_id,
            State.DONE,
            fetch={"url": "http://a.example/", "status": 200},
            links=[offer("http://a.example/1"), offer("http://a.example/")],
            document={"url": "http://a.example/", "content_hash": "c1"},
            aliases=["https://www.a.example/"],
        )
        settled = frontier.settle(outcome)
        assert (settled.new_links, settled.known_links, settled.exported) == (1, 1, True)
        assert list(frontier.fetches()) == [outcome.fetch]
        assert list(frontier.documents()) == [outcome.document]
        assert frontier.find("https://www.a.example").id == entry_id  # type: ignore[union-attr]
        assert frontier.find("http://a.example/1").found_in == 0  # type: ignore[union-attr]
        assert frontier.exported_as("c1") == "http://a.example/"
        assert frontier.exported_as("c2") is None
        assert (frontier.fetched(), frontier.downloaded()) == (1, 1)

    def test_downloads_are_fetches_with_an_answer(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        ids = start(frontier, *(f"http://{name}.example/" for name in "abcd"))
        for entry_id, fetch in zip(
            ids, ({"status": 404}, {"status": None}, {"reason": "robots"}, {}), strict=True
        ):
            frontier.settle(Outcome(entry_id, State.FAILED, fetch=fetch))
        frontier.close()
        frontier = open_frontier()
        assert (frontier.fetched(), frontier.downloaded()) == (3, 1)
        frontier.close()

    def test_twice_changes_nothing(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/")
        frontier.settle(Outcome(entry_id, State.DONE, fetch={"status": 200}))
        before = frontier.counts()
        again = Outcome(
            entry_id,
            State.FAILED,
            "late",
            fetch={"status": 0},
            links=[offer("http://x.example/")],
            document={"content_hash": "c"},
        )
        settled = frontier.settle(again)
        assert (settled.new_links, settled.exported) == (0, False)
        assert frontier.counts() == before
        assert frontier.entry(entry_id).reason == ""  # type: ignore[union-attr]
        assert (len(list(frontier.fetches())), list(frontier.documents())) == (1, [])

    def test_same_content_is_exported_once(self, frontier: Frontier) -> None:
        first, second = start(frontier, "http://a.example/", "http://b.example/")
        document = {"content_hash": "same"}
        assert frontier.settle(Outcome(first, State.DONE, document=document)).exported
        assert not frontier.settle(Outcome(second, State.DONE, document=document)).exported
        assert frontier.entry(second).reason == "duplicate"  # type: ignore[union-attr]
        assert list(frontier.documents()) == [document]

    def test_all_or_nothing(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/")
        with pytest.raises(ValueError, match="score"):
            frontier.settle(
                Outcome(
                    entry_id,
                    State.DONE,
                    fetch={"status": 200},
                    links=[offer("http://new.example/"), offer("http://bad.example/", 2.0)],
                    document={"content_hash": "c"},
                    aliases=["http://alias.example/"],
                )
            )
        assert frontier.counts()[State.IN_FLIGHT] == total(frontier) == 1
        assert (list(frontier.fetches()), list(frontier.documents())) == ([], [])
        assert frontier.find("http://new.example/") is None
        assert frontier.find("http://alias.example/") is None
        frontier.settle(Outcome(entry_id, State.DONE, links=[offer("http://new.example/")]))
        assert frontier.find("http://new.example/").host == "new.example"  # type: ignore[union-attr]

    def test_an_alias_is_not_fetched(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/")], -1)
        frontier.select(All(), 0)
        frontier.push([offer("http://b.example/"), offer("http://c.example/")], 0)
        entry = frontier.pop()
        assert entry is not None
        aliases = ["http://a.example/index.html", "http://b.example/", "http://new.example/"]
        frontier.settle(Outcome(entry.id, State.DONE, aliases=aliases))
        assert frontier.push([offer("http://new.example/", 0.9)], 1) == (0, 1)
        assert frontier.find("http://b.example/").reason == "alias"  # type: ignore[union-attr]
        frontier.select(All(), 1)
        assert pops(frontier) == ["http://c.example/"]

    def test_an_alias_that_was_selected_is_fetched(self, frontier: Frontier) -> None:
        """As it is when it was asked for before the page that names it came."""
        frontier.push([offer("http://a.example/", 0.9), offer("http://b.example/")], -1)
        frontier.select(All(), 0)
        entry = frontier.pop()
        assert entry is not None
        frontier.settle(Outcome(entry.id, State.DONE, aliases=["http://b.example/"]))
        assert pops(frontier) == ["http://b.example/"]

    def test_unknown_entry_and_wrong_state(self, frontier: Frontier) -> None:
        with pytest.raises(FrontierError, match="no entry 99"):
            frontier.settle(Outcome(99, State.DONE))
        with pytest.raises(ValueError, match="expected done, failed or gone"):
            frontier.settle(Outcome(1, State.SELECTED))


class TestTotals:
    def test_add_up_and_survive(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        assert frontier.totals("aspects") == []
        frontier.add_totals("aspects", [1, 0, 2])
        frontier.add_totals("aspects", [3, 5, 0])
        frontier.add_totals("others", [0.5])
        frontier.close()
        again = open_frontier()
        assert again.totals("aspects") == [4, 5, 2]
        assert again.totals("others") == [0.5]
        again.close()

    def test_whole_numbers_add_up_exactly(self, frontier: Frontier) -> None:
        for value in (2**52, 1, 1, 3):
            frontier.add_totals("aspects", [value])
        assert frontier.totals("aspects") == [2**52 + 5]

    def test_are_committed_with_the_page_once(self, frontier: Frontier) -> None:
        (page,) = start(frontier, "http://a.example/")
        outcome = Outcome(page, State.DONE, totals={"aspects": [7, 1]})
        frontier.settle(outcome)
        frontier.settle(outcome)
        assert frontier.totals("aspects") == [7, 1]

    def test_a_second_visit_of_a_page_adds_nothing(self, frontier: Frontier) -> None:
        (page,) = start(frontier, "http://a.example/")
        visit = Visit(1.0, text_hash("the page"))
        frontier.settle(Outcome(page, State.DONE, totals={"aspects": [7]}, visit=visit))
        frontier.revisit("http://a.example/", 1)
        assert pops(frontier) == ["http://a.example/"]
        visit = Visit(2.0, text_hash("another text"))
        frontier.settle(Outcome(page, State.DONE, totals={"aspects": [9]}, visit=visit))
        assert frontier.totals("aspects") == [7]

    @pytest.mark.parametrize("values", [[1.0], [1.0, math.nan], [1.0, math.inf]])
    def test_wrong_values_are_refused(self, frontier: Frontier, values: list[float]) -> None:
        frontier.add_totals("aspects", [1, 1])
        with pytest.raises(ValueError, match="aspects"):
            frontier.add_totals("aspects", values)
        assert frontier.totals("aspects") == [1, 1]


class TestEntries:
    def test_of_a_state_in_the_order_of_discovery(self, frontier: Frontier) -> None:
        start(frontier, "http://seed.example/")
        urls = [f"http://a.example/{n}" for n in range(3)]
        frontier.push([offer(url, n / 10) for n, url in enumerate(urls)], 0)
        assert [entry.url for entry in frontier.entries(State.KNOWN)] == urls
        assert len(list(frontier.entries())) == 4


class TestRetryAndRecover:
    def test_requeue_keeps_the_payload(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/")
        frontier.requeue(entry_id, '{"meta":{"retry_times":1}}')
        assert frontier.counts()[State.SELECTED] == 1
        entry = frontier.pop()
        assert entry is not None
        assert (entry.payload, entry.attempts) == ('{"meta":{"retry_times":1}}', 2)

    def test_requeue_of_a_settled_entry_changes_nothing(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/")
        frontier.settle(Outcome(entry_id, State.DONE))
        frontier.requeue(entry_id, "{}")
        assert frontier.counts()[State.DONE] == 1
        assert frontier.pop() is None

    def test_recover_after_a_crash(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        start(frontier, "http://a.example/", "http://b.example/")
        frontier.requeue(1, '{"kept":1}')
        frontier.pop()
        frontier.close()
        frontier = open_frontier()
        assert frontier.counts()[State.IN_FLIGHT] == 2
        assert frontier.recover() == 2
        assert frontier.recover() == 0
        assert frontier.entry(1).payload == '{"kept":1}'  # type: ignore[union-attr]
        assert pops(frontier) == ["http://a.example/", "http://b.example/"]
        frontier.close()

    def test_meta_survives(self, open_frontier: Open) -> None:
        frontier = open_frontier()
        assert frontier.get_meta("seeds") is None
        assert frontier.get_meta("seeds", 3) == 3
        frontier.set_meta("seeds", {"complete": True})
        frontier.close()
        frontier = open_frontier()
        assert frontier.get_meta("seeds") == {"complete": True}
        frontier.close()


class TestRevisit:
    """RED-01: a wanted second visit is its own event; rows and counters still add up."""

    def test_of_a_settled_url(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://same.example/")
        frontier.settle(Outcome(entry_id, State.DONE, "old reason"))
        assert frontier.revisit("http://same.example/", 4, '{"etag":1}')
        entry = frontier.pop()
        assert entry is not None
        assert (entry.id, entry.iteration, entry.payload, entry.reason) == (
            entry_id,
            4,
            '{"etag":1}',
            "",
        )
        assert total(frontier) == 1

    def test_of_a_url_in_flight(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://same.example/")
        assert frontier.revisit("http://same.example/", 0)
        frontier.settle(Outcome(entry_id, State.DONE, fetch={"visit": 1}))
        assert pops(frontier) == ["http://same.example/"]
        frontier.settle(Outcome(entry_id, State.DONE, fetch={"visit": 2}))
        assert frontier.pop() is None
        assert (frontier.fetched(), frontier.counts()[State.DONE]) == (2, 1)

    def test_of_a_waiting_or_unknown_url(self, frontier: Frontier) -> None:
        frontier.push([offer("http://same.example/", 0.2)], -1)
        frontier.push([offer("http://same.example/", 0.8)], -1)
        assert frontier.revisit("http://same.example/", 0)
        assert not frontier.revisit("http://other.example/", 0)
        frontier.select(All(), 0)
        assert pops(frontier) == ["http://same.example/"]
        assert [event["kind"] for event in frontier.why("http://same.example/")["events"]] == [  # type: ignore[index]
            "second visit wanted"
        ]


class TestRedirect:
    def test_to_an_unknown_url(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/old")
        decided = frontier.redirect(
            entry_id, "https://b.example/new", '{"url":"https://b.example/new"}'
        )
        assert (decided.followed, decided.target) == (True, entry_id)
        assert frontier.pop(["b.example"]) is None
        entry = frontier.pop(["a.example"])
        assert entry is not None
        assert (entry.id, entry.url, entry.host) == (entry_id, "http://a.example/old", "b.example")
        assert frontier.find("https://b.example/new").id == entry_id  # type: ignore[union-attr]
        assert frontier.push([offer("https://b.example/new")], 0) == (0, 1)
        assert (frontier.taken("a.example"), frontier.taken("b.example")) == (0, 1)

    def test_to_itself(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/x")
        for _ in range(2):
            assert frontier.redirect(entry_id, "http://a.example/x?cookieSet=1", "{}").followed
            assert frontier.pop().id == entry_id  # type: ignore[union-attr]
        assert frontier.why("http://a.example/x")["aliases"] == []  # type: ignore[index]

    def test_round_a_loop(self, frontier: Frontier) -> None:
        (entry_id,) = start(frontier, "http://a.example/1")
        for url in ("http://a.example/2", "http://a.example/1", "http://a.example/2"):
            assert frontier.redirect(entry_id, url, "{}").followed
            frontier.pop()
        assert total(frontier) == 1

    def test_to_a_known_url(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/", 0.7, depth=1)], -1)
        frontier.push([offer("http://b.example/", 0.1, depth=6)], -1)
        frontier.select(Top(1), 0)
        entry = frontier.pop()
        assert entry is not None
        decided = frontier.redirect(entry.id, "http://b.example", "{}", {"status": 301})
        target = frontier.find("http://b.example/")
        assert target is not None
        assert (decided.followed, decided.target) == (False, target.id)
        assert (target.state, target.score, target.depth) == (State.SELECTED, 0.1, 6)
        assert target.iteration == 0
        left = frontier.entry(entry.id)
        assert left is not None
        assert (left.state, left.reason) == (State.DONE, "redirect to known")
        assert list(frontier.fetches()) == [{"status": 301}]
        assert pops(frontier) == ["http://b.example/"]

    @pytest.mark.parametrize("found_first", [True, False])
    def test_to_a_url_found_in_the_same_iteration(
        self, frontier: Frontier, found_first: bool
    ) -> None:
        """The page that links to it may come before the redirect or after it: all the same."""
        left, other = start(frontier, "http://a.example/", "http://c.example/")
        links = Outcome(other, State.DONE, links=[offer("http://b.example/", 0.9)])
        if found_first:
            frontier.settle(links)
        assert frontier.redirect(left, "http://b.example/", "{}").followed
        if not found_first:
            frontier.settle(links)
        assert pops(frontier, ("a.example",)) == ["http://a.example/"]
        frontier.settle(Outcome(left, State.DONE))
        assert frontier.count(State.KNOWN) == 0
        assert frontier.select(All(), 1) == 0

    @pytest.mark.parametrize("state", [State.DONE, State.FAILED, State.GONE, State.IN_FLIGHT])
    def test_to_a_url_that_was_asked_for(self, frontier: Frontier, state: State) -> None:
        first, second = start(frontier, "http://a.example/", "http://b.example/")
        if state is not State.IN_FLIGHT:
            frontier.settle(Outcome(second, state))
        assert frontier.redirect(first, "http://b.example/", "{}").target == second
        assert frontier.entry(first).state is State.DONE  # type: ignore[union-attr]
        assert frontier.entry(second).state is state  # type: ignore[union-attr]
        assert frontier.pop() is None

    def test_to_the_alias_of_another(self, frontier: Frontier) -> None:
        first, second = start(frontier, "http://a.example/", "http://b.example/")
        frontier.settle(Outcome(second, State.DONE, aliases=["http://c.example/"]))
        assert frontier.redirect(first, "http://c.example/", "{}").target == second

    def test_of_an_entry_that_is_not_in_flight(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/")], -1)
        with pytest.raises(FrontierError, match="entry 1 is not in flight"):
            frontier.redirect(1, "http://b.example/", "{}")


class TestWhy:
    def test_tells_the_way_from_the_seed(self, frontier: Frontier) -> None:
        (seed,) = start(frontier, "http://seed.example/")
        link = offer(
            "http://a.example/", 0.4, referrer="http://seed.example/", evidence={"anchor": "bats"}
        )
        frontier.settle(Outcome(seed, State.DONE, links=[link]))
        frontier.select(All(), 1)
        page = frontier.pop()
        assert page is not None
        deeper = offer("http://b.example/", 0.3, depth=2, referrer="http://a.example/")
        frontier.settle(Outcome(page.id, State.GONE, "http 410", links=[deeper]))
        told = frontier.why("http://b.example/")
        assert told is not None
        assert told["referrers"] == ["http://a.example/", "http://seed.example/"]
        assert told["state"] == "known"
        told = frontier.why("http://a.example/")
        assert told is not None
        assert (told["state"], told["reason"], told["iteration"]) == ("gone", "http 410", 1)
        assert told["evidence"] == {"anchor": "bats"}
        assert told["when"] > 1.7e9
        assert frontier.why("http://nobody.example/") is None

    def test_referrers_that_point_at_each_other(self, frontier: Frontier) -> None:
        frontier.push([offer("http://a.example/", referrer="http://b.example/")], 0)
        frontier.push([offer("http://b.example/", referrer="http://a.example/")], 0)
        assert frontier.why("http://a.example/")["referrers"] == [  # type: ignore[index]
            "http://b.example/",
            "http://a.example/",
        ]
