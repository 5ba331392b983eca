from __future__ import annotations

import errno
import gzip
import http.client
import socket
import subprocess
import sys
import time
from urllib.parse import urljoin

import pytest

from tests.sites.conftest import get
from tests.sites.content import hosts
from tests.sites.server import ROOT, SmallWeb, SmallWebError, _why


@pytest.mark.parametrize("host", ["annals", "island", "museum", "batworld"])
def test_every_host_has_a_home_page(web: SmallWeb, host: str) -> None:
    reply = get(web.url(host))
    assert reply.status == 200
    assert hosts()[host].name in reply.text
    assert reply.headers["content-length"] == str(len(reply.body))


def test_a_host_is_named_by_key_or_address(web: SmallWeb) -> None:
    assert web.url("annals", "/toc/12") == web.url("127.0.0.2", "/toc/12")


def test_connections_are_kept_alive_unless_the_client_closes(web: SmallWeb) -> None:
    connection = http.client.HTTPConnection("127.0.0.2", web.port, timeout=10)
    for path in ("/", "/toc/12"):
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        assert response.getheader("connection") == "keep-alive"
    connection.close()
    assert get(web.url("annals"), Connection="close").headers["connection"] == "close"


def test_head_has_the_headers_and_no_body(web: SmallWeb) -> None:
    whole = get(web.url("annals", "/article/101"))
    head = get(web.url("annals", "/article/101"), method="HEAD")
    assert head.body == b""
    assert head.headers["content-length"] == whole.headers["content-length"]


def test_text_is_compressed_for_those_who_ask(web: SmallWeb) -> None:
    plain = get(web.url("annals", "/article/101"))
    packed = get(web.url("annals", "/article/101"), Accept_Encoding="gzip, deflate")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    pdf = get(web.url("island", "/article/download/202/pdf"), Accept_Encoding="gzip")
    assert "content-encoding" not in pdf.headers


@pytest.mark.parametrize(
    ("host", "path", "status"),
    [
        ("annals", "/article/999", 404),
        ("annals", "/privacy", 500),
        ("museum", "/item/321", 410),
        ("island", "/withdrawn/213", 410),
        ("search", "/doi/10.5555/nowhere.1", 404),
        ("search", "/works?rows=many", 400),
        ("museum", "/events?year=MMXX", 400),
    ],
)
def test_dead_links_say_so(web: SmallWeb, host: str, path: str, status: int) -> None:
    assert get(web.url(host, path)).status == status


def test_one_link_is_answered_by_hanging_up(web: SmallWeb) -> None:
    with pytest.raises(http.client.RemoteDisconnected):
        get(web.url("museum", "/item/322"))


def test_only_get_and_head_are_answered(web: SmallWeb) -> None:
    assert get(web.url("island", "/login"), method="POST").status == 405


@pytest.mark.parametrize(
    ("host", "status", "line"),
    [
        ("search", 404, b""),
        ("annals", 200, b"Disallow: /restricted/"),
        ("island", 200, b""),
        ("museum", 404, b""),
        ("batworld", 200, b"\xef\xbb\xbfUser-agent: *"),
    ],
)
def test_robots_txt(web: SmallWeb, host: str, status: int, line: bytes) -> None:
    reply = get(web.url(host, "/robots.txt"))
    assert reply.status == status
    assert line in reply.body
    assert (host == "island") == (reply.body == b"")


@pytest.mark.parametrize(
    ("start", "status", "end"),
    [
        (("annals", "/article/view/101"), 301, ("annals", "/article/101")),
        (("search", "/doi/10.5555/JIM.8.202"), 302, ("island", "/article/view/202")),
        (("museum", "/handle/303"), 301, ("museum", "/item/303")),
        (("island", "/loop/a"), 302, ("island", "/loop/b")),
        (("island", "/loop/b"), 302, ("island", "/loop/a")),
    ],
)
def test_redirects(
    web: SmallWeb, start: tuple[str, str], status: int, end: tuple[str, str]
) -> None:
    reply = get(web.url(*start))
    assert reply.status == status
    assert urljoin(web.url(*start), reply.headers["location"]) == web.url(*end)


def test_meta_refresh(web: SmallWeb) -> None:
    target = web.url("annals", "/article/101")
    refresh = f'<meta http-equiv="refresh" content="0; url={target}">'
    assert refresh in get(web.url("batworld", "/go/101")).text


def test_the_cookie_that_brings_the_article(web: SmallWeb) -> None:
    url = web.url("island", "/fulltext/206")
    first = get(url)
    assert (first.status, first.headers["location"]) == (302, "/fulltext/206")
    second = get(url, Cookie=first.headers["set-cookie"].partition(";")[0])
    assert second.status == 200
    assert "Styloctenium" in second.text


def test_the_cookie_that_never_does(web: SmallWeb) -> None:
    assert get(web.url("island", "/fulltext/212"), Cookie="seen=0").status == 302


def test_the_login_wall_takes_all_paths_below_it(web: SmallWeb) -> None:
    reply = get(web.url("island", "/premium/any"))
    assert (reply.status, reply.headers["location"]) == (302, "/login?next=/premium/any")
    assert 'type="password"' in get(web.url("island", "/login?next=/premium/any")).text


def test_soft_404_echoes_the_path_and_invents_links(web: SmallWeb) -> None:
    one, other = (get(web.url("batworld", path)) for path in ("/old/atlas", "/zzq8"))
    assert one.status == other.status == 200
    assert one.text.replace("/old/atlas", "/zzq8") == other.text
    assert 'href="help/search.html"' in one.text
    assert get(web.url("museum", "/zzq8")).status == 404


def test_the_calendar_has_no_end(web: SmallWeb) -> None:
    page = get(web.url("museum", "/events?year=2020&month=12")).text
    assert "/events?year=2021&amp;month=1" in page
    assert "/events?year=2020&amp;month=11" in page
    assert "/events?year=2019&amp;month=12" in get(web.url("museum", "/events?year=2020")).text


@pytest.mark.parametrize(
    ("host", "path", "kind", "start"),
    [
        ("island", "/article/download/201", "application/pdf", b"%PDF-"),
        ("island", "/article/download/202/pdf", "text/html; charset=utf-8", b"%PDF-"),
        ("island", "/content/pdf/203.pdf", "application/pdf", b"<!DOCTYPE html>"),
        ("island", "/content/pdf/204.pdf", "application/pdf", b"<!DOCTYPE html>"),
        ("island", "/files/203.pdf", "application/octet-stream", b"%PDF-"),
        ("island", "/article/download/210", None, b"%PDF-"),
        ("museum", "/papers/302.pdf.gz", "application/x-gzip", b"\x1f\x8b"),
        ("museum", "/files/facade.png", "image/png", b"\x89PNG"),
        ("museum", "/files/specimens.zip", "application/zip", b"PK"),
    ],
)
def test_labels_that_lie(
    web: SmallWeb, host: str, path: str, kind: str | None, start: bytes
) -> None:
    reply = get(web.url(host, path))
    assert reply.headers.get("content-type") == kind
    assert reply.body.startswith(start)


def test_windows_1252_is_declared_in_the_page_only(web: SmallWeb) -> None:
    reply = get(web.url("museum", "/item/303"))
    assert reply.headers["content-type"] == "text/html"
    assert b'content="text/html; charset=windows-1252"' in reply.body
    assert "Étymologie" in reply.body.decode("windows-1252")
    with pytest.raises(UnicodeDecodeError):
        reply.body.decode("utf-8")


def test_two_addresses_give_the_same_bytes(web: SmallWeb) -> None:
    addresses = ("/item/306", "/view.php?id=306")
    one, other = (get(web.url("museum", path)).body for path in addresses)
    assert one == other


@pytest.mark.parametrize("path", ["/item/307;jsessionid=0A1B", "/item/307?utm_source=feed"])
def test_session_ids_and_tracking_change_nothing(web: SmallWeb, path: str) -> None:
    assert get(web.url("museum", path)).body == get(web.url("museum", "/item/307")).body


def test_the_log_has_one_line_a_request(web: SmallWeb) -> None:
    before = len(web.requests())
    start = time.time()
    get(web.url("museum", "/events?year=1999"), User_Agent="bat\tcrawler")
    (line,) = web.requests()[before:]
    assert (line.host, line.path, line.status) == ("127.0.0.4", "/events?year=1999", 200)
    assert line.agent == "bat crawler"
    assert line.time == pytest.approx(start, abs=60)


def test_it_stops_with_the_block_and_frees_the_port() -> None:
    with SmallWeb() as first:
        pass
    with pytest.raises(ConnectionRefusedError):
        get(first.url("annals"))
    with SmallWeb(first.port) as second:
        assert get(second.url("annals")).status == 200


def test_it_stops_when_the_process_that_started_it_dies() -> None:
    script = (
        "import os; from tests.sites.server import SmallWeb\n"
        "web = SmallWeb().__enter__(); print(web.port, flush=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    port, deadline = int(done.stdout), time.monotonic() + 20
    while _listens(port) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _listens(port)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.2", port)) == 0


def test_a_port_in_use_is_named(web: SmallWeb) -> None:
    with (
        pytest.raises(SmallWebError, match=f"cannot listen on 127.0.0.1:{web.port}"),
        SmallWeb(web.port),
    ):
        pass


def test_missing_loopback_addresses_come_with_the_remedy() -> None:
    message = _why(OSError(errno.EADDRNOTAVAIL, "Can't assign requested address"), "127.0.0.2", 80)
    assert message.startswith("cannot listen on 127.0.0.2:80: Can't assign")
    assert "sudo ifconfig lo0 alias 127.0.0.2 up" in message


def test_a_command_is_run_for_its_time_and_its_exit_code_passed_on() -> None:
    script = (
        "import socket, sys; socket.create_connection(('127.0.0.5', int(sys.argv[1]))); exit(7)"
    )
    command = [sys.executable, "-m", "tests.sites.server", "--", sys.executable, "-c", script]
    assert subprocess.run([*command, "{port}"], cwd=ROOT).returncode == 7


def test_serving_needs_the_standard_library_only() -> None:
    script = "import tests.sites.server, tests.sites.expected"
    assert subprocess.run([sys.executable, "-S", "-c", script], cwd=ROOT).returncode == 0
