"""A wrong argument, setting or file ends the run before the first request, with one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawl.running import FAST, crawl
from tests.sites.server import SmallWeb


@pytest.fixture(scope="module")
def web():
    with SmallWeb() as web:
        yield web


def _wrong(tmp_path: Path) -> list[tuple[list[str], tuple[str, ...], str]]:
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    binary = tmp_path / "binary.txt"
    binary.write_bytes(bytes(range(256)))
    unlabelled = tmp_path / "unlabelled.csv"
    unlabelled.write_text("url\nhttp://a.example/\n")
    return [
        ([], (), "query="),
        (["query="], (), "query"),
        (["query=   "], (), "query"),
        (["query=bats", "expand=wild"], (), "expand=wild"),
        (["query=bats", "seeds=altavista"], (), "altavista"),
        (["query=bats", f"seeds={empty}"], (), str(empty)),
        (["query=bats", f"seeds={binary}"], (), str(binary)),
        (["query=bats", f"seeds={tmp_path}"], (), str(tmp_path)),
        (["query=bats", "seeds=no/such/file.txt"], (), "no/such/file.txt"),
        (["query=bats", "iterations=two"], (), "iterations=two"),
        (["query=bats", "iterations=-1"], (), "iterations=-1"),
        (["query=bats", "max_pages=1e3"], (), "max_pages=1e3"),
        (["query=bats", "allowed_hosts=http://x.org"], (), "allowed_hosts=http://x.org"),
        (["query=bats", "seeds=ftp://a.example/1"], (), "'ftp://a.example/1'"),
        (["query=bats", "truth=no-such.csv"], (), "truth=no-such.csv"),
        (["query=bats", f"truth={unlabelled}"], (), "url and label, found url"),
        (["query=bats", "colour=red"], (), "colour="),
        (["query=bats", "selection=worst"], (), "worst"),
        (["query=bats", "resume=no-such-run"], (), "no-such-run"),
        (["query=bats"], ("ROBOTSTXT_OBEY=False",), "ROBOTSTXT_OBEY"),
        (["query=bats"], ("DOWNLOAD_DELAY=-1",), "DOWNLOAD_DELAY"),
        (["query=bats"], ("CONTACT_EMAIL=me",), "CONTACT_EMAIL=me"),
        (["query=bats"], ("LOG_LEVEL=loud",), "LOG_LEVEL=loud"),
        (["query=bats"], ("PDF_WORKERS=0",), "PDF_WORKERS"),
        (["query=bats"], ("SCORER_PARAMS={bad",), "SCORER_PARAMS={bad: expected a JSON object"),
        (["query=bats"], ("LINKSCORE_PARTS={bad",), "LINKSCORE_PARTS={bad"),
        (["query=bats"], ("LINKSCORE_PAGE_WEIGHT=2",), "LINKSCORE_PAGE_WEIGHT"),
        (["query=bats"], ("CLASSIFIER_HTML=taxonomic/none",), "taxonomic/none"),
        (["query=bats"], ("COSINE_GOLDSTANDARD_FILE=nowhere.txt",), "nowhere.txt"),
    ]


@pytest.mark.parametrize("number", range(29))
def test_one_line_and_exit_code_2(number: int, tmp_path: Path, web: SmallWeb) -> None:
    arguments, settings, named = _wrong(tmp_path)[number]
    asked_before = len(web.requests())

    done = crawl(
        tmp_path / "run",
        *arguments,
        settings=(*FAST, f"CROSSREF_URL={web.url('search', '/works')}", *settings),
    )

    assert done.code == 2, done.log
    assert done.log.startswith("taxocrawl: "), done.log
    assert done.log.count("\n") == 1, done.log
    assert named in done.log
    assert not done.folder.exists()
    assert len(web.requests()) == asked_before


def test_the_number_of_wrong_calls_is_complete(tmp_path: Path) -> None:
    assert len(_wrong(tmp_path)) == 29


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    done = crawl(taken / "run", "query=bats")
    assert done.code == 4, done.log
    assert str(taken) in done.log
    assert "Traceback" not in done.log


def test_log_file_that_cannot_be_written(tmp_path: Path) -> None:
    done = crawl(tmp_path / "run", "query=bats", settings=(f"LOG_FILE={tmp_path}/no/log.txt",))
    assert done.code == 4, done.log
    assert done.log.startswith(f"taxocrawl: LOG_FILE={tmp_path}/no/log.txt: cannot be written"), (
        done.log
    )
    assert done.log.count("\n") == 1


def test_a_spider_that_there_is_not(tmp_path: Path) -> None:
    done = crawl(tmp_path / "run", "query=bats", spider="taxonomi")
    assert done.code == 2, done.log
    assert "taxonomic, topic, got taxonomi" in done.log.splitlines()[-1]
    assert "Traceback" not in done.log


def test_folder_with_files_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    done = crawl(tmp_path, "query=bats")
    assert done.code == 2, done.log
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_no_provider_answers(tmp_path: Path) -> None:
    dead = ("CROSSREF_URL=http://127.0.0.1:9/works", "EUROPEPMC_URL=http://127.0.0.1:9/search")
    done = crawl(tmp_path / "run", "query=bats", settings=(*FAST, *dead, "SEED_MAX_RETRIES=0"))
    assert done.code == 3, done.log
    assert "no seed provider answered" in done.log
    assert "Traceback" not in done.log
    assert "no seed provider" in done.info["outcome"]


def test_one_provider_down_costs_only_itself(tmp_path: Path, web: SmallWeb) -> None:
    done = crawl(
        tmp_path / "run",
        "query=Pteropus vampyrus",
        "iterations=0",
        "max_pages=3",
        settings=(
            *FAST,
            f"CROSSREF_URL={web.url('search', '/works')}",
            "EUROPEPMC_URL=http://127.0.0.1:9/search",
            "SEED_MAX_RETRIES=0",
        ),
    )
    assert done.code == 0, done.log
    assert len(done.fetches) == 3
    assert "europepmc" in done.log


def test_repeated_queries_all_arrive(tmp_path: Path, web: SmallWeb) -> None:
    done = crawl(
        tmp_path / "run",
        "query=Pteropus vampyrus",
        "query=Đặng Vũ Tùng",
        'query=測試 = & "x"',
        "seeds=crossref",
        "iterations=0",
        "max_pages=1",
        settings=(*FAST, f"CROSSREF_URL={web.url('search', '/works')}"),
    )
    assert done.code == 0, done.log
    assert done.info["queries"] == ["Pteropus vampyrus", "Đặng Vũ Tùng", '測試 = & "x"']
