"""Django's settings for one desk, and its secret key."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxocrawl.exceptions import StorageError

if TYPE_CHECKING:
    from taxocrawl.web.options import DeskOptions

PACKAGE = Path(__file__).parent
_KEY_BYTES = 50
_VALIDATION = "django.contrib.auth.password_validation"


def configure(options: DeskOptions) -> None:
    """Make Django ready for this desk; once in a process."""
    import django
    from django.conf import settings

    settings.configure(**django_settings(options))
    django.setup()


def django_settings(options: DeskOptions) -> dict[str, Any]:
    """All of Django's settings that are not its defaults.

    Raises StorageError when the desk's folder cannot be written.
    """
    return {
        "DESK": options,
        "SECRET_KEY": secret_key(options.folder),
        "ALLOWED_HOSTS": ["127.0.0.1", "localhost", "[::1]", *options.allowed_hosts],
        "ROOT_URLCONF": "taxocrawl.web.urls",
        "INSTALLED_APPS": [
            "taxocrawl.web.apps.DeskConfig",
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "django.contrib.staticfiles",
        ],
        "DATABASES": {"default": _database(options)},
        "TEMPLATES": [_templates()],
        "AUTH_USER_MODEL": "desk.Account",
        "AUTH_PASSWORD_VALIDATORS": _password_rules(),
        "LOGIN_URL": "login",
        "LOGIN_REDIRECT_URL": "runs",
        "LOGOUT_REDIRECT_URL": "login",
        "STATIC_URL": "static/",
        "WHITENOISE_USE_FINDERS": True,
        "WHITENOISE_AUTOREFRESH": False,
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "DATA_UPLOAD_MAX_MEMORY_SIZE": options.upload_max,
        "FILE_UPLOAD_MAX_MEMORY_SIZE": options.upload_max,
        # Larger bodies are refused before they are read.
        "FILE_UPLOAD_HANDLERS": ["django.core.files.uploadhandler.MemoryFileUploadHandler"],
        "FORM_RENDERER": "taxocrawl.web.forms.renderer.DeskRenderer",
        "MESSAGE_STORAGE": "django.contrib.messages.storage.session.SessionStorage",
        "LOGGING": _logging(),
        **_security(options),
    }


def secret_key(folder: Path) -> str:
    """The desk's secret key, made at its first start in a file that only its owner reads.

    Raises StorageError when it can be neither read nor written.
    """
    path = folder / "secret-key"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(_KEY_BYTES))
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise StorageError(f"{path}: cannot be read or written: {error.strerror}") from error


def _database(options: DeskOptions) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(options.database),
        "OPTIONS": {
            # Two that first read and then write would else wait for each other in vain.
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def _templates() -> dict[str, Any]:
    return {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["taxocrawl.web.templatetags.webtext"],
        },
    }


def _password_rules() -> list[dict[str, Any]]:
    return [
        {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
        {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
        {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
        {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
    ]


def _security(options: DeskOptions) -> dict[str, Any]:
    return {
        "MIDDLEWARE": [
            "taxocrawl.web.security.HeadersMiddleware",
            "django.middleware.security.SecurityMiddleware",
            "whitenoise.middleware.WhiteNoiseMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "taxocrawl.web.tokens.TokenMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "taxocrawl.web.tokens.TokenAccountMiddleware",
            "taxocrawl.web.security.FirstAccountMiddleware",
            "django.contrib.auth.middleware.LoginRequiredMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
        ],
        "SESSION_COOKIE_SECURE": options.https,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_HTTPONLY": True,
        "CSRF_COOKIE_SECURE": options.https,
        "CSRF_COOKIE_SAMESITE": "Lax",
        "CSRF_COOKIE_HTTPONLY": True,
        "SECURE_HSTS_SECONDS": options.hsts_seconds if options.https else 0,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if options.https else None,
        "CSRF_TRUSTED_ORIGINS": [f"https://{name}" for name in options.allowed_hosts]
        if options.https
        else [],
        "SECURE_REFERRER_POLICY": "same-origin",
        "SECURE_CROSS_ORIGIN_OPENER_POLICY": "same-origin",
        "X_FRAME_OPTIONS": "DENY",
    }


def _logging() -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {"console": {"class": "logging.StreamHandler"}},
        "loggers": {
            "django.request": {"handlers": ["console"], "level": "ERROR", "propagate": False}
        },
    }
