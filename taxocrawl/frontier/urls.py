"""URLs: the canonical form that tells two of them apart, their host, and which may be fetched."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, urlsplit

from w3lib.url import canonicalize_url

from taxocrawl.text.doi import doi_from_url

MAX_URL_LENGTH = 2083
"""Characters; longer ones are cut by some servers and proxies, and are nearly always traps."""

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}

_TRACKING_PREFIXES = ("utm_", "mtm_", "matomo_", "piwik_", "hsa_", "_hs", "__cf_chl", "__hs")
_TRACKING = frozenset(
    [
        "gclid",
        "gclsrc",
        "dclid",
        "gbraid",
        "wbraid",
        "fbclid",
        "msclkid",
        "yclid",
        "ysclid",
        "twclid",
        "ttclid",
        "li_fat_id",
        "igsh",
        "igshid",
        "mc_cid",
        "mc_eid",
        "_ga",
        "_gl",
        "_openstat",
        "mkt_tok",
        "vero_id",
        "vero_conv",
        "wickedid",
        "oly_enc_id",
        "oly_anon_id",
        "pk_campaign",
        "pk_kwd",
        "pk_source",
        "pk_medium",
        "pk_content",
        "pk_cid",
        "srsltid",
        "_branch_match_id",
        "s_cid",
        "rb_clickid",
        "ml_subscriber",
        "ml_subscriber_hash",
        "hsctatracking",
        "cookieset",
    ]
)
_SESSIONS = frozenset(
    [
        "phpsessid",
        "jsessionid",
        "sessionid",
        "session_id",
        "sessid",
        "asp.net_sessionid",
        "cfid",
        "cftoken",
        "oscsid",
        "zenid",
        "xtcsid",
        "viewstate_session",
    ]
)
# Names that also stand for "species id" or "search": dropped only when the value looks random.
_AMBIGUOUS_SESSIONS = frozenset({"sid", "session", "s"})
_RANDOM_VALUE = re.compile(
    r"(?=.*\d)(?=.*[a-z])[a-z0-9,_-]{6,}|[0-9a-f]{8,}(?<!\d{8})|\d{16,}", re.IGNORECASE
)
_SESSION_IN_PATH = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid|cfid|cftoken)=[^/;?#]*|/\([AFSX]\([0-9a-z]{20,}\)\)",
    re.IGNORECASE,
)
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_WHITE_SPACE = "\x00\x0b\x0c \t\r\n"
_INDEX_PAGE = re.compile(
    r"/(?:index|default)\.(?:[xs]?html?|php\d?|aspx?|jspx?|cfm)$", re.IGNORECASE
)
# Most URLs of the web have nothing to normalise but the order of their arguments: no escapes, no
# dot segments, no index page. The short way for them is tested to agree with the long one.
_PLAIN = re.compile(
    r"(https?://[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*"
    r"(?::(?!80/|443/)[1-9][0-9]{0,3})?"
    r"/(?!(?:[^?]*/)?(?:\.|(?i:index|default)\.))[A-Za-z0-9_~./-]*)"
    r"(?:\?((?:[A-Za-z0-9_.-]+=[A-Za-z0-9_.-]*)(?:&[A-Za-z0-9_.-]+=[A-Za-z0-9_.-]*)*))?"
)


@lru_cache(maxsize=16384)
def canonicalize(url: str) -> str:
    """The form in which two URLs of the same page are equal: one frontier row per form.

    Scheme and host in lower case, the host in ASCII without final dot, no default port, no
    fragment, dot segments resolved, escapes normalised, query arguments sorted; tracking
    arguments, session ids and index pages left out. Never raises: a URL that cannot be parsed
    is returned without its fragment (`unfetchable` names what is wrong with it). http and https,
    with and without ``www``, stay apart: only a redirect or rel=canonical says they are one.
    """
    if plain := _PLAIN.fullmatch(url):
        head, query = plain.groups()
        return _join(head, _meaningful(query.split("&"), sort=True)) if query else url
    return _normalised(url)


def request_form(url: str) -> str:
    """The URL as it is asked for: as found, but without fragment, session id and tracking.

    Unlike the canonical form it keeps order and index pages, which a server may care about.
    """
    if (plain := _PLAIN.fullmatch(url)) and not plain[2]:
        return url
    head, _, query = _strip(url).partition("?")
    return _closed(_join(_SESSION_IN_PATH.sub("", head), _meaningful(query.split("&"))))


@lru_cache(maxsize=16384)
def host_of(url: str) -> str:
    """Host name in lower case without port, the unit of politeness; empty when there is none."""
    netloc = canonicalize(url).partition("://")[2].partition("/")[0].rpartition("@")[2]
    if netloc.startswith("["):
        return netloc.partition("]")[0][1:]
    return netloc.partition(":")[0]


def work_of(url: str) -> str:
    """What groups the addresses of one work: ``doi:<DOI>`` when the URL names one, else its
    canonical form."""
    doi = doi_from_url(url)
    return f"doi:{doi}" if doi else canonicalize(url)


def unfetchable(url: str) -> str:
    """Why a URL is never asked for; empty when it may be.

    The reasons: ``scheme <name>``, ``too long``, ``malformed``, ``no host``, ``credentials``.
    """
    if len(url) <= MAX_URL_LENGTH and _PLAIN.fullmatch(url):
        return ""
    try:
        parts = urlsplit(_strip(url))
        host, port = parts.hostname, parts.port
        canonicalize_url(_strip(url))
    except ValueError:
        return "malformed"
    if parts.scheme not in _DEFAULT_PORTS:
        return f"scheme {parts.scheme}" if parts.scheme else "malformed"
    if not host or not host.strip("."):
        return "no host"
    if len(url) > MAX_URL_LENGTH:
        return "too long"
    if parts.username is not None or parts.password is not None:
        return "credentials"
    return "malformed" if port == 0 or re.search(r"[\s\\]", host) else ""


def _normalised(url: str) -> str:
    """`canonicalize` for any URL."""
    url = _strip(url)
    if not url.lower().startswith(("http://", "https://")):
        return url
    head, mark, query = url.partition("?")
    try:
        url = _STRAY_PERCENT.sub("%25", _SESSION_IN_PATH.sub("", head) + mark + query)
        url = canonicalize_url(_closed(url))
    except ValueError:
        return url
    head, _, query = url.partition("?")
    scheme, _, rest = head.partition("://")
    netloc, slash, path = rest.partition("/")
    path = _INDEX_PAGE.sub("/", slash + path or "/")
    head = f"{scheme}://{_host_and_port(scheme, netloc)}{path}"
    return _join(head, _meaningful(query.split("&")))


def _strip(url: str) -> str:
    """Without fragment, white space at the ends, line breaks and backslashes, as browsers do."""
    url = re.sub(r"[\t\r\n]", "", url.partition("#")[0].strip(_WHITE_SPACE))
    head, mark, query = url.partition("?")
    return head.replace("\\", "/") + mark + query


def _closed(url: str) -> str:
    """A URL whose last characters cannot be taken for white space around it."""
    bare = url.rstrip(_WHITE_SPACE)
    return bare + quote(url[len(bare) :])


def _join(head: str, arguments: str) -> str:
    return f"{head}?{arguments}" if arguments else head


def _host_and_port(scheme: str, netloc: str) -> str:
    user, at, host = netloc.rpartition("@")
    host = host.removesuffix(_DEFAULT_PORTS.get(scheme, "\0"))
    name, colon, port = host.rpartition(":")
    if colon and port.isdigit():
        host = f"{name.rstrip('.')}:{port}"
    else:
        host = host.rstrip(".")
    return f"{user}{at}{host}"


def _meaningful(arguments: list[str], *, sort: bool = False) -> str:
    kept = [argument for argument in arguments if argument and not _is_noise(argument)]
    if sort and len(kept) > 1:
        kept.sort(key=lambda argument: argument.split("=", 1))
    return "&".join(kept)


def _is_noise(argument: str) -> bool:
    name, _, value = argument.partition("=")
    name = name.lower()
    if name in _AMBIGUOUS_SESSIONS:
        return _RANDOM_VALUE.fullmatch(value) is not None
    return (
        name in _TRACKING
        or name in _SESSIONS
        or name.startswith(_TRACKING_PREFIXES)
        or name.startswith("aspsessionid")
    )
