"""A web of a few pages on loopback addresses (each a host) that remembers what was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    body: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    """Seconds before the answer."""


def page(*links: str | tuple[str, float], text: str = "", after: float = 0.0) -> Answer:
    """A page with links, each an address or an address and its score."""
    anchors = [
        f'<a href="{link}">' if isinstance(link, str) else f'<a href="{link[0]}" score="{link[1]}">'
        for link in links
    ]
    return Answer(f"<html><body>{text}{''.join(anchors)}</body></html>", after=after)


class Site:
    """Serves `pages` (path → Answer, or a function of the request's headers) on some hosts."""

    def __init__(self, *hosts: str) -> None:
        self.pages: dict[str, Answer | Callable[[Any], Answer]] = {}
        self.asked: list[tuple[float, str, str]] = []
        """Time, host and path of each request."""
        first = ThreadingHTTPServer((hosts[0], 0), self._handler())
        self.port = first.server_address[1]
        others = [ThreadingHTTPServer((host, self.port), self._handler()) for host in hosts[1:]]
        self._servers = [first, *others]
        for server in self._servers:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for _, _, path in self.asked]

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host = self.headers["Host"].partition(":")[0]
                site.asked.append((time.monotonic(), host, self.path))
                found = site.pages.get(self.path, Answer("nothing here", 404))
                answer = found(self.headers) if callable(found) else found
                time.sleep(answer.after)
                body = answer.body.encode()
                self.send_response(answer.status)
                for name, value in {"Content-Type": "text/html", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: Any) -> None:
                pass

        return Handler
