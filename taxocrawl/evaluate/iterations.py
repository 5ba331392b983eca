"""The statistics of a crawl's iterations: the table in the log and the rows of iterations.csv."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from taxocrawl.evaluate.confusion import UNDEFINED, percent
from taxocrawl.evaluate.tables import aligned
from taxocrawl.items import Kind

if TYPE_CHECKING:
    from collections import Counter

    from taxocrawl.evaluate.crawl import CrawlFigures, IterationFigures

_COUNTS = ("downloaded", "passed", "rejected", "failed")
_JUDGED = (
    "borderline",
    "unlisted",
    "tp",
    "fp",
    "tn",
    "fn",
    "precision_before",
    "precision_after",
    "recall",
    "accuracy_before",
    "accuracy_after",
)
ITERATION_FIELDS = (
    "iteration",
    *_COUNTS,
    *(f"rejected_{kind}" for kind in Kind),
    "rejected_by_reason",
    "withheld_by_reason",
    "failed_by_reason",
    "harvest_rate",
    *_JUDGED,
    *(f"cumulative_{name}" for name in (*_COUNTS, "harvest_rate", *_JUDGED)),
    "relative_recall_before",
    "relative_recall_after",
)
"""The header of iterations.csv. Names with ``cumulative_`` count all iterations up to the row's.

Ratios are in [0, 1] with six decimals and ``n/a`` where undefined; what needs a truth is empty
without one; reasons are JSON objects of counts.
"""

_JUDGED_SHARES = ("precision % before", "after", "recall %", "accuracy % before", "after")
_CUMULATIVE_SHARES = (
    *("relative recall % before", "after"),
    *("precision % before", "after"),
    *("accuracy % before", "after"),
)


def iteration_records(figures: CrawlFigures) -> list[dict[str, Any]]:
    """The figures of each iteration by the names in `ITERATION_FIELDS`.

    Counts are whole numbers, ratios in [0, 1] or None where undefined, reasons counts by reason,
    most frequent first. What needs a truth is absent without one.
    """
    records = []
    relative = zip(figures.relative_recall_before, figures.relative_recall_after, strict=True)
    pairs = zip(figures.iterations, figures.cumulative, relative, strict=True)
    for number, (own, so_far, (recall_before, recall_after)) in enumerate(pairs):
        record = {
            "iteration": number,
            **_counts(own, figures),
            **{f"rejected_{kind}": own.rejected_by_kind[kind] for kind in Kind},
            "rejected_by_reason": dict(_by_count(own.rejected_by_reason)),
            "withheld_by_reason": dict(_by_count(own.withheld_by_reason)),
            "failed_by_reason": dict(_by_count(own.failed_by_reason)),
            **{f"cumulative_{name}": value for name, value in _counts(so_far, figures).items()},
        }
        if figures.judged:
            record["relative_recall_before"] = recall_before
            record["relative_recall_after"] = recall_after
        records.append(record)
    return records


def _counts(part: IterationFigures, figures: CrawlFigures) -> dict[str, int | float | None]:
    counts = {name: getattr(part, name) for name in _COUNTS}
    counts["harvest_rate"] = figures.harvest_rate(part)
    if not figures.judged:
        return counts
    after, before = part.confusion, part.before
    return counts | {
        "borderline": part.borderline,
        "unlisted": part.unlisted,
        "tp": after.tp,
        "fp": after.fp,
        "tn": after.tn,
        "fn": after.fn,
        "precision_before": before.precision,
        "precision_after": after.precision,
        "recall": after.recall,
        "accuracy_before": before.accuracy,
        "accuracy_after": after.accuracy,
    }


def iteration_rows(figures: CrawlFigures) -> list[dict[str, str]]:
    """The lines of iterations.csv, with the keys `ITERATION_FIELDS` in their order."""
    return [
        {name: _cell(record[name]) if name in record else "" for name in ITERATION_FIELDS}
        for record in iteration_records(figures)
    ]


def _cell(value: Any) -> str:
    match value:
        case None:
            return UNDEFINED
        case float():
            return f"{value:.6f}"
        case dict():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def _by_count(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def iteration_table(figures: CrawlFigures) -> str:
    """The statistics of all iterations as text of several lines, for the log.

    Per iteration: downloads, passed, rejected by kind and reason, failures. With a truth also
    the filter's confusion and its figures in percent, in the iteration itself and up to it,
    before and after filtering.
    """
    header = ("iteration", *_COUNTS, "harvest %")
    parts = [*enumerate(figures.iterations), ("all", figures.total)]
    rows = [
        (
            str(name),
            *(str(getattr(part, count)) for count in _COUNTS),
            percent(figures.harvest_rate(part)),
        )
        for name, part in parts
    ]
    blocks = [aligned(header, rows), *_reason_lines(figures)]
    if figures.judged:
        blocks += [_judged_table(figures), _cumulative_table(figures)]
    return "\n".join(blocks)


def _reason_lines(figures: CrawlFigures) -> list[str]:
    total = figures.total
    named = (
        ("rejected by kind", total.rejected_by_kind),
        ("rejected by reason", total.rejected_by_reason),
        ("passed but withheld", total.withheld_by_reason),
        ("failed", total.failed_by_reason),
    )
    return [
        f"{name}: " + ", ".join(f"{reason} {count}" for reason, count in _by_count(counts))
        for name, counts in named
        if counts
    ]


def _judged_table(figures: CrawlFigures) -> str:
    header = ("against the truth", "TP", "FP", "TN", "FN", *_JUDGED_SHARES)
    rows = []
    for number, part in enumerate(figures.iterations):
        after, before = part.confusion, part.before
        counts = (str(n) for n in (after.tp, after.fp, after.tn, after.fn))
        shares = (before.precision, after.precision, after.recall, before.accuracy, after.accuracy)
        rows.append((str(number), *counts, *map(percent, shares)))
    left_out = figures.total
    return (
        f"{aligned(header, rows)}\n"
        f"borderline, left out: {left_out.borderline}; not in the truth: {left_out.unlisted}"
    )


def _cumulative_table(figures: CrawlFigures) -> str:
    header = ("up to iteration", "taxonomic before", "after", "bad before", "after")
    recalls = zip(figures.relative_recall_before, figures.relative_recall_after, strict=True)
    rows = []
    for number, (part, recall) in enumerate(zip(figures.cumulative, recalls, strict=True)):
        after, before = part.confusion, part.before
        counts = (str(n) for n in (before.tp, after.tp, before.fp, after.fp))
        shares = (*recall, before.precision, after.precision, before.accuracy, after.accuracy)
        rows.append((str(number), *counts, *map(percent, shares)))
    return aligned((*header, *_CUMULATIVE_SHARES), rows)
