"""What becomes of the file when the process is killed, the disk is full, or it is not ours."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from taxocrawl.exceptions import FrontierError, StorageError
from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.database import _WAL_LIMIT
from taxocrawl.frontier.reading import open_reader
from taxocrawl.frontier.selection import All
from taxocrawl.frontier.sqlite import SqliteFrontier
from tests.frontier.full import TinyFrontier

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBERS = "SELECT state, COUNT(*) FROM urls GROUP BY state"


def work_and_kill(path: Path, seed: int, seconds: float) -> list[int]:
    """Entries that a worker said were settled before it was killed in the midst of its work."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "tests.frontier.worker", str(path), str(seed)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout is not None
    first = worker.stdout.readline()
    time.sleep(seconds)
    worker.send_signal(signal.SIGKILL)
    rest, _ = worker.communicate()
    return [int(line) for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]


def check(path: Path) -> set[int]:
    """All that must hold of a frontier at any time; returns the settled entries."""
    frontier = SqliteFrontier(path)
    db = frontier._db
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    states = list(State)
    rows = {states[number]: count for number, count in db.execute(NUMBERS)}
    assert {state: count for state, count in frontier.counts().items() if count} == rows
    assert frontier.fetched() == db.execute("SELECT COUNT(*) FROM fetches").fetchone()[0]
    exported = "SELECT COUNT(*) FROM documents WHERE superseded_by IS NULL"
    assert frontier.exported() == db.execute(exported).fetchone()[0]
    taken = dict(
        db.execute(
            "SELECT h.host, COUNT(u.iteration) FROM hosts h LEFT JOIN urls u ON u.host_id = h.id"
            " GROUP BY h.id"
        )
    )
    assert dict(frontier.hosts()) == taken
    best = db.execute(
        "SELECT h.id, h.next_id, (SELECT id FROM urls u WHERE u.host_id = h.id AND state = 1"
        " ORDER BY score DESC, id LIMIT 1) FROM hosts h"
    )
    assert all(next_id == right for _, next_id, right in best)
    settled = {row[0] for row in db.execute("SELECT id FROM urls WHERE state > 2")}
    with_record = {record["entry"] for record in frontier.fetches()}
    without = {row[0] for row in db.execute("SELECT id FROM urls WHERE reason = 'alias'")}
    assert settled - without == with_record
    keys = db.execute("SELECT COUNT(*), COUNT(DISTINCT coalesce(key, url)) FROM urls").fetchone()
    assert keys[0] == keys[1]
    frontier.recover()
    assert frontier.count(State.IN_FLIGHT) == 0
    frontier.close()
    return settled


def test_killed_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    dice = random.Random(1)
    promised: set[int] = set()
    for seed in range(6):
        promised.update(work_and_kill(path, seed, dice.uniform(0.0, 0.4)))
        assert promised <= check(path)


def test_a_log_cut_anywhere(tmp_path: Path) -> None:
    """As after a power cut: the last transactions are lost, whole, and nothing else.

    Not while the log is being emptied: that begins when all of it is safely on the disk.
    """
    path, log = tmp_path / "frontier.sqlite", tmp_path / "frontier.sqlite-wal"
    seed = 7
    work_and_kill(path, seed, 0.3)
    while log.stat().st_size > _WAL_LIMIT:
        seed += 1
        work_and_kill(path, seed, 0.3)
    whole = log.read_bytes()
    base = path.read_bytes()
    dice = random.Random(2)
    settled_before: list[tuple[int, set[int]]] = []
    for number, length in enumerate(sorted(dice.randrange(len(whole) + 1) for _ in range(8))):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / path.name).write_bytes(base)
        (folder / log.name).write_bytes(whole[:length])
        settled_before.append((length, check(folder / path.name)))
    for (_, fewer), (_, more) in pairwise(settled_before):
        assert fewer <= more


def test_a_second_process_is_told(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    with_it = SqliteFrontier(path)
    with pytest.raises(FrontierError, match="already open in this process"):
        SqliteFrontier(path)
    second = (
        "import sys\nfrom taxocrawl.frontier.sqlite import SqliteFrontier\n"
        "from taxocrawl.exceptions import FrontierError\n"
        "try: SqliteFrontier(sys.argv[1])\nexcept FrontierError as error: print(error)"
    )
    run = [sys.executable, "-c", second, str(path)]
    told = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.startswith(f"{path}: in use by another process (process {os.getpid()})")
    assert told.count("\n") == 1
    with_it.close()
    assert subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout == ""
    SqliteFrontier(path).close()


def test_a_worker_of_the_killed_process_does_not_hold_the_file(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    held = SqliteFrontier(path)
    child = os.fork()
    if not child:
        time.sleep(30)
        os._exit(0)
    held.close()
    try:
        SqliteFrontier(path).close()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_reading_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    frontier = SqliteFrontier(path)
    reader = open_reader(path)
    frontier.push([Candidate("http://a.example/", 0.5)], 0)
    assert reader.counts()[State.KNOWN] == 1
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._db.execute("DELETE FROM urls")
    reader.close()
    frontier.close()


def settle_until_full(frontier: SqliteFrontier) -> int:
    """Returns how many pages went in."""
    frontier.push([Candidate(f"http://a.example/{n}", 0.5) for n in range(50)], -1)
    frontier.select(All(), 0)
    for number in range(50):
        entry = frontier.pop()
        assert entry is not None
        links = [Candidate(f"http://b.example/{number}/{n}{'x' * 500}", 0.5) for n in range(50)]
        frontier.settle(Outcome(entry.id, State.DONE, fetch={"entry": entry.id}, links=links))
    raise AssertionError("never full")


def test_disk_full(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    frontier = TinyFrontier(str(path))
    with pytest.raises(StorageError, match=rf"^{path}: the disk is full \(.*\)$"):
        settle_until_full(frontier)
    assert frontier.count(State.IN_FLIGHT) == 1
    assert frontier.find("http://b.example/0/0" + "x" * 500) is not None
    frontier.close()
    assert len(check(path)) >= 1


def forked(job: Callable[[], None]) -> None:
    """Run in a child process, which may change its own limits or user; its failure is ours."""
    child = os.fork()
    if not child:
        try:
            job()
        except BaseException as error:
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_no_room_to_write(tmp_path: Path) -> None:
    """A limit on file size is what the system gives us for a disk that is really full."""
    path = tmp_path / "frontier.sqlite"

    def job() -> None:
        frontier = SqliteFrontier(path)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
        with pytest.raises(StorageError, match=r"frontier\.sqlite: the disk "):
            settle_until_full(frontier)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        frontier.close()

    forked(job)
    assert len(check(path)) >= 1


def test_read_only_folder(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents):
            if folder != Path("/tmp") and folder.owner() == "root" and folder != Path("/"):
                folder.chmod(0o755)
    tmp_path.chmod(0o555)

    def job() -> None:
        if os.geteuid() == 0:
            os.setuid(65534)
        with pytest.raises(FrontierError, match=r"f\.sqlite: cannot be opened for writing: \w+"):
            SqliteFrontier(tmp_path / "f.sqlite")

    forked(job)
    tmp_path.chmod(0o755)


@pytest.mark.parametrize("content", [b"not a database, but a text of some length" * 100, b"x"])
def test_no_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "frontier.sqlite"
    path.write_bytes(content)
    with pytest.raises(
        FrontierError, match=r"frontier\.sqlite: no usable frontier: .*not a database"
    ):
        SqliteFrontier(path)
    assert path.read_bytes() == content


def test_another_database(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE people (name)")
    other.close()
    with pytest.raises(FrontierError, match="an SQLite database, but no taxocrawl frontier"):
        SqliteFrontier(path)
    with pytest.raises(FrontierError, match="no taxocrawl frontier"):
        open_reader(path)


def test_newer_version(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    SqliteFrontier(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(FrontierError, match=r"newer taxocrawl \(frontier version 99; .* up to 3\)"):
        SqliteFrontier(path)


def test_damaged(tmp_path: Path) -> None:
    path, log = tmp_path / "frontier.sqlite", tmp_path / "frontier.sqlite-wal"
    work_and_kill(path, 3, 0.2)
    copy = tmp_path / "copy.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    data = bytearray(path.read_bytes())
    for at in range(4096 * 3, len(data), 4096):
        data[at : at + 2000] = b"\xff" * 2000
    copy.write_bytes(data)
    shutil.copy(log, tmp_path / "copy.sqlite-wal") if log.exists() else None
    (tmp_path / "copy.sqlite-wal").write_bytes(b"\0" * 64)
    with pytest.raises(FrontierError, match=r"copy\.sqlite: (damaged|no usable frontier)"):
        SqliteFrontier(copy)


@pytest.mark.parametrize("missing", ["no/such/folder/f.sqlite"])
def test_no_folder(tmp_path: Path, missing: str) -> None:
    with pytest.raises(FrontierError, match=r"f\.sqlite: cannot be opened for writing: No such"):
        SqliteFrontier(tmp_path / missing)
    with pytest.raises(FrontierError, match=r"f\.sqlite: no readable frontier"):
        open_reader(tmp_path / missing)


def test_a_clock_that_jumps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Order and states rest on numbers that only rise, never on the time."""
    frontier = SqliteFrontier(tmp_path / "frontier.sqlite")
    for number, at in enumerate((2e9, 1e9, 0.0, 1.5e9)):
        for module in ("discovery", "sqlite", "ledger", "addresses"):
            monkeypatch.setattr(f"taxocrawl.frontier.{module}.time", lambda at=at: at)
        frontier.push([Candidate(f"http://a.example/{number}", 0.5)], number)
    frontier.select(All(), 4)
    popped = [frontier.pop() for _ in range(4)]
    assert [entry.url[-1] for entry in popped if entry] == ["0", "1", "2", "3"]
    for entry in popped:
        assert entry is not None
        frontier.settle(Outcome(entry.id, State.DONE, fetch={"entry": entry.id}))
    assert [record["entry"] for record in frontier.fetches()] == [1, 2, 3, 4]
    frontier.close()


def test_the_log_does_not_grow_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "frontier.sqlite"
    frontier = SqliteFrontier(path)
    for number in range(120):
        frontier.push(
            [Candidate(f"http://a.example/{number}/{n}/{'x' * 400}", 0.5) for n in range(200)], 0
        )
    assert (tmp_path / "frontier.sqlite-wal").stat().st_size < 10 * 1024 * 1024
    frontier.close()
    assert not (tmp_path / "frontier.sqlite-wal").exists()


def test_wrong_durability(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="synchronous='OFF': expected NORMAL or FULL"):
        SqliteFrontier(tmp_path / "f.sqlite", synchronous="OFF")
    SqliteFrontier(tmp_path / "f.sqlite", synchronous="FULL").close()
