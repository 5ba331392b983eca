"""Pages that journal, repository, wiki and blog software serves beside its content.

Read from the URL alone. Open Journal Systems, on which most taxonomic journals run, comes first:
statistics by year without end, an export in each citation format, reading tools, forms, feeds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Arguments = Sequence[tuple[str, str]]

# Handlers of Open Journal Systems (pages/ of its source), below /index.php/JOURNAL.
_OJS_HANDLERS = frozenset(
    "about search login user oai rt cite citationstylelanguage announcement announcements gateway"
    " notification comment comments help information install manager management admin submission"
    " submissions author editor reviewer copyeditor proofreader layouteditor subscriptionmanager"
    " statistics stats usagestats reviewerselection authordashboard workflow sitemap payment"
    " payments subscriptions donations metadata export announcementfeed webfeed".split()
)
# So particular to the software that they are known at any address.
_OJS_ANYWHERE = re.compile(
    r"/(?:rt/(?:captureCite|printerFriendly|metadata|bio|context|emailColleague|emailAuthor|"
    r"suppFiles|addComment|findingReferences)|citationstylelanguage/|user/setLocale|"
    r"gateway/plugin/|article/cite/|announcement/view/|issue/feed|login/signIn|"
    r"user/(?:register|profile|viewPublicProfile)|about/(?:editorial|submissions|contact|"
    r"subscriptions|privacy|aboutThisPublishingSystem))(?:/|$|\b)",
    re.IGNORECASE,
)
_OJS_ARGUMENTS = frozenset({"setlocale", "statisticsyear", "verb"})
_EXPORTS = re.compile(
    r"(?:download|export|cite|citation|get)-?_?(?:citations?|refs?|references?|ris|bibtex|endnote)"
    r"|showcitformats|citmgr|citation-?manager|ris|bibtex|endnote|refworks|refman|mendeley",
    re.IGNORECASE,
)
_EPRINTS = re.compile(r"/cgi/(?:export|stats?|users?|search|latest_tool|exportview|request_doc)\b")
_PRINT_ARGUMENTS = {
    "printable": {"yes", "1", "true", ""},
    "print": {"1", "yes", "true", "y", ""},
    "format": {"print", "printable"},
    "view": {"print"},
    "action": {"print"},
    "mode": {"print"},
    "output": {"print"},
    "tmpl": {"component"},
    "printer_friendly": {"1", "yes", "true"},
}
_PRINT_SEGMENTS = re.compile(
    r"print(?:able|er|version|view|friendly)?(?:\.\w{2,5})?|printer-?_?friendly", re.IGNORECASE
)
_SEARCH_SEGMENTS = re.compile(
    r"(?:simple-|advanced-|do|site|quick)?search(?:-?results?|-filter|authors|titles|/?)?"
    r"(?:\.\w{2,5})?|find|discover|recherche|busca(?:r|dor)?|suche|results",
    re.IGNORECASE,
)
_SEARCH_ARGUMENTS = frozenset({"q", "query", "search", "keywords", "term", "s"})
_ORDER_ARGUMENT = re.compile(
    r"(?:.*[^a-z])?(?:sort(?:by|_by|order|field|dir)?|order(?:by|_by|direction)?|dir(?:ection)?"
    r"|rpp|per_?page|facets?|filters?|filtertype|filtername|filter_relational_operator|fq|etal"
    r"|refine)(?:\[.*|%5b.*|_\d+)?",
    re.IGNORECASE,
)
_SERVICE_SEGMENTS = re.compile(
    r"(?:wp-)?(?:log-?in|log-?out|sign-?in|sign-?up|register|registration)(?:\.\w{2,5})?"
    r"|wp-(?:admin|json|trackback\.php)|xmlrpc\.php|cart|checkout|basket|my-?account|feed|feeds"
    r"|rss|atom|trackback|share|cgi-bin/admin|password-login|forgot-?password|lost-?password",
    re.IGNORECASE,
)
_WIKI_ACTIONS = {"edit", "history", "raw", "info", "delete", "protect", "submit", "login", "print"}
_SERVICE_ARGUMENTS = frozenset(
    "replytocom oldid diff veaction undo redlink share add-to-cart ical outlook-ical"
    " subscribe unsubscribe".split()
)


def service_page(path: Sequence[str], arguments: Arguments) -> str:
    """Why a page is one of the software's own; empty when it is not known as one.

    Args:
        path: segments of the path.
        arguments: (name in lower case, value) of the query.

    Returns:
        ``journal system``, ``printable copy``, ``search results``, ``service page`` or nothing.
    """
    if _is_journal_system(path, arguments):
        return "journal system"
    if _is_print(path, arguments):
        return "printable copy"
    if _is_ordered_list(path, arguments):
        return "search results"
    return "service page" if _is_service(path, arguments) else ""


def _is_journal_system(path: Sequence[str], arguments: Arguments) -> bool:
    whole = "/" + "/".join(path)
    if _OJS_ANYWHERE.search(whole) or _EPRINTS.search(whole):
        return True
    if any(name in _OJS_ARGUMENTS for name, _ in arguments):
        return True
    if any(_EXPORTS.fullmatch(segment) for segment in path):
        return True
    below = [segment.lower() for segment in path]
    if "index.php" not in below:
        return False
    # /index.php/JOURNAL/HANDLER, or with the interface's language between the two.
    handlers = below[below.index("index.php") + 1 :][1:3]
    if handlers and re.fullmatch(r"[a-z]{2}(?:[-_][a-z]{2,4})?", handlers[0]):
        handlers = handlers[1:]
    return bool(handlers) and handlers[0] in _OJS_HANDLERS


def _is_print(path: Sequence[str], arguments: Arguments) -> bool:
    if path and _PRINT_SEGMENTS.fullmatch(path[-1]) and len(path) > 1:
        return True
    return any(value.lower() in _PRINT_ARGUMENTS.get(name, ()) for name, value in arguments)


def _is_ordered_list(path: Sequence[str], arguments: Arguments) -> bool:
    """A search's results, or a list, in one of its many orders and selections."""
    ordered = [name for name, _ in arguments if _ORDER_ARGUMENT.fullmatch(name)]
    searched = any(name in _SEARCH_ARGUMENTS for name, _ in arguments)
    searched = searched or any(map(_SEARCH_SEGMENTS.fullmatch, path))
    return len(ordered) > 1 or (searched and bool(ordered))


def _is_service(path: Sequence[str], arguments: Arguments) -> bool:
    if any(map(_SERVICE_SEGMENTS.fullmatch, path)):
        return True
    return any(
        name in _SERVICE_ARGUMENTS or (name == "action" and value.lower() in _WIKI_ACTIONS)
        for name, value in arguments
    )
