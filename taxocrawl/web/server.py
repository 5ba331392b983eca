"""Starts a desk: makes its tables, its first account, and serves it."""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from taxocrawl.exceptions import ArgumentError, StorageError
from taxocrawl.web.configuration import configure
from taxocrawl.web.jobs.child import ENVIRONMENT_PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from taxocrawl.web.options import DeskOptions

THREADS = 8
_OVERHEAD = 64 * 1024
USER, PASSWORD = f"{ENVIRONMENT_PREFIX}USER", f"{ENVIRONMENT_PREFIX}PASSWORD"
"""Variables that make the first account without the form."""


def serve(options: DeskOptions, say: Callable[[str], None]) -> None:
    """Serve a desk until it is interrupted.

    Args:
        options: of the desk.
        say: told its address, and the code for the first account while there is none.

    Raises StorageError when its folder or port cannot be used, ArgumentError for a first account
    in the environment that cannot be made.
    """
    options = replace(options, setup_code=options.setup_code or secrets.token_urlsafe(12))
    configure(options)
    make_tables()
    has_account = make_first_account(os.environ)
    from django.core.wsgi import get_wsgi_application
    from waitress.server import create_server

    try:
        server = create_server(
            get_wsgi_application(),
            host=options.host,
            port=options.port,
            threads=THREADS,
            max_request_body_size=options.upload_max + _OVERHEAD,
            ident="",
            **_proxy(options),
        )
    except OSError as error:
        where = f"{options.host}:{options.port}"
        raise StorageError(f"{where}: cannot be listened on: {error.strerror}") from error
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"http://{host}:{server.effective_port}/"
    say(f"review desk: {address} (Ctrl-C stops it; crawls go on)")
    if not has_account:
        say(f"first account: {address}first-account?code={options.setup_code}")
    try:
        server.run()
    finally:
        server.close()


def training_index(options: DeskOptions) -> Path:
    """Write the index of all that was judged on the built-in topic, and say where it is.

    Raises ArgumentError when nothing was judged so far.
    """
    from django.conf import settings

    if not settings.configured:
        configure(options)
        make_tables()
    from taxocrawl.web.judgments import write_training_index

    path = options.folder / "training-index.csv"
    write_training_index(path, options.runs)
    return path


def _proxy(options: DeskOptions) -> dict[str, object]:
    """A proxy that speaks https is believed when it says so; nobody else is."""
    if not options.https:
        return {"clear_untrusted_proxy_headers": True}
    return {
        "trusted_proxy": "*",
        "trusted_proxy_headers": {"x-forwarded-proto"},
        "clear_untrusted_proxy_headers": True,
    }


def make_tables() -> None:
    """Bring the desk's database up to date. Raises StorageError when it cannot be written."""
    from django.core.management import call_command
    from django.db import DatabaseError

    try:
        call_command("migrate", verbosity=0, interactive=False)
    except DatabaseError as error:
        raise StorageError(f"the desk's database cannot be used: {error}") from error


def make_first_account(environment: Mapping[str, str]) -> bool:
    """Make the account that the environment names, if there is none at all.

    Returns whether there is one. Raises ArgumentError for a name or password that is refused.
    """
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError

    from taxocrawl.web.models import Account, Role

    if Account.objects.exists():
        return True
    name, password = environment.get(USER, ""), environment.get(PASSWORD, "")
    if not name and not password:
        return False
    account = Account(username=name, role=Role.CURATOR, is_superuser=True, is_staff=True)
    try:
        account.clean_fields(exclude=["password"])
        validate_password(password, account)
    except ValidationError as error:
        raise ArgumentError(f"{USER}, {PASSWORD}: {' '.join(error.messages)}") from error
    account.set_password(password)
    account.save()
    return True
