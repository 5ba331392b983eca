"""One desk in this process, with a database that each test leaves empty."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("django", reason="the desk's extra is not installed")

from taxocrawl.settings import GOLDSTANDARD_DIR, MODELS_DIR, STOPWORDS_DIR
from taxocrawl.web.configuration import configure
from taxocrawl.web.options import DeskOptions
from taxocrawl.web.server import make_tables
from tests.crawl.running import ROOT

PASSWORD = "flying fox 1758"
CODE = "the code on the terminal"


# Django's models can be imported in a configured process alone, and tests import them.
_FOLDER = tempfile.TemporaryDirectory(prefix="desk-")
OPTIONS = DeskOptions(
    folder=Path(_FOLDER.name),
    runs=Path(_FOLDER.name) / "runs",
    project=ROOT,
    goldstandards=GOLDSTANDARD_DIR,
    models=MODELS_DIR,
    stopwords=STOPWORDS_DIR,
    setup_code=CODE,
    allowed_hosts=("testserver",),
)
configure(OPTIONS)


@pytest.fixture(scope="session")
def django() -> DeskOptions:
    make_tables()
    return OPTIONS


@pytest.fixture
def options(django: DeskOptions, tmp_path: Path) -> DeskOptions:
    (tmp_path / "runs").mkdir()
    return replace(django, folder=tmp_path / "desk", runs=tmp_path / "runs")


@pytest.fixture(autouse=True)
def desk(options: DeskOptions) -> Iterator[Callable[..., DeskOptions]]:
    """Changes the desk's options; takes back what the test wrote to the database."""
    from django.conf import settings
    from django.db import transaction
    from django.test.utils import override_settings

    def changed(**changes: Any) -> DeskOptions:
        settings.DESK = replace(settings.DESK, **changes)
        return settings.DESK

    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(DESK=options, PASSWORD_HASHERS=hashers):
        block = transaction.atomic()
        block.__enter__()
        try:
            yield changed
        finally:
            transaction.set_rollback(True)
            block.__exit__(None, None, None)


@pytest.fixture
def person() -> Callable[..., Any]:
    """Makes an account and a client that is logged in as it."""
    from django.test import Client

    from taxocrawl.web.models import Account, Role

    def made(name: str, role: str = "reader", *, manages: bool = False) -> Client:
        account = Account(username=name, role=Role(role), is_superuser=manages)
        account.set_password(PASSWORD)
        account.save()
        client = Client()
        client.force_login(account)
        client.account = account
        return client

    return made
