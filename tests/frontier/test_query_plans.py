"""No statement may read a whole table of URLs: it would not do at ten million of them."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.policy import Limits
from taxocrawl.frontier.selection import make_policy
from taxocrawl.frontier.sqlite import SqliteFrontier

# A list of values, the policy's own stream, an index that holds only what is wanted, the host list.
_ALLOWED = re.compile(
    r"SCAN (json_each|CONSTANT ROW|counts$|refusals$"
    r"|u USING (COVERING )?INDEX urls_known\b"
    r"|(u|urls) USING (COVERING )?INDEX urls_(in_flight|pending)\b"
    r"|hosts USING (COVERING )?INDEX hosts_(next|known)\b)"
)


def everyday_work(frontier: SqliteFrontier) -> None:
    """Each method that a crawl calls again and again."""

    def link(n: int) -> Candidate:
        return Candidate(f"http://h{n % 3}.example/{n}", n % 10 / 10)

    frontier.push([link(n) for n in range(30)], 0)
    for name in ("all", "top", "recent-half"):
        frontier.select(make_policy(name, {} if name == "all" else {"size": 6}), 1)
        frontier.push([link(n) for n in range(20, 60)], 1)
    entry = frontier.pop(["h1.example"])
    assert entry is not None
    document = {"content_hash": "x"}
    frontier.settle(
        Outcome(
            entry.id,
            State.DONE,
            fetch={"a": 1},
            links=[link(99)],
            document=document,
            aliases=["http://x/"],
        )
    )
    frontier.revisit(entry.url, 1)
    entry = frontier.pop()
    assert entry is not None
    frontier.requeue(entry.id, "{}")
    entry = frontier.pop()
    assert entry is not None
    frontier.redirect(entry.id, link(55).url, "{}")
    frontier.pop_known(2, Limits(max_depth=3, max_pages_per_host=9), ["h1.example"])
    frontier.can_pop_known(Limits(max_depth=3))
    frontier.recover()
    frontier.outstanding()
    frontier.counts()
    frontier.why(link(1).url)
    frontier.exported_as("x")
    list(frontier.best_known(3, found_before=2))
    list(frontier.best_known(3, found_in=1))


def test_every_statement_uses_an_index(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    frontier = SqliteFrontier(path)
    frontier.can_pop_known(Limits(max_depth=3))
    statements: set[str] = set()
    frontier._db.set_trace_callback(statements.add)
    everyday_work(frontier)
    frontier._db.set_trace_callback(None)
    frontier.close()
    db = sqlite3.connect(path)
    explained = 0
    for statement in statements:
        if statement.startswith(("SELECT", "UPDATE", "INSERT", "REPLACE", "\nSELECT", "\nUPDATE")):
            plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}")]
            scans = [line for line in plan if line.startswith("SCAN") and not _ALLOWED.match(line)]
            assert not scans, statement
            assert not [line for line in plan if "TEMP B-TREE FOR ORDER" in line], statement
            explained += 1
    assert explained > 30
