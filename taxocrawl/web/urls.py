"""The desk's addresses."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter

from taxocrawl.web.views import accounts, annotation, api, documents, projects, runs, texts


class IdConverter:
    """An id as `taxocrawl.web.models.new_id` makes it."""

    regex = r"[A-Za-z0-9_-]{12}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class DigestConverter(IdConverter):
    """SHA-256 of a document's bytes."""

    regex = r"[0-9a-f]{64}"


register_converter(IdConverter, "id")
register_converter(DigestConverter, "digest")

urlpatterns = [
    path("", runs.run_list, name="runs"),
    path("login", accounts.DeskLogin.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("first-account", accounts.first_account, name="first-account"),
    path("account", accounts.own_account, name="account"),
    path("account/tokens", accounts.create_token, name="create-token"),
    path("account/tokens/<int:token_id>/delete", accounts.delete_token, name="delete-token"),
    path("accounts", accounts.accounts, name="accounts"),
    path("accounts/<int:account_id>", accounts.change_account, name="change-account"),
    path("runs/new", runs.new_run, name="new-run"),
    path("runs/<id:run_id>", runs.run_page, name="run"),
    path("runs/<id:run_id>/cancel", runs.cancel_run, name="cancel-run"),
    path("runs/<id:run_id>/resume", runs.resume_run, name="resume-run"),
    path("runs/<id:run_id>/share", runs.share_run, name="share-run"),
    path("runs/<id:run_id>/aspects", runs.run_aspects, name="run-aspects"),
    path("runs/<id:run_id>/results", documents.results, name="results"),
    path("runs/<id:run_id>/documents/<digest:digest>", documents.document, name="document"),
    path(
        "runs/<id:run_id>/documents/<digest:digest>/text",
        documents.document_text,
        name="document-text",
    ),
    path(
        "runs/<id:run_id>/documents/<digest:digest>/copy",
        documents.document_copy,
        name="document-copy",
    ),
    path("texts", texts.text_lists, name="text-lists"),
    path("texts/new", texts.new_list, name="new-texts"),
    path("texts/<id:list_id>", texts.text_list, name="text-list"),
    path("texts/<id:list_id>/delete", texts.delete_list, name="delete-list"),
    path("annotation", annotation.tasks, name="tasks"),
    path("annotation/documents/<id:assignment_id>", annotation.judge, name="judge"),
    path("annotation/<id:project_id>/next", annotation.next_document, name="next-document"),
    path("annotation/<id:project_id>/mine", annotation.own_judgments, name="own-judgments"),
    path("annotation/<id:project_id>", projects.project_page, name="project"),
    path("annotation/<id:project_id>/delete", projects.delete_project, name="delete-project"),
    path("annotation/<id:project_id>/truth.csv", projects.export_truth, name="export-truth"),
    path("annotation/<id:project_id>/qrels.txt", projects.export_qrels, name="export-qrels"),
    path("annotation/<id:project_id>/index.csv", projects.export_index, name="export-index"),
    path("runs/<id:run_id>/annotate", projects.new_project, name="new-project"),
    path("api/v1/openapi.json", api.schema, name="api-schema"),
    path("api/v1/runs", api.runs, name="api-runs"),
    path("api/v1/runs/<id:run_id>", api.run, name="api-run"),
    path("api/v1/runs/<id:run_id>/cancel", api.cancel, name="api-cancel"),
    path("api/v1/runs/<id:run_id>/resume", api.resume_run, name="api-resume"),
    path("api/v1/runs/<id:run_id>/results", api.results, name="api-results"),
    path("api/v1/runs/<id:run_id>/documents/<digest:digest>", api.document, name="api-document"),
    path("api/v1/projects", api.projects, name="api-projects"),
    path("api/v1/projects/<id:project_id>/judgments", api.judgments, name="api-judgments"),
]

handler400 = "taxocrawl.web.views.errors.bad_request"
handler403 = "taxocrawl.web.views.errors.forbidden"
handler404 = "taxocrawl.web.views.errors.not_found"
handler500 = "taxocrawl.web.views.errors.failed"
