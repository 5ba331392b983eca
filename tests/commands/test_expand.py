"""`scrapy expand` prints the queries of a crawl."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from taxocrawl.commands.expand import EXIT_USAGE, Command


def run(*arguments: str, **settings: str) -> int:
    command = Command()
    command.settings = Settings(settings)
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    options, rest = parser.parse_known_args(arguments)
    command.run(rest, options)
    return command.exitcode


def test_taxonomic_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("Pteropus vampyrus") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Pteropus vampyrus"
    assert "Pteropus vampyrus Pteropodidae" in lines


def test_generic_terms_of_a_setting(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "terms.txt"
    path.write_text("sp. nov.\n")
    assert run('["Bats", "Pteropus"]', "--style", "generic", GENERIC_TERMS_FILE=str(path)) == 0
    assert capsys.readouterr().out == 'Bats "sp. nov."\nPteropus "sp. nov."\n'


def test_a_note_goes_to_the_error_stream(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("Pteropus vampirus") == 0
    assert "did you mean 'Pteropus vampyrus'?" in capsys.readouterr().err


@pytest.mark.parametrize("argument", ["", "@missing.txt", "[1]"])
def test_wrong_input_costs_one_line(capsys: pytest.CaptureFixture[str], argument: str) -> None:
    assert run(argument) == EXIT_USAGE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("taxocrawl: ")
    assert printed.err.count("\n") == 1


def test_one_query_argument_is_expected() -> None:
    with pytest.raises(UsageError):
        run()
