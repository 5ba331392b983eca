from __future__ import annotations

import argparse
import csv
from itertools import pairwise
from pathlib import Path

import pytest
from scrapy.settings import Settings

from taxocrawl.commands import _experiment_spider as experiment
from taxocrawl.exceptions import ArgumentError, InputFileError, TaxocrawlError
from taxocrawl.frontier.iterations import ITERATIONS_DONE
from taxocrawl.runs.folder import RunFolder

TRUTH = "url,label\n" + "".join(
    f"http://a.example/{name},{label}\n"
    for name, label in (("good", "taxonomic"), ("bad", "non-taxonomic"), ("odd", "borderline"))
)


def options(folder: Path, *more: str, queries: str = "bats\nfoxes\n") -> argparse.Namespace:
    (folder / "queries.txt").write_text(queries, encoding="utf-8")
    (folder / "truth.csv").write_text(TRUTH, encoding="utf-8")
    parser = argparse.ArgumentParser()
    experiment.add_arguments(parser)
    parser.add_argument("--set", "-s", action="append", default=[])
    return parser.parse_args(
        [
            *("--queries", str(folder / "queries.txt")),
            *("--truth", str(folder / "truth.csv")),
            *("--out", str(folder / "runs")),
            *more,
        ]
    )


def finished_run(folder: RunFolder, *names: str) -> None:
    folder.create()
    folder.write_info({"arguments": {}, "outcome": ITERATIONS_DONE})
    for name in names:
        url = f"http://a.example/{name}"
        fetch = {"url": url, "final_url": url, "status": 200, "kind": "html", "iteration": 0}
        folder.append_fetch(fetch | {"category": "taxonomic"})


def test_each_query_is_crawled_in_each_style_in_a_folder_of_its_own(tmp_path: Path) -> None:
    plans = list(experiment.planned_runs(["Bats!", "bats"], tmp_path))

    assert [(plan.query, plan.style, plan.folder.path.name) for plan in plans] == [
        ("Bats!", "generic", "01-bats-generic"),
        ("Bats!", "taxonomic", "01-bats-taxonomic"),
        ("bats", "generic", "02-bats-generic"),
        ("bats", "taxonomic", "02-bats-taxonomic"),
    ]


def test_a_crawl_gets_its_arguments_and_settings(tmp_path: Path) -> None:
    given = options(
        tmp_path,
        *("--search-url", "http://127.0.3.1:8765/works"),
        *("--iterations", "0"),
        *("--max-pages", "7"),
        *("-s", "DOWNLOAD_DELAY=0"),
    )
    plan = next(experiment.planned_runs(["@bats"], tmp_path / "runs"))

    command = plan.arguments(given)

    values = [b for a, b in pairwise(command) if a in ("-a", "-s")]
    assert values == [
        'query=["@bats"]',
        "expand=generic",
        "seeds=crossref",
        "max_pages=7",
        f"truth={tmp_path / 'truth.csv'}",
        "iterations=0",
        f"out={plan.folder.path}",
        "DOWNLOAD_DELAY=0",
        "CROSSREF_URL=http://127.0.3.1:8765/works",
    ]


def test_an_interrupted_run_is_continued_when_runs_are_reused(tmp_path: Path) -> None:
    plan = next(experiment.planned_runs(["bats"], tmp_path / "runs"))
    plan.folder.create()

    assert f"resume={plan.folder.path}" in plan.arguments(options(tmp_path, "--reuse"))
    assert f"out={plan.folder.path}" in plan.arguments(options(tmp_path))


def test_finished_runs_are_tabled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = (["good", "bad"], ["bad", "odd"], [], ["good"])
    plans = experiment.planned_runs(["bats", "foxes"], tmp_path / "runs")
    for plan, names in zip(plans, found, strict=True):
        finished_run(plan.folder, *names)

    code = experiment.run(options(tmp_path, "--reuse"), Settings())

    printed = capsys.readouterr().out
    assert code == 0
    assert "1/4 bats (generic): 2 pages" in printed
    assert "Table 3: Pre-filtering performance over all 4 runs" in printed
    markdown = (tmp_path / "runs/spider.md").read_text(encoding="utf-8")
    assert [f"Table {n}" in markdown for n in range(3, 11)] == [True] * 8
    assert "4 crawls over iterations 0-3, 5 documents downloaded. 1 borderline" in markdown
    with (tmp_path / "runs/spider.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {"table": "4", "row": "3", "column": "Precision (%)", "value": "50.00"} in rows


def test_a_run_that_had_no_seeds_counts_as_empty(tmp_path: Path) -> None:
    given = options(tmp_path, queries="bats\n")
    truth = experiment.read_truth(given.truth)
    plan = next(experiment.planned_runs(["bats"], tmp_path / "runs"))

    result = plan.result(truth, iterations=3)

    assert len(result.figures.iterations) == 4
    assert result.figures.total.downloaded == 0


@pytest.mark.parametrize("queries", ["", "# only a comment\n"])
def test_a_file_without_queries_is_refused(tmp_path: Path, queries: str) -> None:
    with pytest.raises(InputFileError):
        experiment.run(options(tmp_path, queries=queries), Settings())


def test_a_report_without_a_folder_is_refused_before_anything_is_crawled(tmp_path: Path) -> None:
    given = options(tmp_path, "--report", str(tmp_path / "nowhere/spider.md"))

    with pytest.raises(ArgumentError, match="--report"):
        experiment.run(given, Settings())

    assert not (tmp_path / "runs").exists()


def test_a_crawl_that_fails_ends_the_experiment_and_names_its_log(tmp_path: Path) -> None:
    given = options(tmp_path, "--seeds", "nonsense")
    plan = next(experiment.planned_runs(["bats"], tmp_path / "runs"))

    with pytest.raises(
        TaxocrawlError, match=r"'bats' \(generic\) ended with exit code 2"
    ) as caught:
        experiment.crawl(plan, given)

    assert str(plan.log) in str(caught.value)
    assert "nonsense" in plan.log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("outcome", "finished"),
    [(ITERATIONS_DONE, True), ("running", False), ("interrupted", False), ("disk full", False)],
)
def test_only_a_crawl_that_came_to_its_end_is_not_repeated(
    tmp_path: Path, outcome: str, finished: bool
) -> None:
    plan = next(experiment.planned_runs(["bats"], tmp_path))
    assert not plan.finished
    plan.folder.create()
    plan.folder.write_info({"arguments": {}, "outcome": outcome})

    assert plan.finished is finished
