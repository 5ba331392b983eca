"""Judging: assignment, overlap, agreement, exports, and what they are good for."""

from __future__ import annotations

import re
from html import unescape

import pytest

from taxocrawl.web.models import Assignment, Project, Run
from tests.web.runs import BATS, Doc, digest_of, make_run

ASPECTS = "health: virus blood horses\ntourism: cave visitors"


@pytest.fixture
def ada(person):
    return person("ada", "curator", manages=True)


@pytest.fixture
def bob(person):
    return person("bob", "annotator")


@pytest.fixture
def run(options, ada):
    make_run(options.runs, "bats")
    return Run.objects.create(folder="bats", title="bats", owner=ada.account)


def project_of(ada, run, *annotators, **changes):
    form = {
        "topic": "bats",
        "aspects": "health\ntourism",
        "number": "10",
        "annotators": [str(one.account.pk) for one in annotators],
        "overlap": "1",
        "order": "score",
        "model": "",
        **changes,
    }
    answer = ada.post(f"/runs/{run.pk}/annotate", form)
    assert answer.status_code == 302, unescape(answer.content.decode())
    return Project.objects.get(pk=answer["Location"].rpartition("/")[2])


def tasks(project, client):
    return list(Assignment.objects.filter(project=project, annotator=client.account))


def judge(client, project, *verdicts):
    """Judge one's documents in their order; a verdict is a relevance and numbers of aspects."""
    for assignment, (relevance, aspects) in zip(tasks(project, client), verdicts, strict=True):
        data = {"relevance": relevance, "aspects": aspects}
        answer = client.post(f"/annotation/documents/{assignment.pk}", data)
        assert answer.status_code == 302


R, N, C = ("relevant", []), ("other", []), ("borderline", [])


def test_documents_are_dealt_out_evenly(ada, bob, person, run):
    eve = person("eve", "annotator")
    project = project_of(ada, run, bob, eve)
    assert [len(tasks(project, one)) for one in (bob, eve)] == [2, 2]
    both = project_of(ada, run, bob, eve, overlap="2")
    assert [len(tasks(both, one)) for one in (bob, eve)] == [4, 4]
    three = project_of(ada, run, bob, eve, ada, overlap="2", number="3")
    assert [len(tasks(three, one)) for one in (bob, eve, ada)] == [2, 2, 2]


def test_readers_get_no_documents(ada, person, run):
    eve = person("eve", "reader")
    form = {"topic": "x", "number": "1", "annotators": [str(eve.account.pk)], "overlap": "1"}
    answer = ada.post(f"/runs/{run.pk}/annotate", {**form, "order": "score"})
    assert answer.status_code == 422
    assert eve.get("/annotation").status_code == 403


@pytest.mark.parametrize(
    "changes", [{"overlap": "2"}, {"number": "0"}, {"topic": ""}, {"aspects": "a\na"}]
)
def test_a_project_that_makes_no_sense_is_refused(ada, bob, run, changes):
    form = {"topic": "bats", "number": "3", "overlap": "1", "order": "score"}
    form |= {"annotators": [str(bob.account.pk)], **changes}
    assert ada.post(f"/runs/{run.pk}/annotate", form).status_code == 422
    assert not Project.objects.exists()


def test_the_least_sure_come_first(ada, bob, options):
    sure = [0.9, 0.51, 0.99, 0.6]
    documents = [Doc(f"Document {n}", confidence=c, score=0.5) for n, c in enumerate(sure)]
    make_run(options.runs, "unsure", documents)
    run = Run.objects.create(folder="unsure", title="bats", owner=ada.account)
    project = project_of(ada, run, bob, order="unsure", number="3")
    given = [one.document for one in tasks(project, bob)]
    assert given == [digest_of(documents[n]) for n in (1, 3, 0)]


def test_a_classifier_trained_since_decides_anew_what_is_least_sure(ada, bob, run):
    from django.conf import settings

    from taxocrawl.classify import load_classifier
    from taxocrawl.settings import MODELS_DIR

    project = project_of(ada, run, bob, order="unsure", model="taxonomic/html-svm")
    model = load_classifier(MODELS_DIR / "taxonomic/html-svm")
    sure = {
        digest_of(document): model.decide(f"{document.title}\n{document.text}").confidence
        for document in BATS
    }
    given = [sure[one.document] for one in tasks(project, bob)]
    assert given == sorted(given)
    assert settings.DESK.models == MODELS_DIR


def test_judging_one_after_the_other(ada, bob, run):
    project = project_of(ada, run, bob)
    assert "0 of 4" in bob.get("/annotation").content.decode()
    titles = []
    for verdict in (("relevant", ["0"]), R, N, C):
        html = bob.get(f"/annotation/{project.pk}/next", follow=True).content.decode()
        titles.append(unescape(re.search(r"<h1>(.*?)</h1>", html)[1]))
        path = re.search(r'href="/annotation/documents/[^"]+"|$', html)[0]
        assert path == ""
        assignment = next(one for one in tasks(project, bob) if one.judged_at is None)
        bob.post(
            f"/annotation/documents/{assignment.pk}",
            {"relevance": verdict[0], "aspects": verdict[1]},
        )
    assert titles == [document.title for document in BATS]
    html = bob.get(f"/annotation/{project.pk}/next", follow=True).content.decode()
    assert "Thank you" in html
    said = [(one.relevance, one.aspects) for one in tasks(project, bob)]
    assert said[0] == ("relevant", [True, False])
    assert said[2] == ("other", [False, False])


def test_a_judgment_can_be_changed(ada, bob, run):
    project = project_of(ada, run, bob, number="1")
    judge(bob, project, ("relevant", ["1"]))
    [assignment] = tasks(project, bob)
    html = bob.get(f"/annotation/documents/{assignment.pk}").content.decode()
    assert len(re.findall(r"<input[^>]+checked", html)) == 2
    judge(bob, project, ("other", ["1"]))
    [assignment] = tasks(project, bob)
    assert (assignment.relevance, assignment.aspects) == ("other", [False, False])


@pytest.mark.parametrize(
    "data", [{}, {"relevance": "maybe"}, {"relevance": "relevant", "aspects": "7"}]
)
def test_a_judgment_that_says_nothing_is_refused(ada, bob, run, data):
    project = project_of(ada, run, bob, number="1")
    [assignment] = tasks(project, bob)
    assert bob.post(f"/annotation/documents/{assignment.pk}", data).status_code == 422
    assert tasks(project, bob)[0].judged_at is None


def test_judgments_are_their_annotators_own(ada, bob, person, run):
    project = project_of(ada, run, bob, number="1")
    [assignment] = tasks(project, bob)
    eve = person("eve", "curator")
    path = f"/annotation/documents/{assignment.pk}"
    for client in (eve, ada):
        assert client.get(path).status_code == 404
        assert client.post(path, {"relevance": "other"}).status_code == 404
    for end in ("", "/truth.csv", "/qrels.txt", "/index.csv"):
        assert eve.get(f"/annotation/{project.pk}{end}").status_code == 404
        assert bob.get(f"/annotation/{project.pk}{end}").status_code == 403
    assert eve.post(f"/annotation/{project.pk}/delete").status_code == 404
    assert eve.get(f"/annotation/{project.pk}/next").status_code == 404
    assert eve.get(f"/annotation/{project.pk}/mine").status_code == 404
    assert tasks(project, bob)[0].judged_at is None


def test_an_annotator_may_read_the_documents_given_and_no_others(ada, bob, run):
    project_of(ada, run, bob, number="1")
    assert bob.get(f"/runs/{run.pk}").status_code == 404
    assert bob.get(f"/runs/{run.pk}/documents/{digest_of(BATS[0])}").status_code == 200
    assert bob.get(f"/runs/{run.pk}/documents/{digest_of(BATS[1])}").status_code == 404


def test_agreement_of_two(ada, bob, person, run):
    eve = person("eve", "annotator")
    project = project_of(ada, run, bob, eve, overlap="2")
    judge(bob, project, ("relevant", ["0"]), R, N, N)
    judge(eve, project, ("relevant", ["0"]), N, N, N)
    html = ada.get(f"/annotation/{project.pk}").content.decode()
    rows = re.findall(
        r"<th scope=\"row\">([^<]+)</th><td>(\d)</td><td>([^<]+)</td><td>([^<]+)<", html
    )
    # P_o = 3/4, P_e = 1/2 * 1/4 + 1/2 * 3/4 = 1/2; Fleiss: P_e = (3/8)^2 + (5/8)^2
    assert rows[0] == ("the topic", "4", "0.500", "0.467")
    assert rows[1][2:] == ("1.000", "1.000")
    assert rows[2][2:] == ("n/a", "n/a")


def test_files_are_what_commands_read(ada, bob, run, tmp_path):
    from taxocrawl.classify.index import read_index
    from taxocrawl.evaluate.truth import Label, read_truth
    from taxocrawl.rerank.trec import read_qrels

    project = project_of(ada, run, bob)
    judge(bob, project, ("relevant", ["0"]), ("relevant", ["0", "1"]), N, C)

    def file(name):
        path = tmp_path / name
        answer = ada.get(f"/annotation/{project.pk}/{name}")
        assert answer["Content-Disposition"].startswith("attachment")
        path.write_bytes(answer.content)
        return path

    truth = read_truth(file("truth.csv"))
    labels = [truth.label_of(f"http://journal.example/article/{n}") for n in range(4)]
    assert labels == [Label.RELEVANT, Label.RELEVANT, Label.OTHER, Label.BORDERLINE]

    rows = read_qrels(file("qrels.txt"))
    digests = [digest_of(document) for document in BATS]
    assert {(row.query, row.subtopic, row.id, row.relevance) for row in rows} == {
        ("1", "1", digests[0], 1),
        ("1", "2", digests[0], 0),
        ("1", "1", digests[1], 1),
        ("1", "2", digests[1], 1),
        ("1", "1", digests[2], 0),
        ("1", "2", digests[2], 0),
    }

    index = read_index(file("index.csv"))
    found = [(row.category.value if row.category else "", row.kind) for row in index]
    assert found == [
        ("taxonomic", "html"),
        ("taxonomic", "html"),
        ("non-taxonomic", "pdf"),
        ("", "html"),
    ]
    assert all(row.path.is_file() for row in index)


def test_qrels_without_aspects_are_of_the_topic_as_a_whole(ada, bob, run):
    project = project_of(ada, run, bob, aspects="", number="2")
    judge(bob, project, R, N)
    text = ada.get(f"/annotation/{project.pk}/qrels.txt").content.decode()
    assert text == f"1 0 {digest_of(BATS[0])} 1\n1 0 {digest_of(BATS[1])} 0\n"


def test_where_annotators_disagree_a_document_is_borderline(ada, bob, person, run):
    eve = person("eve", "annotator")
    project = project_of(ada, run, bob, eve, overlap="2", number="1")
    judge(bob, project, R)
    judge(eve, project, N)
    assert ",borderline,2\n" in ada.get(f"/annotation/{project.pk}/truth.csv").content.decode()
    assert ada.get(f"/annotation/{project.pk}/qrels.txt").content == b""


def test_the_runs_orders_are_measured(ada, bob, run):
    project = project_of(ada, run, bob)
    html = ada.get(f"/annotation/{project.pk}").content.decode()
    assert "No document is judged to be relevant so far" in html
    judge(bob, project, ("relevant", ["0"]), R, ("relevant", ["1"]), N)
    html = ada.get(f"/annotation/{project.pk}").content.decode()
    assert "alpha-nDCG@10" in html
    for name in ("by score", "mmr, λ 0.5", "xquad, λ 0.5"):
        assert f'<th scope="row">{name}</th>' in html


def test_a_project_is_removed_with_its_judgments(ada, bob, run):
    project = project_of(ada, run, bob)
    assert ada.post(f"/annotation/{project.pk}/delete").status_code == 302
    assert not Assignment.objects.exists()


def test_judgments_of_all_projects_make_one_training_index(ada, bob, person, run, options):
    from taxocrawl.exceptions import ArgumentError
    from taxocrawl.web.server import training_index

    options.folder.mkdir()
    with pytest.raises(ArgumentError, match="--from-desk"):
        training_index(options)
    for verdict in (R, N, N):
        judge(bob, project_of(ada, run, bob, number="1"), verdict)
    lines = training_index(options).read_text().splitlines()
    assert len(lines) == 2
    assert ",non-taxonomic,html,A new flying fox,desk" in lines[1]
