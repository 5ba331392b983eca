"""Pages that are not what was asked for: bot checks, login walls, cut downloads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from taxocrawl.items import Document, Kind

if TYPE_CHECKING:
    from collections.abc import Collection

_CHALLENGE_WORDS = 250
"""A bot check has less text than this; an article about bot checks has more."""
_LOGIN_WORDS = 300
_LOOKED_AT_BYTES = 256 * 1024

_CHALLENGE_TITLE = re.compile(
    r"^\W*(?:just a moment|(?:please )?wait\b|one moment|please stand by|attention required"
    r"|checking (?:your|if the) |ddos.guard|validat(?:e|ing)\b|radware|captcha"
    r"|(?:security|robot|bot|browser|human|captcha) ?(?:check|challenge|verification)"
    r"|(?:verify|verifying|confirm)\b.*\b(?:human|robot|browser|you)|are you (?:a )?(?:human|robot)"
    r"|making sure you.re not a bot|pardon our interruption|access (?:denied|to this page|blocked)"
    r"|before you continue|cookies? (?:consent|required|absent)|you have been blocked"
    r"|(?:we|this site) (?:use|value|need)s?\b.*\b(?:cookie|privacy)|request unsuccessful)",
    re.IGNORECASE,
)
_CHALLENGE_TEXT = re.compile(
    r"checking (?:your|if the site connection|the security)|you are (?:a )?human"
    r"|(?:verify|prove|confirm)(?:ing)? (?:that )?you.{0,12}(?:human|not a (?:robot|bot))"
    r"|unusual (?:traffic|activity)|not a (?:robot|bot)\b|complete the (?:captcha|security check)"
    r"|incapsula incident|ray id|(?:accept|agree to|consent to)\b.{0,40}\bcookies? to continue"
    r"|your browser (?:will|before)|ddos protection",
    re.IGNORECASE,
)
_CHALLENGE_MARKUP = re.compile(
    rb"_cf_chl_opt|__cf_chl_|cf-browser-verification|challenge-form|challenge-running|px-captcha"
    rb"|_incapsula_resource|geo\.captcha-delivery|anubis_challenge|sucuri_cloudproxy|bm-verify"
    rb"|validate\.perfdrive",
    re.IGNORECASE,
)
# These stand on ordinary pages too: comment forms, and sites under protection.
_CAPTCHA_MARKUP = re.compile(
    rb"cf-turnstile|g-recaptcha|h-captcha|altcha-widget|friendly-challenge|datadome|awswaf"
    rb"|aws-waf-token|ddos-guard",
    re.IGNORECASE,
)
_NEEDS_BROWSER = re.compile(
    rb"(?:enable|switch on|turn on|activate|allow|requires?)[^<]{0,40}"
    rb"(?:java ?script|scripts|cookies)",
    re.IGNORECASE,
)
_REFRESH = re.compile(rb"<meta[^>]{0,80}http-equiv=[\"']?refresh", re.IGNORECASE)
_FORM = re.compile(rb"<form\b", re.IGNORECASE)
_PASSWORD = re.compile(rb"<input\b[^>]{0,400}\btype\s*=\s*[\"']?password", re.IGNORECASE)
_LOGIN_PATH = re.compile(
    r"(?:^|[/_.?&=-])(?:log-?in|sign-?in|logon|auth|authenticate|oauth2?|sso|cas|saml2?|shibboleth|wayf|idp"
    r"|openathens|account|denied|paywall|access-?denied|user_session)(?:$|[/_.?&=;-])",
    re.IGNORECASE,
)
_LOGIN_TITLE = re.compile(
    r"\b(?:log ?[io]n|sign[ -]?in|authentication|single sign|(?:institutional|member) access"
    r"|access (?:required|through)|anmeld(?:en|ung)|einloggen|connexion|identifi(?:ez|cation)"
    r"|iniciar sesi[oó]n|acceso|entrar|accedi|inloggen|zaloguj|вход|войти)\b"
    r"|登录|登入|ログイン|로그인",
    re.IGNORECASE,
)
_PDF_OBJECT = re.compile(rb"\d\s+\d+\s+obj\b")
_OPEN_TAG = re.compile(rb"<(?:[a-z!/][^<>]*)?\Z", re.IGNORECASE)
INDEX_PAGE = "index page"
"""Flag and reason of a page that lists documents and is none itself."""
_TITLE_BLANKS = 2
_INDEX_TITLES = 5
_INDEX_SHARE = 0.5
_END_OF_PAGE = re.compile(rb"</(?:html|body)\s*>", re.IGNORECASE)
_CUT_FLAGS = frozenset({"truncated", "dataloss"})


def is_challenge(document: Document, body: bytes) -> bool:
    """Whether an HTML page is a bot check or consent page in place of what was asked for.

    Several independent signs are needed (title, wording, known markup, need of a browser, a form
    or refresh, noindex), on a page with little text and without an article's metadata. The
    reason for such a page is ``challenge page``; nothing on it is followed.
    """
    if document.kind is not Kind.HTML or document.doi or document.authors or document.pdf_url:
        return False
    if len(document.text.split(maxsplit=_CHALLENGE_WORDS)) > _CHALLENGE_WORDS:
        return False
    head = body[:_LOOKED_AT_BYTES]
    signs = 2 * bool(_CHALLENGE_TITLE.search(document.title))
    signs += 2 * bool(_CHALLENGE_TEXT.search(document.text))
    signs += 2 * bool(_CHALLENGE_MARKUP.search(head))
    if signs == 0:
        return False
    signs += bool(_CAPTCHA_MARKUP.search(head))
    signs += bool(_NEEDS_BROWSER.search(head))
    signs += bool(_REFRESH.search(head)) or bool(_FORM.search(head))
    signs += document.noindex
    return signs >= 3


def is_login_wall(document: Document, body: bytes, final_url: str) -> bool:
    """Whether an HTML page asks for a login in place of what was asked for.

    Two of: an address of a login (after redirects), a title that says so, a password field; on a
    page with little text and without an article's metadata. The reason is ``login wall``.
    """
    if document.kind is not Kind.HTML or document.doi or document.authors or document.pdf_url:
        return False
    if len(document.text.split(maxsplit=_LOGIN_WORDS)) > _LOGIN_WORDS:
        return False
    path = urlsplit(final_url).path
    signs = [
        _LOGIN_PATH.search(path) is not None,
        _LOGIN_TITLE.search(document.title) is not None,
        _PASSWORD.search(body[:_LOOKED_AT_BYTES]) is not None,
    ]
    return sum(signs) >= 2


def is_index(document: Document) -> bool:
    """Whether an HTML page lists other documents and is none itself: a table of contents.

    Most of its words are the titles it links to, and it has no article's metadata. On 256 real
    pages of publishers no article comes above 0.03 of its words, tables of contents near 1.
    """
    if document.kind is not Kind.HTML or document.doi or document.authors or document.pdf_url:
        return False
    titles = {link.anchor for link in document.outlinks if link.anchor.count(" ") >= _TITLE_BLANKS}
    listed = [title for title in titles if title in document.text]
    if len(listed) < _INDEX_TITLES:
        return False
    words = sum(len(title.split()) for title in listed)
    return words >= _INDEX_SHARE * len(document.text.split())


def looks_truncated(
    body: bytes, kind: Kind, content_length: int | None = None, flags: Collection[str] = ()
) -> bool:
    """Whether a download was cut short.

    `content_length` is that of the header when no content coding was undone, else None; `flags`
    are those of the download and of `sniff` (``dataloss``, ``truncated`` tell). A PDF is cut when
    no `%%EOF` ends it, a page of HTML when it ends within a tag. A ``partial`` download, whose end
    only the closing of the connection marks, as old servers do it, is whole when its end shows.
    """
    if not _CUT_FLAGS.isdisjoint(flags) or (
        content_length is not None and len(body) < content_length
    ):
        return True
    if "partial" in flags and not (kind is Kind.PDF or _END_OF_PAGE.search(body[-2048:])):
        return True
    if kind is Kind.PDF:
        end = body.rfind(b"%%EOF")
        # A linearised file has an end mark near its start as well.
        return end < 0 or _PDF_OBJECT.search(body, end) is not None
    if kind is Kind.HTML:
        return _OPEN_TAG.search(body, max(0, body.rfind(b"<"))) is not None
    return False
