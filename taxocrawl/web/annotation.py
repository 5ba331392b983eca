"""Who judges which documents, and in which order (METU 5.5, figure C.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taxocrawl.classify import load_classifier
from taxocrawl.web.folders import text_of
from taxocrawl.web.models import Account, Assignment, Project, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from taxocrawl.runs.folder import RunFolder

LEAST_SURE, BY_SCORE = "unsure", "score"


def model_names(models: Path) -> list[str]:
    """The page classifiers below MODELS_DIR, as ``topic/name``."""
    return sorted(
        path.parent.relative_to(models).as_posix() for path in models.glob("*/*/model.json")
    )


def in_order(
    folder: RunFolder, records: Sequence[Mapping[str, Any]], order: str, model: Path | None = None
) -> list[Mapping[str, Any]]:
    """Documents in the order in which they are to be judged.

    Args:
        folder: of the run.
        records: its documents by score.
        order: `BY_SCORE`, or `LEAST_SURE`: those first of which a classifier is least sure
            (active learning by uncertainty); equal ones, and those never classified, by score.
        model: decides anew, such as one that was trained since; without, what the crawl's
            classifiers said counts.

    Raises ModelError for a model that cannot be loaded.
    """
    if order == BY_SCORE:
        return list(records)
    sure = [float(record.get("confidence") or 1.0) for record in records]
    if model is not None:
        texts = [
            f"{record.get('title') or ''}\n{text_of(folder, str(record['content_hash']))}".strip()
            for record in records
        ]
        sure = [decision.confidence for decision in load_classifier(model).decide_many(texts)]
    places = sorted(range(len(records)), key=lambda place: sure[place])
    return [records[place] for place in places]


def assign(project: Project, documents: Sequence[str], annotators: Sequence[Account]) -> int:
    """Give each document to as many annotators as the project's overlap says, in turn.

    Documents that the project has already are left as they are. Returns how many are new. Every
    annotator gets the same number, give or take one.
    """
    known = set(
        Assignment.objects.filter(project=project).values_list("document", flat=True).distinct()
    )
    new = [digest for digest in documents if digest not in known]
    share = min(project.overlap, len(annotators))
    Assignment.objects.bulk_create(
        Assignment(
            project=project,
            annotator=annotators[(place * share + turn) % len(annotators)],
            document=digest,
            position=place,
        )
        for place, digest in enumerate(new, start=len(known))
        for turn in range(share)
    )
    return len(new)


def annotators() -> list[Account]:
    """The accounts that may judge, by name."""
    accounts = Account.objects.filter(is_active=True).order_by("username")
    return [account for account in accounts if account.may(Role.ANNOTATOR)]


def next_of(account: Account, project: Project) -> Assignment | None:
    """The first document of a project that an account has not judged."""
    return Assignment.objects.filter(
        project=project, annotator=account, judged_at__isnull=True
    ).first()
