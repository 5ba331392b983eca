from __future__ import annotations

import pytest
from scrapy.settings import Settings

from taxocrawl import __version__
from taxocrawl import settings as defaults
from taxocrawl.exceptions import SettingError
from taxocrawl.spiders.useragent import sign_user_agent

DEFAULT = f"taxocrawl/{__version__}"
HOME = defaults.CONTACT_URL


def signed(**given: str | None) -> str:
    settings = Settings(
        {
            name: getattr(defaults, name)
            for name in ("USER_AGENT", "ROBOTSTXT_USER_AGENT", "CONTACT_URL", "CONTACT_EMAIL")
        }
    )
    settings.update(given, priority="cmdline")
    sign_user_agent(settings)
    sign_user_agent(settings)  # a second time changes nothing
    return str(settings["USER_AGENT"])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, f"{DEFAULT} (+{HOME})"),
        ({"CONTACT_EMAIL": "a@b.org"}, f"{DEFAULT} (+{HOME}; mailto:a@b.org)"),
        ({"CONTACT_URL": "https://lab.org/"}, f"{DEFAULT} (+https://lab.org/)"),
        ({"CONTACT_URL": "", "CONTACT_EMAIL": "a@b.org"}, f"{DEFAULT} (mailto:a@b.org)"),
        ({"USER_AGENT": None}, f"{DEFAULT} (+{HOME})"),
        ({"USER_AGENT": "  "}, f"{DEFAULT} (+{HOME})"),
        ({"USER_AGENT": "Mozilla/5.0"}, f"Mozilla/5.0 {DEFAULT} (+{HOME})"),
        ({"USER_AGENT": "TaxoCrawl/9"}, f"TaxoCrawl/9 (+{HOME})"),
        ({"USER_AGENT": "taxocrawl/9 (me@lab.org)"}, "taxocrawl/9 (me@lab.org)"),
        (
            {"USER_AGENT": "taxocrawl/9 (+https://lab.org)", "CONTACT_EMAIL": "a@b.org"},
            "taxocrawl/9 (+https://lab.org) (mailto:a@b.org)",
        ),
        (
            {"USER_AGENT": "batbot/1 (+https://lab.org)", "ROBOTSTXT_USER_AGENT": "batbot"},
            "batbot/1 (+https://lab.org)",
        ),
        (
            {"USER_AGENT": "batbot/1 (+https://lab.org)"},
            f"batbot/1 (+https://lab.org) {DEFAULT} (+{HOME})",
        ),
    ],
)
def test_user_agent(given: dict[str, str | None], expected: str) -> None:
    assert signed(**given) == expected


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"USER_AGENT": "taxocrawl\r\nX-Evil: 1 a@b.org"}, "USER_AGENT"),
        ({"USER_AGENT": "taxocräwl taxocrawl a@b.org"}, "USER_AGENT"),
        ({"CONTACT_EMAIL": "a@b.org\nX: y"}, "CONTACT_EMAIL"),
        ({"CONTACT_EMAIL": "me"}, "CONTACT_EMAIL"),
        ({"CONTACT_EMAIL": "me@here"}, "CONTACT_EMAIL"),
        ({"CONTACT_EMAIL": "Me <me@b.org>"}, "CONTACT_EMAIL"),
        ({"CONTACT_URL": "", "CONTACT_EMAIL": ""}, "CONTACT_URL"),
        ({"ROBOTSTXT_USER_AGENT": ""}, "ROBOTSTXT_USER_AGENT"),
        ({"ROBOTSTXT_USER_AGENT": "*"}, "ROBOTSTXT_USER_AGENT"),
        ({"ROBOTSTXT_USER_AGENT": "taxocrawl/1"}, "ROBOTSTXT_USER_AGENT"),
    ],
)
def test_what_cannot_be_sent(given: dict[str, str], named: str) -> None:
    with pytest.raises(SettingError, match=rf"\A{named}=") as caught:
        signed(**given)
    assert "\n" not in str(caught.value)
