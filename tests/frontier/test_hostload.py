from __future__ import annotations

from dataclasses import dataclass, field

from taxocrawl.frontier.hostload import HostLoad


@dataclass
class Slot:
    concurrency: int = 1
    delay: float = 0.0
    lastseen: float = 0.0
    active: list[int] = field(default_factory=list)


def test_a_request_under_way_makes_its_host_busy() -> None:
    load = HostLoad(1)
    assert load.busy({}, 0.0) == set()
    load.begin("a")
    assert load.busy({}, 0.0) == {"a"}
    assert load.busy({"a": Slot(concurrency=2)}, 0.0) == set()
    load.begin("a")
    assert load.busy({"a": Slot(concurrency=2)}, 0.0) == {"a"}
    load.end("a")
    load.end("a")
    assert load.busy({"a": Slot()}, 0.0) == set()


def test_requests_of_others_count() -> None:
    assert HostLoad(1).busy({"a": Slot(active=[1])}, 0.0) == {"a"}


def test_a_delay_that_is_not_over() -> None:
    load, slots = HostLoad(1), {"a": Slot(delay=2.0, lastseen=10.0), "b": Slot(lastseen=11.0)}
    assert load.busy(slots, 11.5) == {"a"}
    assert load.next_ready(slots, 11.5) == 12.0
    assert load.busy(slots, 12.0) == set()
    assert load.next_ready(slots, 12.0) is None


def test_rest() -> None:
    load = HostLoad(1)
    load.rest("a", 5.0)
    load.rest("a", 3.0)
    load.rest("b", 9.0)
    assert load.busy({}, 4.0) == {"a", "b"}
    assert load.next_ready({}, 4.0) == 5.0
    assert load.busy({}, 5.0) == {"b"}
