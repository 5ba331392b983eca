"""Other accounts' work is, to an account, not there."""

from __future__ import annotations

import pytest

from taxocrawl.web.models import Run
from tests.web.runs import BATS, digest_of, make_run

DIGEST = digest_of(BATS[0])
PAGE = f"/documents/{DIGEST}"
READ = ["", "/results", PAGE, f"{PAGE}/text", f"{PAGE}/copy"]
CHANGE = ["/cancel", "/resume", "/share", "/aspects"]


@pytest.fixture
def run(options, person):
    """A run of Ada's that she has not shared."""
    make_run(options.runs, "bats")
    ada = person("ada", "curator")
    return Run.objects.create(folder="bats", title="Pteropus", owner=ada.account)


@pytest.mark.parametrize("path", READ)
def test_a_run_is_its_owners_until_it_is_shared(run, person, path):
    eve = person("eve", "curator")
    assert eve.get(f"/runs/{run.pk}{path}").status_code == 404
    Run.objects.update(shared=True)
    assert eve.get(f"/runs/{run.pk}{path}").status_code == 200


@pytest.mark.parametrize("path", CHANGE)
def test_a_run_is_changed_by_its_owner_alone(run, person, path):
    eve = person("eve", "curator")
    data = {"shared": "yes", "aspects": "x"}
    assert eve.post(f"/runs/{run.pk}{path}", data).status_code == 404
    Run.objects.update(shared=True)
    assert eve.post(f"/runs/{run.pk}{path}", data).status_code == 403
    assert person("bob", "reader").post(f"/runs/{run.pk}{path}", data).status_code == 403


def test_lists_show_what_may_be_read(run, person):
    eve = person("eve", "reader")
    assert run.pk not in eve.get("/").content.decode()
    assert run.pk in person("max", "curator", manages=True).get("/").content.decode()
    Run.objects.update(shared=True)
    assert run.pk in eve.get("/").content.decode()


def test_an_owner_who_is_no_curator_any_more_changes_nothing(run, person):
    bob = person("bob", "reader")
    Run.objects.update(owner=bob.account)
    assert bob.get(f"/runs/{run.pk}").status_code == 200
    assert bob.post(f"/runs/{run.pk}/share", {"shared": "yes"}).status_code == 403


@pytest.mark.parametrize("role", ["reader", "annotator"])
def test_crawls_are_started_by_curators(person, role):
    client = person("eve", role)
    assert client.get("/runs/new").status_code == 403
    assert client.post("/runs/new", {"queries": "Pteropus"}).status_code == 403


def test_sharing_is_for_a_form_and_not_for_a_link(run, person):
    Run.objects.update(owner=person("ann", "curator", manages=True).account)
    client = person("max", "curator", manages=True)
    assert client.get(f"/runs/{run.pk}/share").status_code == 405
    assert client.post(f"/runs/{run.pk}/share", {"shared": "yes"}).status_code == 302
    run.refresh_from_db()
    assert run.shared
