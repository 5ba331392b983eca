"""New crawls: the form, the process, cancelling and resuming, scrapyd."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from taxocrawl.web.jobs import child, crawls
from taxocrawl.web.models import Run
from tests.crawl.running import ROOT
from tests.site import Site, page

FORM = {
    "queries": "Pteropus vampyrus\nMyotis",
    "expand": "none",
    "providers": "crossref",
    "seed_urls": "",
    "topic": "",
    "page_filter": "none",
    "aspects": "",
    "scorer": "tfidf",
    "selection": "all",
    "batch": "",
    "iterations": "1",
    "max_pages": "50",
    "min_score": "",
    "allowed_hosts": "",
}


@pytest.fixture
def ada(person):
    return person("ada", "curator")


@pytest.fixture
def started(monkeypatch):
    """What would be started, in place of processes."""
    commands = []

    def start(spider, arguments, settings, log, options):
        commands.append((spider, arguments, settings))
        return os.getpid(), child.began(os.getpid())

    monkeypatch.setattr(child, "start", start)
    return commands


def test_a_form_becomes_a_spiders_arguments(ada, started, options):
    answer = ada.post("/runs/new", {**FORM, "shared": "on", "aspects": "health: virus"})
    run = Run.objects.get()
    assert answer["Location"] == f"/runs/{run.pk}"
    [(spider, arguments, settings)] = started
    assert spider == "taxonomic"
    assert json.loads(arguments["query"]) == ["Pteropus vampyrus", "Myotis"]
    assert arguments["seeds"] == "crossref"
    assert (arguments["iterations"], arguments["max_pages"]) == ("1", "50")
    assert arguments["out"] == str(options.runs / run.folder)
    assert settings["PRIVATE_HOSTS_ALLOWED"] == "False"
    assert (run.owner, run.shared, run.title) == (ada.account, True, "Pteropus vampyrus, Myotis")
    assert run.aspects == [["health", "health virus"]]
    assert run.pid == os.getpid()


def test_seeds_of_ones_own_go_to_a_file(ada, started):
    urls = ["https://a.example/1", "https://b.example/2"]
    ada.post("/runs/new", {**FORM, "queries": "", "providers": [], "seed_urls": "\n".join(urls)})
    [(_, arguments, _)] = started
    assert Path(arguments["seeds"]).read_text().split() == urls
    assert "query" not in arguments
    assert Run.objects.get().title == "seeds from a.example"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"queries": ""}, "query=: missing"),
        ({"queries": "???"}, "expected a word to search for"),
        ({"queries": "x" * 501}, "too long"),
        ({"providers": []}, "Choose a search"),
        ({"providers": "altavista"}, "not one of the available choices"),
        ({"expand": "wild"}, "not one of the available choices"),
        ({"scorer": "magic"}, "not one of the available choices"),
        ({"topic": "../../etc"}, "not one of the available choices"),
        ({"iterations": "-1"}, "greater than or equal to 0"),
        ({"iterations": "two"}, "whole number"),
        ({"min_score": "2"}, "less than or equal to 1"),
        ({"allowed_hosts": "http://a.example/"}, "is no host name"),
        ({"batch": "50"}, "unknown parameter size"),
        ({"seed_urls": "ftp://a.example/"}, "expected http(s) addresses"),
        ({"seed_urls": "/etc/passwd"}, "expected http(s) addresses"),
        ({"seed_urls": "http://127.0.0.1:8000/"}, "whoever runs the desk"),
        ({"seed_urls": "https://b.example/\nhttp://2130706433/"}, "whoever runs the desk"),
        ({"seed_urls": "http://169.254.169.254/latest"}, "whoever runs the desk"),
        ({"aspects": "a\na"}, "occurs twice"),
    ],
)
def test_what_the_spider_would_refuse_is_said_beside_the_field(ada, started, changes, said):
    answer = ada.post("/runs/new", {**FORM, **changes})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert (started, Run.objects.count()) == ([], 0)


def test_an_even_crawl_needs_a_topic_with_aspects(ada, started):
    for changes in ({}, {"topic": "bats", "selection": "best-first"}):
        assert ada.post("/runs/new", {**FORM, "even": "on", **changes}).status_code == 422
    even = {**FORM, "even": "on", "topic": "bats"}
    assert ada.post("/runs/new", even).status_code == 302
    [(spider, arguments, _)] = started
    assert (spider, arguments["topic"]) == ("diversified", "bats")
    assert [name for name, _ in Run.objects.get().aspects][:2] == ["conservation", "distribution"]


def test_a_topic_without_evenness_is_the_topic_spiders(ada, started):
    ada.post("/runs/new", {**FORM, "topic": "bats"})
    [(spider, arguments, _)] = started
    assert (spider, arguments["filter"]) == ("topic", "none")


@pytest.mark.parametrize("query", ["@/etc/passwd", "queries.txt", "../x/y.json", "[oddly"])
def test_no_query_is_taken_for_a_file(ada, started, query):
    ada.post("/runs/new", {**FORM, "queries": query})
    [(_, arguments, _)] = started
    assert json.loads(arguments["query"]) == [query]


def test_an_operator_may_allow_private_hosts(ada, started, desk):
    desk(private_hosts_allowed=True)
    ada.post("/runs/new", {**FORM, "seed_urls": "http://127.0.0.1:8000/"})
    [(_, _, settings)] = started
    assert settings["PRIVATE_HOSTS_ALLOWED"] == "True"


def test_an_account_has_one_crawl_at_a_time(ada, person, started, desk):
    assert ada.post("/runs/new", FORM).status_code == 302
    answer = ada.post("/runs/new", FORM)
    assert answer.status_code == 422
    assert "at a time" in answer.content.decode()
    assert person("eve", "curator").post("/runs/new", FORM).status_code == 302
    desk(crawls_per_account=2)
    assert ada.post("/runs/new", FORM).status_code == 302
    assert Run.objects.count() == 3


def test_a_crawl_that_cannot_be_started_leaves_nothing(ada, monkeypatch, desk):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    answer = ada.post("/runs/new", FORM)
    assert answer.status_code == 422
    assert "cannot be started" in answer.content.decode()
    assert not Run.objects.exists()


def test_a_process_is_known_by_its_id_and_its_beginning():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    began = child.began(process.pid)
    assert child.alive(process.pid, began)
    assert not child.alive(process.pid, "another one")
    assert not child.alive(process.pid, "")
    assert not child.interrupt(process.pid, "another one")
    process.stdin.close()
    # Not waited for: a zombie has ended too.
    deadline = time.monotonic() + 20
    while child.began(process.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not child.alive(process.pid, began)
    process.wait()


def test_a_crawl_does_not_see_the_desks_environment(tmp_path, monkeypatch, options):
    monkeypatch.setenv("TAXOCRAWL_DESK_PASSWORD", "of the first one")
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nenv\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    log = tmp_path / "logs" / "log"
    pid, began = child.start("taxonomic", {}, {}, log, options)
    wait_for(lambda: not child.alive(pid, began))
    assert "PATH=" in log.read_text()
    assert "of the first one" not in log.read_text()


def wait_for(what, seconds=90):
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site("127.0.0.1")
    links = [f"/{number}" for number in range(8)]
    site.pages["/"] = page(*links, text="A page about bats, with enough words to be kept here.")
    words = random.Random(1)
    for link in links:
        text = " ".join("".join(words.choices("abdeiklmnoprstu", k=7)) for _ in range(60))
        site.pages[link] = page(text=text, after=0.5)
    yield site
    site.close()


def test_a_crawl_is_cancelled_and_resumed(ada, desk, site):
    options = desk(
        project=ROOT,
        private_hosts_allowed=True,
        crawl_settings={
            "DOWNLOAD_DELAY": "0",
            "AUTOTHROTTLE_ENABLED": "False",
            "CLASSIFIER_HTML": "",
            "CLASSIFIER_PDF": "",
        },
    )
    form = {**FORM, "queries": "", "providers": [], "seed_urls": site.url("/")}
    assert ada.post("/runs/new", form).status_code == 302
    run = Run.objects.get()
    wait_for(lambda: "/1" in site.paths)
    assert crawls.state_of(run, options) is crawls.State.RUNNING
    assert "Cancel the crawl" in ada.get(f"/runs/{run.pk}").content.decode()

    ada.post(f"/runs/{run.pk}/cancel")
    wait_for(lambda: not crawls.is_alive(run, options))
    run.refresh_from_db()
    assert crawls.state_of(run, options) is crawls.State.INTERRUPTED
    assert "Resume the crawl" in ada.get(f"/runs/{run.pk}").content.decode()
    asked = len(site.paths)
    assert asked < len(site.pages)

    ada.post(f"/runs/{run.pk}/resume")
    run.refresh_from_db()
    wait_for(lambda: not crawls.is_alive(run, options))
    assert crawls.state_of(run, options) is crawls.State.FINISHED
    assert set(site.pages) <= set(site.paths)
    html = ada.get(f"/runs/{run.pk}").content.decode()
    assert "Resume the crawl" not in html
    # Ended: a second cancel or resume changes nothing.
    ada.post(f"/runs/{run.pk}/cancel")
    assert "cannot be resumed" in ada.post(f"/runs/{run.pk}/resume", follow=True).content.decode()


def test_why_a_crawl_failed_is_shown(ada, desk):
    desk(project=ROOT, crawl_settings={"PDF_WORKERS": "0"})
    ada.post("/runs/new", FORM)
    run = Run.objects.get()
    wait_for(lambda: "failed" in ada.get(f"/runs/{run.pk}", {"part": "live"}).content.decode())
    assert "PDF_WORKERS=0: expected a number" in ada.get(f"/runs/{run.pk}").content.decode()


def test_scrapyd_runs_crawls_when_there_is_one(ada, desk, scrapyd_server):
    asked, answers, address = scrapyd_server
    options = desk(scrapyd_url=address.replace("//", "//user:pass@"), scrapyd_project="bats")
    answers["/schedule.json"] = {"status": "ok", "jobid": "j1"}
    answers["/status.json"] = {"status": "ok", "currstate": "pending"}
    assert ada.post("/runs/new", FORM).status_code == 302
    path, fields, headers = asked[0]
    assert path == "/schedule.json"
    assert headers["Authorization"] == "Basic dXNlcjpwYXNz"
    assert fields["project"] == ["bats"]
    assert fields["spider"] == ["taxonomic"]
    assert json.loads(fields["query"][0]) == ["Pteropus vampyrus", "Myotis"]
    assert "PRIVATE_HOSTS_ALLOWED=False" in fields["setting"]

    run = Run.objects.get()
    assert (run.backend, run.job) == ("scrapyd", "j1")
    assert crawls.state_of(run, options) is crawls.State.WAITING
    answers["/cancel.json"] = {"status": "ok", "prevstate": "running"}
    ada.post(f"/runs/{run.pk}/cancel")
    assert asked[-1][1]["job"] == ["j1"]
    run.refresh_from_db()
    assert crawls.state_of(run, options) is crawls.State.ENDING
    answers["/status.json"] = {"status": "ok", "currstate": "finished"}
    assert crawls.state_of(run, options) is crawls.State.FAILED


@pytest.mark.parametrize(
    ("answer", "said"),
    [({"status": "error", "message": "no such project"}, "no such project"), (None, "status 404")],
)
def test_what_scrapyd_says_against_a_crawl_is_shown(ada, desk, scrapyd_server, answer, said):
    _, answers, address = scrapyd_server
    desk(scrapyd_url=address)
    if answer:
        answers["/schedule.json"] = answer
    page_ = ada.post("/runs/new", FORM)
    assert page_.status_code == 422
    assert said in page_.content.decode()
    assert not Run.objects.exists()


def test_a_scrapyd_that_is_down_is_said_in_one_line(ada, desk):
    desk(scrapyd_url="http://user:secret@127.0.0.1:9/")
    html = ada.post("/runs/new", FORM).content.decode()
    assert "does not answer" in html
    assert "secret" not in html


@pytest.fixture
def scrapyd_server():
    """Requests that came, answers by path, and the address."""
    import threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    asked, answers = [], {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            length = int(self.headers.get("Content-Length") or 0)
            parts = urlsplit(self.path)
            fields = parse_qs(self.rfile.read(length).decode() or parts.query)
            asked.append((parts.path, fields, dict(self.headers)))
            found = answers.get(parts.path)
            body = json.dumps(found).encode()
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the library's name

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield asked, answers, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
