"""Whether two rankings differ over the same queries by more than chance."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from taxocrawl.exceptions import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 9_999


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A mean difference over queries and three two-sided p-values for it, each in [0, 1]."""

    queries: int
    difference: float
    """Mean of second minus first."""
    better: int
    """Queries in which the second is above the first."""
    worse: int
    t: float
    """Student's paired t-test."""
    wilcoxon: float
    """Wilcoxon's signed ranks."""
    randomisation: float
    """Fisher's randomisation: signs of the differences turned at random."""


def paired_test(first: Sequence[float], second: Sequence[float], seed: int = 0) -> PairedTest:
    """Compare two systems by one figure a query, in the same order of queries.

    Without any difference every p-value is 1. Up to 13 queries the randomisation test goes
    through all 2^n signs, above that through 9,999 random ones from `seed`. Raises ArgumentError
    unless both have the same number of queries, at least two.
    """
    stats = _scipy_stats()
    if len(first) != len(second) or len(first) < 2:
        raise ArgumentError(
            f"a paired test needs the same queries for both, at least two: got {len(first)} and "
            f"{len(second)}"
        )
    gaps = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    better, worse = int((gaps > 0).sum()), int((gaps < 0).sum())
    if not gaps.any():
        return PairedTest(len(gaps), 0.0, 0, 0, 1.0, 1.0, 1.0)
    constant = bool(np.ptp(gaps) == 0)
    # Differences that do not vary at all would divide by zero; no chance makes them.
    t = 0.0 if constant else float(stats.ttest_1samp(gaps, 0.0).pvalue)
    wilcoxon = float(stats.wilcoxon(gaps, method="auto").pvalue)
    randomised = stats.permutation_test(
        (gaps,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(seed),
    )
    p = min(1.0, float(randomised.pvalue))
    return PairedTest(len(gaps), fmean(gaps.tolist()), better, worse, t, wilcoxon, p)


def confidence_interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float | None]:
    """The mean, and half the width of its confidence interval by Student's t.

    None for the width of a single value. Raises ArgumentError without any value and for a level
    outside (0, 1).
    """
    if not values or not 0 < level < 1:
        raise ArgumentError(
            f"a confidence interval needs a value and a level in (0, 1), not {level}"
        )
    mean = fmean(values)
    if len(values) == 1:
        return mean, None
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5
    stats = _scipy_stats()
    return mean, float(stats.t.ppf((1 + level) / 2, len(values) - 1)) * error


def _scipy_stats() -> Any:
    """Imported when used: it takes a second, and Scrapy imports every command for each of them."""
    from scipy import stats

    return stats
