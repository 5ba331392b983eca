"""The name under which a crawl asks: product, version and contact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from taxocrawl import __version__
from taxocrawl.exceptions import SettingError
from taxocrawl.settings import USER_AGENT as DEFAULT

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_CONTACT = re.compile(r"https?://|[^\s@]+@[^\s@]+")
_EMAIL = re.compile(r"[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]+\Z")
_TOKEN = re.compile(r"[A-Za-z_-]+\Z")


def sign_user_agent(settings: BaseSettings) -> None:
    """Set USER_AGENT to one by which a site's owner finds us, and the rules for us.

    The default is written anew from CONTACT_URL and CONTACT_EMAIL. Another one is kept; our
    product and version are added when it lacks ROBOTSTXT_USER_AGENT, the name by which we read
    robots.txt, and a contact when it names none.

    Raises SettingError for a name that cannot be sent, and when there is no contact at all.
    """
    token = str(settings["ROBOTSTXT_USER_AGENT"] or "")
    if not _TOKEN.match(token):
        raise SettingError(
            f"ROBOTSTXT_USER_AGENT={token}: expected letters, '_' and '-' only (RFC 9309, 2.2.1)"
        )
    given = str(settings["USER_AGENT"] or "").strip()
    contact = _contact(settings)
    product = f"{token}/{__version__}"
    if given in ("", DEFAULT):
        # Its contact is of the time when the settings were read: before those of the run.
        signed = f"{product} ({contact})"
    elif token.lower() not in given.lower():
        signed = f"{given} {product} ({contact})"
    elif not _CONTACT.search(given):
        signed = f"{given} ({contact})"
    elif (email := settings["CONTACT_EMAIL"]) and email not in given:
        signed = f"{given} (mailto:{email})"
    else:
        signed = given
    if not (signed.isascii() and signed.isprintable()):
        raise SettingError(f"USER_AGENT={signed!r}: expected printable ASCII on one line")
    settings.set("USER_AGENT", signed, priority="cmdline")


def _contact(settings: BaseSettings) -> str:
    url, email = settings["CONTACT_URL"] or "", settings["CONTACT_EMAIL"] or ""
    parts = [f"+{url}"] if url else []
    if email:
        if not _EMAIL.match(email):
            shown = email if email.isprintable() else repr(email)
            raise SettingError(f"CONTACT_EMAIL={shown}: expected an address like you@example.org")
        parts.append(f"mailto:{email}")
    if not parts:
        raise SettingError("CONTACT_URL=: missing, and CONTACT_EMAIL too; expected one of them")
    return "; ".join(parts)
