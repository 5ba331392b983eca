"""The list of runs, two columns, the document page, and what is served of stored copies."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from taxocrawl.web.folders import documents_of, run_folder, stored_copy
from taxocrawl.web.models import Run
from taxocrawl.web.security import SANDBOXED
from tests.web.runs import BATS, Doc, digest_of, make_run

ASPECTS = "health: virus blood horses\ntourism: cave visitors"


@pytest.fixture
def ada(person):
    return person("ada", "curator", manages=True)


@pytest.fixture
def run(options, ada):
    """The run of the small collection, as the desk knows it."""
    make_run(options.runs, "bats")
    ada.get("/")
    return Run.objects.get()


def page(client, path, **query):
    answer = client.get(path, query)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def columns(html):
    """Titles of both columns."""
    parts = html.split('<section aria-labelledby="second">')
    return [[unescape(t) for t in re.findall(r"<h3><a [^>]+>([^<]+)</a>", p)] for p in parts]


def test_no_runs_yet(ada, person):
    assert "Start the first crawl" in page(ada, "/")
    assert "New crawl" not in page(person("eve"), "/")


def test_runs_of_the_command_line_are_found_once(ada, options):
    make_run(options.runs, "bats")
    (options.runs / "no run").mkdir()
    (options.runs / "notes").mkdir()
    assert "Pteropus" in page(ada, "/")
    page(ada, "/")
    assert [run.folder for run in Run.objects.all()] == ["bats"]


def test_the_progress_page_tells_the_runs_figures(ada, run):
    html = page(ada, f"/runs/{run.pk}")
    assert "finished" in html
    figures = dict(re.findall(r"<dt>([a-z ]+)</dt><dd>(\d+)</dd>", html))
    assert figures["documents"] == "4"
    assert figures["pages downloaded"] == "5"
    assert figures["passed"] == "4"
    assert "<svg" in html
    assert "non-taxonomic" in html
    assert "journal.example" in html


def test_the_progress_of_a_crawl_over_aspects_shows_their_coverage(ada, options):
    documents = [
        Doc("One", aspects={"ecology": 0.5, "keys": 0.0}),
        Doc("Two", aspects={"ecology": 0.3, "keys": 0.2}),
    ]
    make_run(options.runs, "even", documents)
    ada.get("/")
    html = page(ada, f"/runs/{Run.objects.get().pk}")
    assert "Pages relevant to each aspect" in html
    # 3 relevant of 3 downloads and 2 aspects; shares of 2/3 and 1/3
    assert "P-IA 50.0 %" in html
    assert "standard deviation of their shares 23.6 %" in html


def test_the_live_part_is_the_changing_part_alone(ada, run):
    html = page(ada, f"/runs/{run.pk}", part="live")
    assert "<html" not in html
    assert "By iteration" in html


def test_the_first_column_is_by_score(ada, run):
    first, _ = columns(page(ada, f"/runs/{run.pk}/results"))
    assert first == [document.title for document in BATS]


def test_mmr_puts_a_repetition_later_unless_lambda_is_1(ada, run):
    _, second = columns(page(ada, f"/runs/{run.pk}/results", method="mmr", lambda_="0.3"))
    assert second.index("A flying fox, again") > second.index("Viruses of bats")
    first, second = columns(page(ada, f"/runs/{run.pk}/results", method="mmr", lambda_="1"))
    assert first == second


def test_xquad_needs_aspects_and_covers_them(ada, run):
    html = page(ada, f"/runs/{run.pk}/results", method="xquad")
    assert 'value="xquad"' not in html
    assert ada.post(f"/runs/{run.pk}/aspects", {"aspects": ASPECTS}).status_code == 302
    html = page(ada, f"/runs/{run.pk}/results", method="xquad", lambda_="1")
    assert set(columns(html)[1][:2]) == {"Viruses of bats", "Caves and tourists"}


@pytest.mark.parametrize(
    "text", ["health\nHealth", f"{'x' * 61}", "\n".join(map(str, range(21))), ": words"]
)
def test_aspects_that_make_no_sense_are_refused(ada, run, text):
    answer = ada.post(f"/runs/{run.pk}/aspects", {"aspects": text})
    assert answer.status_code == 422
    assert "aspects:" in answer.content.decode()
    run.refresh_from_db()
    assert run.aspects == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"kind": "pdf"}, [2]),
        ({"category": "taxonomic"}, [0, 1, 2]),
        ({"year_from": "2002"}, [0, 1]),
        ({"year_to": "2002"}, [2]),
        ({"year_from": "2001", "year_to": "2001"}, [2]),
        ({"words": "FLYING fox"}, [0, 1]),
        ({"aspect": "tourism"}, [3]),
        ({"kind": "pdf", "year_from": "2002"}, []),
        ({"kind": "nonsense", "year_from": "many", "lambda_": "7", "length": "-1"}, [0, 1, 2, 3]),
    ],
)
def test_filters(ada, run, query, expected):
    ada.post(f"/runs/{run.pk}/aspects", {"aspects": ASPECTS})
    html = page(ada, f"/runs/{run.pk}/results", **query)
    assert columns(html)[0] == [BATS[n].title for n in expected]
    assert f"{len(expected)} of 4 documents" in html


def test_a_documents_page_says_what_is_in_it_and_why_it_is_here(ada, run):
    html = page(ada, f"/runs/{run.pk}/documents/{digest_of(BATS[0])}")
    assert '<mark class="name" title="Pteropus exemplaris">Pteropus exemplaris</mark>' in html
    assert '<mark class="act" title="new species">sp. nov.</mark>' in html
    assert "as a seed" in html
    assert "seed:crossref" in html
    assert 'href="http://journal.example/article/0" rel="noopener noreferrer nofollow"' in html
    assert "0.900" in html


def test_stored_bytes_are_a_file_to_keep_and_never_a_page(ada, run):
    answer = ada.get(f"/runs/{run.pk}/documents/{digest_of(BATS[2])}/copy")
    assert b"".join(answer.streaming_content) == b"Viruses of bats"
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment;")
    assert answer["Content-Disposition"].endswith('.pdf"')
    assert answer["Content-Security-Policy"] == SANDBOXED
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_text_is_plain_text(ada, run):
    answer = ada.get(f"/runs/{run.pk}/documents/{digest_of(BATS[2])}/text")
    assert answer.content.decode() == BATS[2].text
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Security-Policy"] == SANDBOXED


@pytest.mark.parametrize("path", ["../secret-key", "documents/../run.json", "/etc/passwd"])
def test_a_record_cannot_name_another_file(ada, options, run, path):
    record = {"content_hash": digest_of(BATS[0]), "path": path}
    assert stored_copy(run_folder(options.runs, "bats"), record) is None


def test_a_run_folder_that_leads_elsewhere_is_none(options, tmp_path):
    from taxocrawl.exceptions import InputFileError

    (options.runs / "link").symlink_to(tmp_path)
    for name in ("..", ".", "a/b", "", "link", "../desk", "x\0"):
        with pytest.raises(InputFileError):
            run_folder(options.runs, name)


def test_unknown_ids_are_no_pages(ada, run):
    none = "0" * 64
    for path in (
        "/runs/AAAAAAAAAAAA",
        "/runs/..%2F..%2Fetc",
        f"/runs/{run.pk}/documents/{none}",
        f"/runs/{run.pk}/documents/{none}/copy",
        f"/runs/{run.pk}/documents/..%2Frun.json/copy",
    ):
        assert ada.get(path).status_code == 404


def test_a_run_of_another_version_keeps_its_documents(ada, options, run):
    import sqlite3
    from contextlib import closing

    folder = options.runs / "bats"
    records = [json.dumps(r) for r in documents_of(run_folder(options.runs, "bats"))]
    (folder / "documents.jsonl").write_text("\n".join(records) + '\n{"half": ')
    with closing(sqlite3.connect(folder / "frontier.sqlite")) as database:
        database.execute("PRAGMA user_version = 99")
    assert columns(page(ada, f"/runs/{run.pk}/results"))[0] == [one.title for one in BATS]
    assert "sp. nov." in page(ada, f"/runs/{run.pk}/documents/{digest_of(BATS[0])}")
    assert "frontier version 99" in page(ada, f"/runs/{run.pk}")


def test_a_run_without_documents(ada, options):
    make_run(options.runs, "none", [])
    ada.get("/")
    run = Run.objects.get()
    assert "No documents" in page(ada, f"/runs/{run.pk}/results")
    assert "No documents" in page(ada, f"/runs/{run.pk}/annotate")
    form = {"topic": "x", "number": "1", "annotators": [str(ada.account.pk)], "overlap": "1"}
    assert ada.post(f"/runs/{run.pk}/annotate", {**form, "order": "score"}).status_code == 422


HOSTILE = [
    "<script>document.title='owned'</script>",
    "<svg onload=alert(1)><image href=x onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "\u202egnp.exe\u202c right to left",
    "javascript:alert(1) {{ user.password }} {% csrf_token %}",
    "T" * 50_000,
]


@pytest.mark.parametrize("title", HOSTILE)
def test_what_the_web_wrote_is_text(ada, options, title):
    document = Doc(title, f"{title} Pteropus {title} sp. nov.", body=b"<html><script>1</script>")
    make_run(options.runs, "hostile", [document])
    ada.get("/")
    run = Run.objects.get()
    for path in (f"/runs/{run.pk}/results", f"/runs/{run.pk}/documents/{digest_of(document)}"):
        html = page(ada, path)
        assert html.count("<script") == 1
        assert "<svg" not in html
        assert "<img" not in html
        assert "onload" not in re.sub(r">[^<]*<", "><", html)
        assert "\u202e" not in html
        assert max(map(len, re.findall(r"<(?:h1|h3|title)[^>]*>(.*?)</", html))) < 1000


def test_an_address_that_is_none_of_the_web_is_no_link(ada, options):
    document = Doc("Odd", final_url="javascript:alert(1)")
    make_run(options.runs, "odd", [document])
    ada.get("/")
    html = page(ada, f"/runs/{Run.objects.get().pk}/documents/{digest_of(document)}")
    assert 'href="javascript' not in html


def test_every_answer_forbids_what_is_not_its_own(ada, run):
    for path in ("/", f"/runs/{run.pk}", "/nowhere", "/static/desk/desk.css"):
        answer = ada.get(path)
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer["X-Content-Type-Options"] == "nosniff"


def test_pages_ask_no_other_host_and_have_nothing_inline(ada, run):
    for path in ("/", f"/runs/{run.pk}", f"/runs/{run.pk}/results", "/runs/new", "/account"):
        html = page(ada, path)
        assert not re.findall(r"\sstyle=|<style|\son\w+=", html)
        assert not re.findall(r'(?:src|<link[^>]* href)="(?:https?:)?//', html)


def test_another_host_name_is_refused(ada):
    assert ada.get("/", HTTP_HOST="evil.example").status_code == 400


def test_a_body_that_is_too_long_is_refused(ada, desk):
    from taxocrawl.settings import DESK_UPLOAD_MAX

    answer = ada.post("/account", "x" * (DESK_UPLOAD_MAX + 100_000), content_type="text/plain")
    assert answer.status_code == 413
