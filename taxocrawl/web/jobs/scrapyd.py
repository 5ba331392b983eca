"""Crawls that scrapyd runs, by its HTTP interface: schedule.json, cancel.json, status.json."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from taxocrawl.exceptions import StorageError

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT = 10.0
_MOST = 1024 * 1024


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the password to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


class Scrapyd:
    """One scrapyd.

    Args:
        url: its address; a user's name and password in it are sent as basic authentication.
        project: under which the spiders are known to it.
    """

    def __init__(self, url: str, project: str) -> None:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        self._url = urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
        self._project = project
        self._headers = {"Accept": "application/json"}
        if parts.username is not None:
            pair = f"{parts.username}:{parts.password or ''}".encode()
            self._headers["Authorization"] = f"Basic {base64.b64encode(pair).decode('ascii')}"
        self._opener = build_opener(ProxyHandler({}), _NoRedirect)

    def schedule(
        self, spider: str, arguments: Mapping[str, str], settings: Mapping[str, str]
    ) -> str:
        """Queue a crawl and return its id. Raises StorageError when scrapyd does not take it."""
        fields = [("project", self._project), ("spider", spider), *arguments.items()]
        fields += [("setting", f"{name}={value}") for name, value in settings.items()]
        return str(self._ask("schedule.json", fields)["jobid"])

    def cancel(self, job: str) -> bool:
        """Ask a crawl to end; False when it had ended. Raises StorageError."""
        found = self._ask("cancel.json", [("project", self._project), ("job", job)])
        return found.get("prevstate") in ("running", "pending")

    def alive(self, job: str) -> bool:
        """Whether a crawl waits or runs. Raises StorageError when scrapyd does not say."""
        query = urlencode({"project": self._project, "job": job})
        return self._ask(f"status.json?{query}").get("currstate") in ("running", "pending")

    def _ask(self, path: str, fields: list[tuple[str, str]] | None = None) -> dict[str, Any]:
        data = None if fields is None else urlencode(fields).encode()
        request = Request(f"{self._url}/{path}", data, self._headers)
        where = f"scrapyd at {self._url}"
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                found = json.loads(answer.read(_MOST))
        except HTTPError as error:
            error.close()
            raise StorageError(f"{where}: answers with status {error.code}") from error
        except OSError as error:
            raise StorageError(f"{where}: does not answer: {error}") from error
        except ValueError as error:
            raise StorageError(f"{where}: expected JSON: {error}") from error
        if not isinstance(found, dict) or found.get("status") != "ok":
            message = found.get("message") if isinstance(found, dict) else found
            raise StorageError(f"{where}: {message}")
        return found
