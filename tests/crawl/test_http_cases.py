"""What servers do in the wild, and what becomes of it: whole crawls against an odd server."""

from __future__ import annotations

import gzip
from pathlib import Path

from tests.crawl.oddserver import HTML, Asked, OddServer, answer
from tests.crawl.running import crawl_seeds
from tests.documents import pdfs

PLAIN = pdfs.bat()
TEXT = "Pteropus vampyrus is redescribed from Borneo. The holotype is an adult female."
CHALLENGE = """<!DOCTYPE html><html><head><title>Just a moment</title>
<meta name="robots" content="noindex"><meta http-equiv="refresh" content="3;url=/content/77?t=1">
</head><body><h1>Checking your browser</h1><noscript>Please enable JavaScript.</noscript>
<form method="post" action="/verify"><input type="hidden" name="k"></form></body></html>"""
LANDING = """<!DOCTYPE html><html lang="en"><head><title>Bats of an invented island</title>
<meta name="citation_title" content="Bats of an invented island">
<meta name="citation_author" content="Adler, B."><meta name="citation_pdf_url" content="/f/78.pdf">
</head><body><h1>Bats of an invented island</h1><p>Full text as a file.</p></body></html>"""
TREATMENT = """<!DOCTYPE html><html lang="en"><head><title>A new species of Pteropus from an island
</title></head><body><article><h1>A new species of <i>Pteropus</i> from an invented island</h1>
<p><i>Pteropus fictus</i> sp. nov. Holotype: adult male, skin and skull, from the north slope
at 900 m. Paratypes: two adult females from the same locality. Etymology: the name is an adjective.
</p><p>Diagnosis: a medium-sized species of <i>Pteropus</i> with forearm length 120 to 125 mm,
distinguished from <i>Pteropus vampyrus</i> by its smaller size, pale mantle and narrow rostrum; the
sagittal crest is low. Description: dorsal pelage dark brown, mantle ochraceous, ears long and
pointed. Measurements of the holotype in mm: forearm 122, tibia 58, ear 27, condylobasal length 56.
</p><p>Material examined: five specimens deposited in the museum. Distribution: known only from the
type locality. Remarks: the new species belongs to the vampyrus species group.</p>{links}</article>
</body></html>"""

BEETLE = """<!DOCTYPE html><html lang="en"><head><title>Two new beetles</title></head><body>
<article><h1>Two new species of <i>Carabus</i> from mountain valleys</h1><p><i>Carabus primus</i>
sp. nov. and <i>Carabus secundus</i> sp. nov. are described. Type material: holotype male of each,
pinned, with genitalia in glycerine. Diagnosis: elytra with costae interrupted by deep foveae;
pronotum wider than long; aedeagus with apex bent to the right. Key to the species of the group is
given. Etymology: first and second. Variation: colour from bronze to black. Habitat: alder thickets
along brooks.</p></article></body></html>"""
FERN = """<!DOCTYPE html><html lang="en"><head><title>A fern moved</title></head><body><article>
<h1>A new combination in <i>Asplenium</i></h1><p><i>Asplenium novum</i> (Demo) comb. nov. Basionym:
<i>Scolopendrium novum</i> Demo, 1890. Lectotype, designated here: sheet in the herbarium. The
rhizome scales are clathrate, fronds simple, sori paired along the veins; spores with a folded
perine. The name was placed in synonymy by later authors; nomenclature and typification are revised
here and two further names are treated as new synonyms (syn. nov.).</p></article></body></html>"""


def test_pdf_is_known_by_its_bytes_under_any_label(tmp_path: Path) -> None:
    answers = {
        "/download?id=9": answer(PLAIN, "text/html; charset=utf-8"),
        "/d/9": answer(
            PLAIN,
            "application/octet-stream",
            headers=('Content-Disposition: attachment; filename="a b.pdf"',),
        ),
        "/9.pdf": answer(PLAIN, "text/plain"),
        "/no-label": answer(PLAIN, None),
        "/two-labels": answer(PLAIN, ["text/html", "application/pdf"]),
        "/packed.gz": answer(gzip.compress(PLAIN), "application/gzip"),
        "/junk": answer(b"\r\n\x00junk\r\n" + PLAIN, "application/pdf"),
    }
    with OddServer(lambda asked: answers.get(asked.path)) as server:
        run = crawl_seeds(tmp_path / "run", [server.url(path) for path in answers])

    assert run.code == 0, run.log
    assert [fetch["kind"] for fetch in run.fetches] == ["pdf"] * len(answers)
    assert len(run.documents) == 1
    document = run.documents[0]
    text = (run.folder / f"documents/{document['content_hash']}.text.txt").read_text()
    assert " ".join(text.split()) == TEXT
    reasons = [fetch["reason"] for fetch in run.fetches]
    assert sorted(reasons) == [""] + ["duplicate"] * (len(answers) - 1)
    assert "Traceback" not in run.log


def test_html_where_a_pdf_was_promised(tmp_path: Path) -> None:
    answers = {
        "/content/pdf/77.pdf": answer(CHALLENGE, "application/pdf"),
        "/content/pdf/78.pdf": answer(LANDING, "application/pdf"),
        "/f/78.pdf": answer(PLAIN, "application/pdf"),
    }
    with OddServer(lambda asked: answers.get(asked.path)) as server:
        seeds = [server.url("/content/pdf/77.pdf"), server.url("/content/pdf/78.pdf")]
        run = crawl_seeds(tmp_path / "run", seeds, "iterations=1")
        paths = server.paths()

    assert run.code == 0, run.log
    assert sorted(p for p in paths if "zzq" not in p) == sorted(answers)
    assert run.reasons["content/pdf/77.pdf"] == "challenge page"
    kinds = {fetch["url"].rsplit("/", 1)[1]: fetch["kind"] for fetch in run.fetches[:2]}
    assert kinds == {"77.pdf": "html", "78.pdf": "html"}
    assert server.url("/f/78.pdf") in [document["url"] for document in run.documents]
    exported = next(d for d in run.documents if d["url"] == server.url("/f/78.pdf"))
    assert exported["referrer"] == server.url("/content/pdf/78.pdf")


def test_half_a_download_is_never_exported_as_a_whole(tmp_path: Path) -> None:
    page = TREATMENT.format(links="").encode()
    chunk = b"%x\r\n" % 300 + page[:300] + b"\r\n"
    answers = {
        "/short": answer(page[:300], HTML, length=5000),
        "/chunked": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n" + chunk,
        "/closed.pdf": answer(PLAIN[:300], "application/pdf", length=None),
        "/gzip": answer(
            gzip.compress(page)[: len(gzip.compress(page)) // 2],
            HTML,
            headers=("Content-Encoding: gzip",),
        ),
        "/no-end.pdf": answer(PLAIN.replace(b"%%EOF", b""), "application/pdf"),
        "/whole": answer(page, HTML, length=None),
    }
    with OddServer(lambda asked: answers.get(asked.path)) as server:
        run = crawl_seeds(tmp_path / "run", [server.url(path) for path in answers])
        asked = server.paths()

    assert run.code == 0, run.log
    cut = {"short", "chunked", "closed.pdf", "gzip", "no-end.pdf"}
    assert {path for path, reason in run.reasons.items() if reason == "truncated"} == cut
    assert [document["url"] for document in run.documents] == [server.url("/whole")]
    assert asked.count("/short") == asked.count("/chunked") == 2  # once and RETRY_TIMES=1 again


def test_whole_file_replaces_the_cut_one_when_fetched_again(tmp_path: Path) -> None:
    page = TREATMENT.format(links="")
    whole = False

    def behave(asked: Asked) -> bytes | None:
        if asked.path != "/art":
            return None
        return answer(page if whole else page[:200], HTML, length=len(page))

    with OddServer(behave) as server:
        first = crawl_seeds(tmp_path / "first", [server.url("/art")])
        whole = True
        second = crawl_seeds(tmp_path / "second", [server.url("/art")])

    assert first.reasons["art"] == "truncated"
    assert not first.documents
    assert len(second.documents) == 1


def _sorry(path: str) -> str:
    words = "The page has moved or never was. Try the search or the list of all volumes instead."
    return (
        f"<html><head><title>Sorry</title></head><body><div>Journal of Nothing</div>"
        f"<p>Sorry: {path} was not found. {words}</p><a href='help/x.html'>Help</a>"
        "<div>Imprint</div></body></html>"
    )


def test_error_pages_with_status_200(tmp_path: Path) -> None:
    links = "".join(f'<a href="/art/{n}">A new species {n}</a>' for n in (2, 3))

    def behave(asked: Asked) -> bytes | None:
        if asked.host == "127.0.0.2":  # A: error pages with 200
            if asked.path == "/art/1":
                return answer(TREATMENT.format(links=links))
            return None if asked.path == "/robots.txt" else answer(_sorry(asked.path))
        if asked.host == "127.0.0.3":  # B: unknown paths lead home
            if asked.path == "/":
                return answer(BEETLE)
            if asked.path == "/robots.txt":
                return None
            return answer("", status="302 Found", headers=("Location: /",))
        if asked.path == "/art/1":  # C: real errors, and a short real page
            return answer(FERN)
        return None

    hosts = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
    with OddServer(behave, hosts) as server:
        seeds = [server.url("/art/1", hosts[0]), server.url("/art/9", hosts[1])]
        seeds += [server.url("/", hosts[1]), server.url("/art/1", hosts[2])]
        run = crawl_seeds(tmp_path / "run", seeds, "iterations=2")
        asked = {host: server.paths(host) for host in hosts}

    assert run.code == 0, run.log
    by_url = {fetch["url"]: fetch["reason"] for fetch in run.fetches}
    assert by_url[server.url("/art/1", hosts[0])] == ""
    assert by_url[server.url("/art/2", hosts[0])] == "soft 404"
    assert by_url[server.url("/art/3", hosts[0])] == "soft 404"
    assert not [path for path in asked[hosts[0]] if "help" in path]
    for host in hosts:
        assert sum("zzq" in path for path in asked[host]) <= 1
    homes = [d for d in run.documents if "127.0.0.3" in d["final_url"]]
    assert len(homes) == 1
    assert not [url for url in by_url if "zzq" in url]


def test_what_error_pages_look_like_is_known_after_an_interruption(tmp_path: Path) -> None:
    links = "".join(f'<a href="/art/{n}">A new species {n}</a>' for n in (2, 3))

    def behave(asked: Asked) -> bytes | None:
        if asked.path == "/robots.txt":
            return None
        one = asked.path == "/art/1"
        return answer(TREATMENT.format(links=links) if one else _sorry(asked.path))

    with OddServer(behave) as server:
        folder, seeds = tmp_path / "run", [server.url("/art/1")]
        for more in (["max_pages=2"], ["max_pages=3", f"resume={folder}"]):
            run = crawl_seeds(folder, seeds, "iterations=1", *more)
            assert run.code == 0, run.log
        paths = server.paths()

    assert [reason for reason in run.reasons.values() if reason] == ["soft 404"] * 2
    assert sum("zzq" in path for path in paths) == 1


def test_redirect_to_itself_that_sets_a_cookie(tmp_path: Path) -> None:
    def behave(asked: Asked) -> bytes | None:
        if asked.path == "/selfcookie" and "seen=1" in asked.headers.get("cookie", ""):
            return answer(TREATMENT.format(links=""))
        if asked.path in ("/selfcookie", "/never"):
            cookie = "Set-Cookie: seen=1; Path=/selfcookie"
            return answer("", status="302 Found", headers=(f"Location: {asked.path}", cookie))
        return None

    with OddServer(behave) as server:
        run = crawl_seeds(tmp_path / "run", [server.url("/selfcookie"), server.url("/never")])
        asked = server.paths()

    assert run.code == 0, run.log
    assert run.reasons == {"selfcookie": "", "never": "redirect loop"}
    assert asked.count("/selfcookie") == 2
    assert asked.count("/never") <= 12


def test_addresses_that_no_parser_takes_and_bodies_that_are_not_packed(tmp_path: Path) -> None:
    """A page is not lost because of an address on it, and each failure has its own reason."""
    evil = "http://[bad"
    refresh = '<meta http-equiv="refresh" content="0;url={}">'
    heads = {
        "/base": f'<base href="{evil}">' + refresh.format("/plain"),
        "/refresh": refresh.format(evil),
        "/script": refresh.format("javascript:go()"),
        "/mail": refresh.format("mailto:a@b.org"),
        "/link": f'<link rel="canonical" href="{evil}">',
    }

    def behave(asked: Asked) -> bytes | None:
        if asked.path in heads:
            links = f'<a href="{evil}">x</a><p>Copy {asked.path}</p>'
            page = TREATMENT.format(links=links).replace("<head>", "<head>" + heads[asked.path])
            return answer(page)
        if asked.path == "/location":
            return answer("", status="302 Found", headers=(f"Location: {evil}",))
        if asked.path[1:] in ("gzip", "br", "zstd", "deflate"):
            coding = f"Content-Encoding: {asked.path[1:]}"
            return answer(TREATMENT.format(links=""), headers=(coding,))
        return None

    packed = ["/gzip", "/br", "/zstd"]
    with OddServer(behave) as server:
        urls = [server.url(path) for path in (*heads, "/location", *packed, "/deflate")]
        run = crawl_seeds(tmp_path / "run", urls, "iterations=0")

    assert run.code == 0, run.log
    assert {run.reasons[path[1:]] for path in heads} <= {"", "duplicate"}, run.reasons
    assert run.reasons["location"] == "http 302"
    assert {run.reasons[path[1:]] for path in packed} == {"undecodable"}, run.reasons
    assert "program error" not in run.reasons.values()
    assert "Traceback" not in run.log


def test_fifty_redirects_to_one_login_form(tmp_path: Path) -> None:
    form = (
        "<html><head><title>Log in</title></head><body><h1>Log in</h1><form method='post'>"
        "<input name='user'><input type='password' name='pw'></form></body></html>"
    )

    def behave(asked: Asked) -> bytes | None:
        if asked.path.startswith("/doc/"):
            to = f"Location: /login?next={asked.path}"
            return answer("", status="302 Found", headers=(to,))
        return answer(form) if asked.path.startswith("/login") else None

    with OddServer(behave) as server:
        seeds = [server.url(f"/doc/{n}") for n in range(1, 51)]
        run = crawl_seeds(tmp_path / "run", seeds)

    assert run.code == 0, run.log
    assert [fetch["reason"] for fetch in run.fetches] == ["login wall"] * 50
    assert not [fetch for fetch in run.fetches if fetch["category"]]
    assert not run.documents
    assert not [a for a in server.asked if "authorization" in a.headers]


def test_hosts_that_hang_bodies_without_end_and_loops(tmp_path: Path) -> None:
    def behave(asked: Asked) -> bytes | tuple[bytes, float] | None:
        if asked.path == "/hangs":
            return answer("late"), 30.0
        if asked.path == "/huge":
            return answer(b"<html>" + b"x" * 3_000_000)
        if asked.path.startswith("/loop"):
            other = "/loop/b" if asked.path.endswith("a") else "/loop/a"
            return answer("", status="302 Found", headers=(f"Location: {other}",))
        if asked.path == "/good":
            return answer(TREATMENT.format(links=""))
        if asked.path == "/garbage":
            return b"this is no HTTP\r\n\r\n"
        return None

    names = ("hangs", "huge", "loop/a", "garbage", "gone", "good")
    with OddServer(behave) as server:
        run = crawl_seeds(
            tmp_path / "run",
            [server.url(f"/{name}") for name in names],
            settings=(
                "DOWNLOAD_DELAY=0",
                "AUTOTHROTTLE_ENABLED=False",
                "RETRY_TIMES=0",
                "DOWNLOAD_TIMEOUT=2",
                "DOWNLOAD_MAXSIZE=1000000",
            ),
        )

    assert run.code == 0, run.log
    reasons = run.reasons
    assert set(reasons) == set(names)
    assert reasons["hangs"] == "timeout"
    assert reasons["huge"] == "too large"
    assert reasons["loop/a"] == "redirect loop"
    assert reasons["garbage"] == "connection lost"
    assert reasons["gone"] == "http 404"
    assert reasons["good"] == ""
    assert "Traceback" not in run.log
