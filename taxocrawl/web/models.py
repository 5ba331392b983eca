"""What the desk remembers beside the runs' own folders: accounts, crawls, lists, judgments."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models

from taxocrawl.evaluate.truth import Label

if TYPE_CHECKING:
    from datetime import datetime


def new_id() -> str:
    """An id that cannot be guessed from another one, fit for a URL."""
    return secrets.token_urlsafe(9)


class Role(models.TextChoices):
    """What an account may do; each role may all that the ones before it may."""

    READER = "reader", "reader: reads runs that are shared"
    ANNOTATOR = "annotator", "annotator: judges documents besides"
    CURATOR = "curator", "curator: starts crawls and has documents judged besides"


class Account(AbstractUser):
    """A person. The one with `is_superuser` manages accounts and sees every run."""

    role: models.CharField[str, str] = models.CharField(
        max_length=10, choices=Role.choices, default=Role.READER
    )

    def may(self, role: Role) -> bool:
        """Whether the account has this role or one above it."""
        order = list(Role)
        return self.is_active and order.index(Role(self.role)) >= order.index(role)


class LoginFailure(models.Model):
    """A log-in that failed, counted to slow down guessing."""

    key: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(
        auto_now_add=True, db_index=True
    )


class ApiToken(models.Model):
    """A key with which a program acts for an account; only its digest is kept."""

    account: models.ForeignKey[Account, Account] = models.ForeignKey(
        Account, on_delete=models.CASCADE
    )
    name: models.CharField[str, str] = models.CharField(max_length=80)
    digest: models.CharField[str, str] = models.CharField(max_length=64, unique=True)
    created: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)


class Backend(models.TextChoices):
    """What runs a crawl."""

    NONE = "", "not started here"
    CHILD = "child", "child process"
    SCRAPYD = "scrapyd", "scrapyd"


class Run(models.Model):
    """A run's folder, whose it is, and the process that crawls."""

    id: models.CharField[str, str] = models.CharField(
        primary_key=True, max_length=16, default=new_id, editable=False
    )
    folder: models.CharField[str, str] = models.CharField(max_length=200, unique=True)
    """Name below RUNS_DIR."""
    owner: models.ForeignKey[Account | None, Account | None] = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL
    )
    owner_id: int | None
    shared: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    """Whether every account may read it."""
    title: models.CharField[str, str] = models.CharField(max_length=500)
    spider: models.CharField[str, str] = models.CharField(max_length=40, default="taxonomic")
    arguments: models.JSONField[Any, Any] = models.JSONField(default=dict)
    topic: models.CharField[str, str] = models.CharField(max_length=200, blank=True)
    """Folder of the topic below GOLDSTANDARD_DIR."""
    aspects: models.JSONField[Any, Any] = models.JSONField(default=list)
    """Pairs of an aspect's name and its words."""
    created: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    backend: models.CharField[str, str] = models.CharField(
        max_length=10, choices=Backend.choices, default=Backend.NONE
    )
    pid: models.PositiveIntegerField[int | None, int | None] = models.PositiveIntegerField(
        null=True, blank=True
    )
    pid_started: models.CharField[str, str] = models.CharField(max_length=100, blank=True)
    """When the process of that id began, by the system: ids are used again."""
    job: models.CharField[str, str] = models.CharField(max_length=64, blank=True)
    """Scrapyd's id."""
    cancelled: models.BooleanField[bool, bool] = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["-created", "-id"]


class TextList(models.Model):
    """Short texts that were uploaded or found by a live search."""

    id: models.CharField[str, str] = models.CharField(
        primary_key=True, max_length=16, default=new_id, editable=False
    )
    owner: models.ForeignKey[Account, Account] = models.ForeignKey(
        Account, on_delete=models.CASCADE
    )
    query: models.CharField[str, str] = models.CharField(max_length=500)
    source: models.CharField[str, str] = models.CharField(max_length=40)
    aspects: models.JSONField[Any, Any] = models.JSONField(default=list)
    records: models.JSONField[Any, Any] = models.JSONField(default=list)
    """Objects as `taxocrawl.rerank.candidates` reads them, in the order found."""
    created: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created", "-id"]


class Project(models.Model):
    """Documents of a run that annotators judge."""

    id: models.CharField[str, str] = models.CharField(
        primary_key=True, max_length=16, default=new_id, editable=False
    )
    run: models.ForeignKey[Run, Run] = models.ForeignKey(Run, on_delete=models.CASCADE)
    run_id: str
    owner: models.ForeignKey[Account, Account] = models.ForeignKey(
        Account, on_delete=models.CASCADE
    )
    topic: models.CharField[str, str] = models.CharField(max_length=500)
    aspects: models.JSONField[Any, Any] = models.JSONField(default=list)
    """Names, in the order of their numbers in qrels."""
    overlap: models.PositiveSmallIntegerField[int, int] = models.PositiveSmallIntegerField(
        default=1
    )
    """How many annotators judge each document."""
    created: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created", "-id"]


class Relevance(models.TextChoices):
    """What an annotator says of a document: the words of a truth file."""

    RELEVANT = Label.RELEVANT.value, "relevant"
    OTHER = Label.OTHER.value, "not relevant"
    BORDERLINE = Label.BORDERLINE.value, "cannot tell"


class Assignment(models.Model):
    """A document that one annotator is to judge, and the judgment once there is one."""

    id: models.CharField[str, str] = models.CharField(
        primary_key=True, max_length=16, default=new_id, editable=False
    )
    project: models.ForeignKey[Project, Project] = models.ForeignKey(
        Project, on_delete=models.CASCADE
    )
    annotator: models.ForeignKey[Account, Account] = models.ForeignKey(
        Account, on_delete=models.CASCADE
    )
    annotator_id: int
    document: models.CharField[str, str] = models.CharField(max_length=64)
    """Hash of the document's bytes."""
    position: models.PositiveIntegerField[int, int] = models.PositiveIntegerField()
    """Place in the order in which the project's documents are judged."""
    relevance: models.CharField[str, str] = models.CharField(
        max_length=10, choices=Relevance.choices, blank=True
    )
    aspects: models.JSONField[Any, Any] = models.JSONField(default=list)
    """One truth value an aspect of the project; empty before the judgment."""
    judged_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(
        null=True, blank=True
    )

    class Meta:
        ordering: ClassVar = ["position", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "annotator", "document"], name="one_judgment_each"
            )
        ]
