"""A frontier that is exported and imported is the same."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taxocrawl.documents.duplicates import Fingerprint
from taxocrawl.exceptions import FrontierError, InputFileError
from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.revisit import RevisitPolicy, Visit, text_hash
from taxocrawl.frontier.schema import STATES
from taxocrawl.frontier.selection import Top
from taxocrawl.frontier.sqlite import SqliteFrontier
from taxocrawl.frontier.transfer import export_lines, import_lines


def used_frontier(path: Path) -> None:
    """With URLs in every state, aliases, documents, copies, visits, refusals and meta values."""
    frontier = SqliteFrontier(path)
    frontier.plan_visits(RevisitPolicy("uniform", 9.0, 9.0, 9.0))
    frontier.push(
        [
            Candidate(
                f"http://h{n % 3}.example/{n}?b=1&a=é", n / 20, evidence={"anchor": "ß\u2028"}
            )
            for n in range(20)
        ],
        -1,
    )
    frontier.push([Candidate("mailto:a@b.example", 0.1)], -1)
    frontier.select(Top(12), 0)
    for n, state in enumerate((State.DONE, State.FAILED, State.GONE, State.DONE, State.DONE)):
        entry = frontier.pop()
        assert entry is not None
        done = state is State.DONE
        frontier.settle(
            Outcome(
                entry.id,
                state,
                fetch={"url": entry.url, "reason": ""},
                links=[Candidate(f"http://new.example/{n}", 0.3, depth=1, referrer=entry.url)],
                document={"url": entry.url, "content_hash": f"c{n % 2}"} if done else None,
                fingerprint=Fingerprint(f"c{n % 2}", sketch=bytes(range(256)) * 2),
                aliases=[f"http://alias.example/{n}"],
                template_hash=f"t{n}",
                visit=Visit(1.5, text_hash("x"), '"e"') if done else None,
            )
        )
    frontier.pop()
    frontier.pop_known(0, Limits())
    frontier.set_meta("seeds complete", True)
    frontier.close()


def dump(path: Path) -> dict[str, list[Any]]:
    with sqlite3.connect(path) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type='table'")]
        return {name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


def without_known_order(tables: dict[str, list[Any]]) -> dict[str, list[Any]]:
    hosts = [row[:5] for row in tables["hosts"]]
    meta = [row for row in tables["meta"] if row[0] != "known_order"]
    return {**tables, "hosts": hosts, "meta": meta}


def test_round_trip(tmp_path: Path) -> None:
    one, two = tmp_path / "one.sqlite", tmp_path / "two.sqlite"
    used_frontier(one)
    lines = list(export_lines(one))
    assert import_lines(two, lines, "lines") == 25
    assert without_known_order(dump(two)) == without_known_order(dump(one))
    assert list(export_lines(two)) == lines
    frontiers = [SqliteFrontier(path) for path in (one, two)]
    assert all(frontiers[0].counts()[state] for state in State)
    assert frontiers[0].counts() == frontiers[1].counts()
    assert frontiers[0].exported() == frontiers[1].exported()
    orders = []
    for frontier in frontiers:
        frontier.recover()
        order = []
        while entry := frontier.pop():
            order.append(entry)
        while entry := frontier.pop_known(1, Limits()):
            order.append(entry)
        orders.append(order)
        frontier.close()
    assert orders[0] == orders[1]
    assert len(orders[0]) == 20


def test_states_are_named_and_bytes_are_base64(tmp_path: Path) -> None:
    used_frontier(tmp_path / "f.sqlite")
    records = [json.loads(line) for line in export_lines(tmp_path / "f.sqlite")][1:]
    assert {r["urls"]["state"] for r in records if "urls" in r} == {str(s) for s in STATES}
    [sketch] = {r["documents"]["sketch"]["base64"] for r in records if "documents" in r}
    assert sketch.startswith("AAECAwQ")


def test_export_while_a_crawl_writes(tmp_path: Path) -> None:
    path = tmp_path / "f.sqlite"
    frontier = SqliteFrontier(path)
    frontier.push([Candidate(f"http://a.example/{n}", 0.5) for n in range(9)], -1)
    lines = export_lines(path)
    next(lines)
    frontier.push([Candidate("http://late.example/", 0.5)], -1)
    assert sum('"urls"' in line for line in lines) == 9
    frontier.close()


def test_only_an_empty_frontier_is_filled(tmp_path: Path) -> None:
    used_frontier(tmp_path / "f.sqlite")
    with pytest.raises(FrontierError, match="has URLs in it"):
        import_lines(tmp_path / "f.sqlite", export_lines(tmp_path / "f.sqlite"), "lines")


def _without(column: str) -> Callable[[str], str]:
    def change(line: str) -> str:
        record = json.loads(line)
        record["urls"].pop(column)
        return json.dumps(record)

    return change


@pytest.mark.parametrize(
    ("number", "change", "named"),
    [
        (1, lambda line: "", "no exported frontier"),
        (1, lambda line: '["x"]', "no exported frontier"),
        (1, lambda line: '{"taxocrawl frontier": 99}', "frontier version 99"),
        (2, lambda line: line[:40], "lines, line 2: expected a table"),
        (2, lambda line: "[]", "lines, line 2: expected a table"),
        (2, lambda line: '{"sqlite_schema": {"name": "x"}}', "lines, line 2: expected a table"),
        (3, _without("score"), "lines, line 3: .*score"),
        (3, lambda line: line.replace('"selected"', '"maybe"'), "lines, line 3: .*maybe"),
        (3, lambda line: line.replace('"score"', '"score; --"'), "lines, line 3: .*score"),
        (3, lambda line: line.replace('"url": "', '"more": 1, "url": "'), "lines, line 3: .*col"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_imported(
    number: int, change: Callable[[str], str], named: str, tmp_path: Path
) -> None:
    used_frontier(tmp_path / "one.sqlite")
    lines = list(export_lines(tmp_path / "one.sqlite"))
    lines[2] = next(line for line in lines if '"state": "selected"' in line)
    lines[number - 1] = change(lines[number - 1])
    with pytest.raises(InputFileError, match=named):
        import_lines(tmp_path / "two.sqlite", lines, "lines")
    frontier = SqliteFrontier(tmp_path / "two.sqlite")
    assert not any(frontier.counts().values())
    frontier.close()


def test_an_empty_file_is_no_frontier(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no exported frontier"):
        import_lines(tmp_path / "two.sqlite", [], "lines")
