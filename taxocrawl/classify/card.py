"""The model card: what a model was made from, how well it does, what it must not be used for."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from taxocrawl.classify.features import FEATURE_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from taxocrawl.classify.recipes import Recipe
    from taxocrawl.classify.training import Sample

LICENCE = (
    "The model holds weights of words or markers and no passage of any document. The documents "
    "it was trained on keep their own licences and are not part of the project."
)


def model_card(
    recipe: Recipe,
    samples: Sequence[Sample],
    *,
    kind: str,
    extra: Sequence[Sample] = (),
    figures: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """The card's content. `figures` are confusion figures by the name of the test."""
    learned = recipe.training_samples([*samples, *extra])
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "kind": kind,
        "algorithm": recipe.algorithm,
        "features": recipe.features,
        "feature_version": FEATURE_VERSION,
        "seed": recipe.seed,
        "training_texts": len(learned),
        "documents": _counts(samples),
        "additional_texts": _counts(extra),
        "figures": {name: dict(values) for name, values in figures.items()},
        "licence": LICENCE,
    }


def card_text(name: str, card: Mapping[str, Any], sha256: str) -> str:
    """The card as Markdown (MODEL.md)."""
    lines = [
        f"# {name}",
        "",
        f"Decides whether a text is taxonomic. Kind: {card['kind']}. Algorithm: "
        f"{card['algorithm']}, features: {card['features']} (feature version "
        f"{card['feature_version']}). Trained on {card['date']}, seed {card['seed']}.",
        "",
        f"SHA-256 of what it decides by: `{sha256}`",
        "",
        "## Training data",
        "",
        f"{card['training_texts']} texts were learned from, passages of long ones included.",
        "",
        *_count_lines("Documents of the kind, also used for the figures", card["documents"]),
        *_count_lines("Texts of other kinds, for training only", card["additional_texts"]),
        "## Figures",
        "",
        "| test | TP | FN | FP | TN | precision | recall | F1 | accuracy |",
        "| :-- | --: | --: | --: | --: | --: | --: | --: | --: |",
        *(_figure_line(test, values) for test, values in card["figures"].items()),
        "",
        "Cross-validation keeps all versions of an article in one fold.",
        "",
        "## Licence",
        "",
        str(card["licence"]),
        "",
    ]
    return "\n".join(lines)


def _counts(samples: Iterable[Sample]) -> dict[str, dict[str, int]]:
    """Number of samples by source (or kind, where there is none) and category."""
    counts: dict[str, Counter[str]] = {}
    for sample in samples:
        name = sample.source or sample.kind or "unknown"
        counts.setdefault(name, Counter())[sample.category.value] += 1
    return {name: dict(sorted(counts[name].items())) for name in sorted(counts)}


def _count_lines(heading: str, counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    if not counts:
        return []
    lines = [f"{heading}:", ""]
    for source, numbers in counts.items():
        parts = ", ".join(f"{number} {category}" for category, number in numbers.items())
        lines.append(f"- {source}: {parts}")
    return [*lines, ""]


def _figure_line(test: str, values: Mapping[str, Any]) -> str:
    counts = [str(values[name]) for name in ("tp", "fn", "fp", "tn")]
    ratios = [
        "n/a" if values[name] is None else f"{100 * values[name]:.2f} %"
        for name in ("precision", "recall", "f1", "accuracy")
    ]
    return "| " + " | ".join([test, *counts, *ratios]) + " |"
