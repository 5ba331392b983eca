"""`scrapy evaluate classifier --index INDEX.csv`: the figures of trained classifiers.

Exit codes: 0 figures were printed for every row; 1 some rows' documents cannot be read (one line
each on stderr; figures are of the others); 2 a wrong argument, index or model.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

    from taxocrawl.classify.base import Classifier
    from taxocrawl.classify.index import IndexRow
    from taxocrawl.evaluate.classifiers import Judged

SUMMARY = "confusion matrix, precision, recall, F1 and accuracy of the classifiers on an index"
KINDS = ("html", "pdf", "txt")
EXIT_MISSING = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--index, --kind, --model, --allow-missing and --json."""
    parser.add_argument(
        "--index",
        type=Path,
        required=True,
        metavar="FILE",
        help="CSV with the columns path, label, kind; paths relative to the file",
    )
    parser.add_argument("--kind", choices=KINDS, help="only rows of this kind (default: all)")
    parser.add_argument(
        "--model",
        type=Path,
        metavar="FOLDER",
        help="decide by this model instead of CLASSIFIER_HTML and CLASSIFIER_PDF",
    )
    parser.add_argument(
        "--allow-missing", action="store_true", help="exit with 0 though documents are missing"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(options: argparse.Namespace, settings: BaseSettings) -> int:
    """Judge every row by the classifier of its kind and print the figures."""
    from taxocrawl.classify.index import BORDERLINE, of_kinds, read_index
    from taxocrawl.classify.training import read_samples
    from taxocrawl.evaluate.classifiers import judge
    from taxocrawl.exceptions import InputFileError

    kinds = [options.kind] if options.kind else list(KINDS)
    rows = of_kinds(read_index(options.index), kinds)
    if not rows:
        raise InputFileError(f"index {options.index}: no rows of kind {', '.join(kinds)}")
    models = _models(options.model, settings, rows)
    samples, problems = read_samples(rows)
    for problem in problems:
        sys.stderr.write(f"taxocrawl: {problem}\n")
    judged: list[Judged] = []
    for kind, classifier in models.items():
        judged += judge(classifier, [sample for sample in samples if sample.is_of(kind)])
    report = {
        "index": str(options.index),
        "models": {kind: classifier.name for kind, classifier in models.items()},
        **_figures(judged),
        BORDERLINE: sum(row.category is None for row in rows),
        "unreadable": len(problems),
    }
    print(json.dumps(report, indent=2, ensure_ascii=False) if options.json else _table(report))
    return EXIT_MISSING if problems and not options.allow_missing else 0


def _models(
    folder: Path | None, settings: BaseSettings, rows: Sequence[IndexRow]
) -> dict[str, Classifier]:
    """The classifier of each kind that occurs; plain text goes with HTML, as in a crawl."""
    from taxocrawl.classify import load_classifier
    from taxocrawl.classify.index import of_kinds
    from taxocrawl.commands._models import load_models

    if folder is not None:
        one = load_classifier(folder)
        models: dict[str, Classifier] = dict.fromkeys(KINDS, one)
    else:
        loaded = load_models(settings)
        models = {**loaded, "txt": loaded["html"]}
    return {kind: models[kind] for kind in KINDS if of_kinds(rows, [kind])}


def _figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Figures in all, by kind and by source, and the errors."""
    from taxocrawl.evaluate.classifiers import confusion_by, confusion_of

    by_kind = confusion_by(judged, lambda sample: sample.kind)
    by_source = confusion_by(judged, lambda sample: sample.source)
    return {
        "documents": len(judged),
        **confusion_of(judged).figures(),
        "by_kind": {name: one.figures() for name, one in by_kind.items()},
        "by_source": {name: one.figures() for name, one in by_source.items() if name},
        "errors": [
            {
                "path": one.sample.path,
                "label": one.sample.category.value,
                "predicted": one.decision.category.value,
                "confidence": round(one.decision.confidence, 4),
            }
            for one in judged
            if one.pair[0] != one.pair[1]
        ],
    }


def _table(report: dict[str, Any]) -> str:
    """The report for people."""
    from taxocrawl.evaluate.confusion import percent
    from taxocrawl.evaluate.tables import aligned

    counts = ("tp", "fn", "fp", "tn")
    ratios = ("precision", "recall", "f1", "accuracy")
    parts = {"all": report, **report["by_kind"], **report["by_source"]}
    rows = [
        [name, *(str(one[key]) for key in counts), *(percent(one[key]) for key in ratios)]
        for name, one in parts.items()
    ]
    matrix = [
        ["taxonomic", str(report["tp"]), str(report["fn"])],
        ["non-taxonomic", str(report["fp"]), str(report["tn"])],
    ]
    lines = [
        *(f"{kind}: {name}" for kind, name in report["models"].items()),
        "",
        aligned(["actual \\ predicted", "taxonomic", "non-taxonomic"], matrix),
        "",
        aligned(["", *(key.upper() for key in counts), *(f"{key} %" for key in ratios)], rows),
        "",
        *(
            f"error: {one['path']} is {one['label']}, predicted {one['predicted']} "
            f"({one['confidence']:.2f})"
            for one in report["errors"]
        ),
        f"left out: {report['borderline']} borderline, {report['unreadable']} unreadable",
    ]
    return "\n".join(lines)
