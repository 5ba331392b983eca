"""The JSON interface answers as its schema says, to whom it should."""

from __future__ import annotations

import json
import os
import re

import pytest
from django.test import Client
from django.urls import get_resolver

from taxocrawl.web.jobs import child
from taxocrawl.web.models import ApiToken, Assignment, Project, Run
from taxocrawl.web.tokens import new_token
from taxocrawl.web.views.api import SCHEMA
from tests.web.runs import BATS, digest_of, make_run

OPENAPI = json.loads(SCHEMA.read_text())
TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def violations(value, schema, at="$"):
    """Where a value is not as a schema says; knows the words that the schema uses."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from violations(value, OPENAPI["components"]["schemas"][name], at)
        return
    if "oneOf" in schema:
        if not any(not list(violations(value, one, at)) for one in schema["oneOf"]):
            yield f"{at}: none of the forms"
        return
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(isinstance(value, TYPES[name]) for name in types):
        yield f"{at}: {value!r} is no {types}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is none of {schema['enum']}"
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from violations(item, schema["items"], f"{at}[{number}]")
    if isinstance(value, dict):
        yield from violations_of_object(value, schema, at)


def violations_of_object(value, schema, at):
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    yield from (f"{at}: no {name}" for name in schema.get("required", ()) if name not in value)
    for name, item in value.items():
        if name in properties:
            yield from violations(item, properties[name], f"{at}.{name}")
        elif others is False:
            yield f"{at}: {name} is not documented"
        elif others is not True:
            yield from violations(item, others, f"{at}.{name}")


def checked(answer, operation):
    """The answer's JSON, which must be what the schema says of that operation and status."""
    found = next(
        method
        for path in OPENAPI["paths"].values()
        for method in path.values()
        if isinstance(method, dict) and method.get("operationId") == operation
    )
    assert str(answer.status_code) in found["responses"], answer.content
    content = found["responses"][str(answer.status_code)]["content"]["application/json"]
    assert list(violations(answer.json(), content["schema"])) == []
    return answer.json()


@pytest.fixture
def ada(person):
    return person("ada", "curator")


@pytest.fixture
def run(options, ada):
    make_run(options.runs, "bats")
    return Run.objects.create(folder="bats", title="bats", owner=ada.account)


def post(client, path, body=None, **headers):
    return client.post(f"/api/v1{path}", json.dumps(body or {}), "application/json", **headers)


def test_every_address_of_the_schema_is_there_and_no_other():
    described = {re.sub(r"{\w+}", "*", path) for path in OPENAPI["paths"]} | {"/openapi.json"}
    served = {
        re.sub(r"<[^>]+>", "*", str(pattern.pattern)).removeprefix("api/v1")
        for pattern in get_resolver().url_patterns
        if str(pattern.pattern).startswith("api/v1")
    }
    assert served == described


def test_runs_and_their_progress(ada, run):
    listed = checked(ada.get("/api/v1/runs"), "listRuns")["runs"]
    assert [one["id"] for one in listed] == [run.pk]
    found = checked(ada.get(f"/api/v1/runs/{run.pk}"), "readRun")
    assert (found["state"], found["owner"]) == ("finished", "ada")
    assert found["progress"]["documents"] == 4
    assert found["progress"]["not_exported"] == [
        {"reason": "non-taxonomic", "fate": "dropped", "pages": 1}
    ]


def test_results(ada, run):
    path = f"/api/v1/runs/{run.pk}/results"
    found = checked(ada.get(path, {"method": "mmr", "lambda": "0.3"}), "readResults")
    titles = [one["title"] for one in found["original"]]
    assert titles == [document.title for document in BATS]
    assert found["diversified"][-1]["title"] != titles[-1]
    assert checked(ada.get(path, {"kind": "pdf"}), "readResults")["found"] == 1
    for wrong in ({"lambda": "7"}, {"method": "magic"}, {"year_from": "many"}, {"length": "3"}):
        assert checked(ada.get(path, wrong), "readResults")["fields"]


def test_a_document(ada, run):
    path = f"/api/v1/runs/{run.pk}/documents/{digest_of(BATS[0])}"
    found = checked(ada.get(path), "readDocument")
    assert found["text"] == BATS[0].text
    assert found["names"] == [{"name": "Pteropus exemplaris", "mentions": 1}]
    assert found["acts"] == [{"kind": "new species", "mentions": 1}]
    assert found["source"] == "seed:crossref"
    none = ada.get(f"/api/v1/runs/{run.pk}/documents/{'0' * 64}")
    assert checked(none, "readDocument")["error"]


def test_judgments(ada, run):
    project = Project.objects.create(run=run, owner=ada.account, topic="bats", aspects=["a", "b"])
    Assignment.objects.create(
        project=project,
        annotator=ada.account,
        document=digest_of(BATS[0]),
        position=0,
        relevance="relevant",
        aspects=[False, True],
        judged_at="2026-01-02T03:04:05Z",
    )
    assert checked(ada.get("/api/v1/projects"), "listProjects")["projects"][0]["id"] == project.pk
    found = checked(ada.get(f"/api/v1/projects/{project.pk}/judgments"), "readJudgments")
    assert found["labels"] == {digest_of(BATS[0]): "relevant"}
    assert found["judgments"][0]["aspects"] == ["b"]


@pytest.fixture
def started(monkeypatch):
    commands = []

    def start(spider, arguments, settings, log, options):
        commands.append((spider, arguments))
        return os.getpid(), child.began(os.getpid())

    monkeypatch.setattr(child, "start", start)
    return commands


def test_a_crawl_is_started_and_cancelled(ada, started, monkeypatch):
    answer = post(ada, "/runs", {"queries": ["Pteropus", "Myotis"], "max_pages": 5})
    assert answer.status_code == 201
    found = checked(answer, "startRun")
    assert found["state"] == "starting"
    [(spider, arguments)] = started
    assert spider == "taxonomic"
    assert json.loads(arguments["query"]) == ["Pteropus", "Myotis"]
    assert (arguments["seeds"], arguments["max_pages"]) == ("crossref,europepmc", "5")
    assert "at a time" in checked(post(ada, "/runs", {"queries": "x"}), "startRun")["error"]

    signals = []
    monkeypatch.setattr(os, "kill", lambda *given: signals.append(given))
    cancelled = checked(post(ada, f"/runs/{found['id']}/cancel"), "cancelRun")
    assert cancelled["state"] == "ending"
    assert len(signals) == 1
    assert checked(post(ada, f"/runs/{found['id']}/resume"), "resumeRun")["error"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "queries"),
        ({"queries": "x", "expand": "wild"}, "expand"),
        ({"queries": "x", "seed_urls": ["http://127.0.0.1/"]}, "seed_urls"),
        ({"queries": {"a": 1}, "providers": "none"}, "providers"),
        ({"queries": "x", "iterations": [1]}, "iterations"),
    ],
)
def test_a_crawl_that_is_wrong_is_refused_by_field(ada, started, body, field):
    answer = post(ada, "/runs", body)
    assert answer.status_code == 422
    assert field in checked(answer, "startRun")["fields"]
    assert started == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"[" * 100_000, b"\xff"])
def test_a_body_that_is_no_json_is_refused(ada, started, body):
    answer = ada.post("/api/v1/runs", body, "application/json")
    assert answer.status_code == 400
    checked(answer, "startRun")


def test_nobody_is_answered_without_a_log_in(ada, run):
    for answer in (
        Client().get("/api/v1/runs"),
        Client().get("/api/v1/runs", HTTP_AUTHORIZATION="Bearer guessed"),
    ):
        assert answer.status_code == 401
        checked(answer, "listRuns")


def test_a_token_acts_for_its_account_in_the_api_alone(ada, run, started):
    token = new_token(ada.account, "my script")
    header = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    client = Client(enforce_csrf_checks=True)
    assert len(checked(client.get("/api/v1/runs", **header), "listRuns")["runs"]) == 1
    assert post(client, "/runs", {"queries": "x"}, **header).status_code == 201
    assert client.get("/", **header).status_code == 302
    ada.account.is_active = False
    ada.account.save()
    assert client.get("/api/v1/runs", **header).status_code == 401


def test_a_session_needs_its_csrf_token(ada, started):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada.account)
    assert post(client, "/runs", {"queries": "x"}).status_code == 403
    assert started == []


def test_tokens_are_made_shown_once_and_taken_back(ada, person):
    html = ada.post("/account/tokens", {"name": "script"}).content.decode()
    token = re.search(r'class="token">([^<]+)<', html)[1]
    header = {"HTTP_AUTHORIZATION": f"Bearer {token}"}
    assert Client().get("/api/v1/runs", **header).status_code == 200
    assert token not in ada.get("/account").content.decode()
    kept = ApiToken.objects.get()
    assert token not in kept.digest
    path = f"/account/tokens/{kept.pk}/delete"
    assert person("eve").post(path).status_code == 404
    assert ada.post(path).status_code == 302
    assert Client().get("/api/v1/runs", **header).status_code == 401


def test_other_accounts_work_is_not_there(person, run, ada):
    project = Project.objects.create(run=run, owner=ada.account, topic="bats")
    eve = person("eve", "curator")
    digest = digest_of(BATS[0])
    assert eve.get("/api/v1/runs").json() == {"runs": []}
    assert eve.get("/api/v1/projects").json() == {"projects": []}
    for path in ("", "/results", f"/documents/{digest}"):
        assert eve.get(f"/api/v1/runs/{run.pk}{path}").status_code == 404
    for path in ("cancel", "resume"):
        assert post(eve, f"/runs/{run.pk}/{path}").status_code == 404
    assert eve.get(f"/api/v1/projects/{project.pk}/judgments").status_code == 404
    assert checked(post(person("bob", "reader"), "/runs", {"queries": "x"}), "startRun")["error"]
