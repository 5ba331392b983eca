from __future__ import annotations

import pytest
from scrapy.settings import Settings

from taxocrawl import settings as defaults
from taxocrawl.exceptions import SettingError
from taxocrawl.spiders.settingscheck import check_consent, check_settings


def settings(**given: object) -> Settings:
    made = Settings({name: getattr(defaults, name) for name in dir(defaults) if name.isupper()})
    made.update(given, priority="cmdline")
    return made


def test_the_defaults_are_right() -> None:
    check_settings(settings())
    check_consent(settings(), [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CRAWL_DELAY_MAX", "-1"),
        ("CRAWL_DELAY_MAX", "nan"),
        ("RETRY_AFTER_MAX", "soon"),
        ("HOST_BACKOFF_START", "-0.1"),
        ("HOST_FAILURES_MAX", "0"),
        ("HOST_SILENCES_MAX", "0"),
        ("ROBOTSTXT_MAX_AGE", "0"),
        ("ROBOTSTXT_TIMEOUT", None),
    ],
)
def test_out_of_range(name: str, value: str | None) -> None:
    with pytest.raises(SettingError, match=rf"\A{name}={value}: expected"):
        check_settings(settings(**{name: value}))


@pytest.mark.parametrize(
    ("consent", "allowed", "named"),
    [
        ("", [], "ROBOTSTXT_IGNORE_CONSENT"),
        ("", ["a.example"], "ROBOTSTXT_IGNORE_CONSENT"),
        ("a.example", [], "allowed_hosts="),
        ("a.example", ["a.example", "b.example"], "b.example"),
        ("a.example", ["evila.example"], "evila.example"),
        ("www.a.example", ["a.example"], "a.example"),
    ],
)
def test_robots_txt_is_not_ignored_without_consent(
    consent: str, allowed: list[str], named: str
) -> None:
    given = settings(ROBOTSTXT_OBEY=False, ROBOTSTXT_IGNORE_CONSENT=consent)
    with pytest.raises(SettingError, match=r"\AROBOTSTXT_OBEY=False: refused") as caught:
        check_consent(given, allowed)
    assert named in str(caught.value)


@pytest.mark.parametrize("allowed", [["a.example"], ["a.example", "www.a.example"], ["b.example"]])
def test_with_consent(allowed: list[str]) -> None:
    check_consent(
        settings(ROBOTSTXT_OBEY=False, ROBOTSTXT_IGNORE_CONSENT="A.example, b.example"), allowed
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [("CONCURENT_REQUESTS", "CONCURRENT_REQUESTS"), ("CRAWL_MAX_PAGE", "CRAWL_MAX_PAGES")],
)
def test_a_misspelt_name_is_refused_with_the_one_that_was_meant(name: str, meant: str) -> None:
    with pytest.raises(SettingError, match=f"{name}: no such setting; did you mean {meant}"):
        check_settings(settings(**{name: "3"}))


def test_a_name_like_no_other_is_left_to_whoever_reads_it() -> None:
    check_settings(settings(MY_ADD_ON_LEVEL="3"))
