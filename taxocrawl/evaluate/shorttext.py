"""The document's experiments on short texts: tables 5.3-5.12 (METU 5.4)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from taxocrawl.evaluate.ranking import REPORTED
from taxocrawl.evaluate.significance import paired_test
from taxocrawl.evaluate.sweeps import (
    LAMBDAS,
    TARGET,
    Choice,
    best_of,
    cross_validated,
    figures_of,
    mean_figures,
)
from taxocrawl.evaluate.tables import aligned, markdown
from taxocrawl.rerank.representations import FIRST_RANKINGS, SIMILARITIES, VARIANTS
from taxocrawl.rerank.reranker import EXPLICIT, Reranker

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from taxocrawl.evaluate.collection import Collection
    from taxocrawl.evaluate.ranking import RankingFigures
    from taxocrawl.rerank.representations import TextModel

DEPTH = 100
"""Candidates considered of each query, as in METU 5.4.1."""
LENGTH = 30
"""Texts gathered for each query, as in METU 5.4.2."""
_OTHERS = tuple(name for name in SIMILARITIES if name not in VARIANTS)
_MEASURES = ("", *REPORTED)
_AGAINST = ("", TARGET, "difference", "better/worse", "t", "Wilcoxon", "randomisation")


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption; the first column names the row."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        return f"{self.caption}\n{aligned(self.header, self.rows)}"

    def markdown(self) -> str:
        return f"### {self.caption}\n\n{markdown(self.header, self.rows)}"


@dataclass(frozen=True, slots=True)
class Tuned:
    """A way to rerank that was chosen on the queries of a collection."""

    label: str
    reranker: Reranker
    collection: str
    """Name of the collection it was chosen on."""


@dataclass
class ShortTextExperiment:
    """All methods over one collection.

    Args:
        collection: queries, candidates and judgements.
        model: what texts are read with; methods whose vectors it lacks are left out.
        lambdas: values that every method with a lambda is tried with.
        tuned: chosen on other collections, to be applied as they stand.
        systems: what has been measured so far, by method and similarity, then by value.
        rerankers: the ways so measured, by method, similarity and value.
    """

    collection: Collection
    model: TextModel
    lambdas: Sequence[float] = LAMBDAS
    tuned: Sequence[Tuned] = ()
    systems: dict[str, dict[str, RankingFigures]] = field(default_factory=dict)
    rerankers: dict[str, Reranker] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """Every table that the collection allows, the comparison with the plain ranking last."""
        firsts = self._first_rankings()
        first = self._base()
        found = [_figures_table(f"First rankings ({self.collection.name})", firsts)]
        for method, similarities in (("mmr", _OTHERS), ("sy", (*_OTHERS, *VARIANTS))):
            base = replace(first, method=method)
            names = [name for name in similarities if self._possible(name)]
            sweeps = self._sweeps(
                {f"{method} {name}": replace(base, similarity=name) for name in names}
            )
            best = max(sweeps, key=lambda name: best_of(sweeps[name]).figures.mean(TARGET))
            found.append(_sweep_table(f"{best}: every lambda", sweeps[best]))
            found.append(_choice_table(f"{method}: similarities", sweeps))
            self.systems |= sweeps
        found.append(self._retweet_table(first))
        if self.collection.aspects:
            found.append(self._explicit_table(first))
        plain = figures_of(self.collection, first, self.model)
        found.append(self._comparison(plain))
        return [*found, *([self._untuned(plain, first)] if self.tuned else [])]

    def chosen(self) -> list[Tuned]:
        """What cross-validation chose most often: of all systems, and of each method.

        Empty before `tables`.
        """
        if not self.systems:
            return []
        labels = [cross_validated(self._every()).label]
        labels += [f"{name} {choice.label}" for name, choice in self._best_lambdas()]
        return [
            Tuned(label, self.rerankers[label], self.collection.name)
            for label in dict.fromkeys(labels)
        ]

    def _base(self) -> Reranker:
        """The plain ranking: as the candidates came, or by BM25 when they came unranked."""
        by = "rank" if self.collection.ranked else "bm25"
        return Reranker("none", by, depth=DEPTH, length=LENGTH)

    def _possible(self, name: str) -> bool:
        """Whether the model has the vectors that a comparison needs."""
        if name == "sentences":
            return self.model.encoder is not None
        if name == "wordnet":
            return self.model.wordnet is not None
        if name in VARIANTS and "Se" in VARIANTS[name]:
            return self.model.wordnet is not None or self.model.vectors is not None
        needs_words = name == "wmd" or name.startswith("words-")
        return self.model.vectors is not None or not needs_words

    def _first_rankings(self) -> dict[str, RankingFigures]:
        names = (*(("rank",) if self.collection.ranked else ()), *FIRST_RANKINGS)
        return {
            name: figures_of(self.collection, replace(self._base(), first=name), self.model)
            for name in names
            if self._possible(name)
        }

    def _sweeps(self, ways: Mapping[str, Reranker]) -> dict[str, dict[str, RankingFigures]]:
        """The figures of each way with every lambda."""
        found: dict[str, dict[str, RankingFigures]] = {name: {} for name in ways}
        for name, way in ways.items():
            for value in self.lambdas:
                label, reranker = f"{value:.2f}", replace(way, lambda_=value)
                self.rerankers[f"{name} {label}"] = reranker
                found[name][label] = figures_of(self.collection, reranker, self.model)
        return found

    def _every(self) -> dict[str, RankingFigures]:
        """The figures of every system, by its name and value."""
        return {
            f"{name} {value}": figures
            for name, sweep in self.systems.items()
            for value, figures in sweep.items()
        }

    def _retweet_table(self, first: Reranker) -> Table:
        """Tables 5.9-5.10: Sy with retweets kept, dropped, and made more alike."""
        base = replace(first, method="sy", similarity="jaccard")
        ways = {
            "sy jaccard": base,
            "sy jaccard, retweets dropped": replace(base, retweets="drop"),
            "sy jaccard, retweets x 1.35": replace(base, retweets="scale"),
        }
        sweeps = self._sweeps(ways)
        self.systems |= sweeps
        return _choice_table("Retweets", sweeps)

    def _explicit_table(self, first: Reranker) -> Table:
        """Table 5.11: explicit methods with the collection's named aspects."""
        names = [name for name in ("bm25", "tf-idf", "words-mean") if self._possible(name)]
        ways = {
            f"{method} {name}, {scale}": replace(first, method=method, aspect=name, scale=scale)
            for method in EXPLICIT
            for name in (*names, *(["sentences"] if self._possible("sentences") else []))
            for scale in ("sum", "max")
        }
        return _choice_table("Explicit methods with the names of the aspects", self._sweeps(ways))

    def _comparison(self, plain: RankingFigures) -> Table:
        """The plain ranking against what cross-validation chooses, of more and more."""
        every = self._every()
        choices = {
            **{f"lambda cross-validated: {name}": found for name, found in self._best_lambdas()},
            "all cross-validated": cross_validated(every),
            "best in hindsight": best_of(every),
        }
        rows = [("plain ranking", f"{plain.mean(TARGET):.4f}", *[""] * 5)]
        for what, choice in choices.items():
            rows.append((f"{what}: {choice.label}", *_against(plain, choice)))
        caption = f"Against the plain ranking, out of {len(every)} systems"
        return Table(caption, _AGAINST, tuple(rows))

    def _untuned(self, plain: RankingFigures, first: Reranker) -> Table:
        """The plain ranking against what was chosen on other collections, as it stands."""
        rows = [("plain ranking", f"{plain.mean(TARGET):.4f}", *[""] * 5)]
        for tuned in self.tuned:
            reranker = replace(tuned.reranker, first=first.first)
            choice = Choice(tuned.label, figures_of(self.collection, reranker, self.model))
            what = f"chosen on {tuned.collection}: {tuned.label}"
            rows.append((what, *_against(plain, choice)))
        return Table("Against the plain ranking, without tuning", _AGAINST, tuple(rows))

    def _best_lambdas(self) -> list[tuple[str, Choice]]:
        """Of each method the similarity with the best figure, its lambda cross-validated."""
        found: dict[str, tuple[str, Choice]] = {}
        for name, sweep in self.systems.items():
            method, choice = name.split()[0], cross_validated(sweep)
            known = found.get(method)
            if known is None or choice.figures.mean(TARGET) > known[1].figures.mean(TARGET):
                found[method] = (name, choice)
        return list(found.values())


def _against(plain: RankingFigures, choice: Choice) -> tuple[str, ...]:
    test = paired_test(plain.values(TARGET), choice.figures.values(TARGET))
    return (
        f"{choice.figures.mean(TARGET):.4f}",
        f"{test.difference:+.4f}",
        f"{test.better}/{test.worse}",
        *(f"{p:.4f}" for p in (test.t, test.wilcoxon, test.randomisation)),
    )


def _cells(values: Iterable[float]) -> tuple[str, ...]:
    return tuple(f"{value:.4f}" for value in values)


def _figures_table(caption: str, rows: Mapping[str, RankingFigures]) -> Table:
    cells = tuple((name, *_cells(mean_figures(figures))) for name, figures in rows.items())
    return Table(caption, _MEASURES, cells)


def _sweep_table(caption: str, sweep: Mapping[str, RankingFigures]) -> Table:
    return _figures_table(caption, sweep)


def _choice_table(caption: str, sweeps: Mapping[str, Mapping[str, RankingFigures]]) -> Table:
    """One row a sweep: its best value in hindsight, and its target when that is cross-validated."""
    rows = []
    for name, sweep in sweeps.items():
        best, honest = best_of(sweep), cross_validated(sweep)
        target = f"{honest.figures.mean(TARGET):.4f}"
        rows.append((name, best.label, *_cells(mean_figures(best.figures)), target))
    header = ("", "best lambda", *REPORTED, f"{TARGET}, lambda cross-validated")
    return Table(caption, header, tuple(rows))
