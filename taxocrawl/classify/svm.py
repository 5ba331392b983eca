"""The support vector machine of KU 3.2.2, trained by libsvm."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Self

from taxocrawl.classify.features import FEATURES, MarkerVectors, TermVectors, vectors_from_state
from taxocrawl.classify.machine import HeldOutRows, Kernel, Problem, SupportVectors, model_text
from taxocrawl.classify.margin_classifier import MarginClassifier
from taxocrawl.classify.margins import fit_slope
from taxocrawl.classify.model_folder import (
    MODEL_ERRORS,
    model_hash,
    read_machine,
    read_model,
    refuse,
    write_model,
)
from taxocrawl.classify.scaling import Scale
from taxocrawl.items import Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from taxocrawl.classify.examples import Examples
    from taxocrawl.classify.features import Vectors

COSTS = tuple(2.0**power for power in range(-5, 16, 2))
GAMMAS = tuple(2.0**power for power in range(-15, 4, 2))
"""The grid of libsvm's own ``grid.py``, which the document used."""


class Svm(MarginClassifier):
    """Decides by the side of the separating surface on which a text lies.

    Features are tf·idf vectors of length 1 (``features="document"``) or markers (``"best"``),
    scaled to [-1, 1] by the training set's ranges (`Scale`). C (and gamma, for the "rbf" kernel)
    are those of the grid with the best accuracy in `folds`-fold cross-validation, folds dealt by
    `random_state`; among equals the smallest C, then gamma. Vectors and ranges are learned anew in
    each fold, from the fold's training part only.

    The margin is libsvm's decision value, positive for taxonomic whatever the order of labels in
    the training set (CLS-02). A linear machine is kept as one weight a feature.
    """

    algorithm = "svm"

    def __init__(
        self,
        features: str = "document",
        *,
        stopwords: Iterable[str] = (),
        top_words: int | None = 50,
        stem: bool = False,
        kernel: str = "linear",
        costs: Sequence[float] = COSTS,
        gammas: Sequence[float] = GAMMAS,
        folds: int = 5,
        random_state: int = 0,
        name: str = "svm",
    ) -> None:
        if features not in FEATURES:
            raise ValueError(f"features must be one of {', '.join(FEATURES)}, not {features!r}")
        self.features = features
        self.kernel = kernel
        grid = product(costs, gammas if kernel == "rbf" else (1.0,))
        self.grid = [Kernel(kernel, cost, gamma) for cost, gamma in sorted(grid)]
        self.folds = folds
        self.random_state = random_state
        self.name = name
        self.card: dict[str, object] = {}
        self.vectors_: Vectors[Any] = (
            TermVectors(stopwords, top_words=top_words, stem=stem, all_in_training=True)
            if features == TermVectors.name
            else MarkerVectors(standardise=False)
        )
        self.scale_ = Scale()
        self.kernel_ = self.grid[0]
        self.slope_ = 1.0

    def fit_examples(self, examples: Examples) -> Self:
        self.kernel_, margins, truth = self._search(examples)
        self.slope_ = fit_slope(margins, truth)
        rows = self._learn(examples)
        self._use(model_text(Problem(rows, _classes(examples.labels)).train(self.kernel_)))
        return self

    def margin(self, text: str) -> float:
        """The decision value of a text: positive for taxonomic."""
        counts = self.vectors_.count(text)
        vector = self.vectors_.vector(counts)
        if self.kernel == "linear":
            weights = self._weights
            margin = self._offset + sum(
                value * weights[name] for name, value in vector.items() if name in weights
            )
        else:
            margin = self._machine.decision(self.scale_.row(vector))
        return self.vectors_.bounded(counts, margin)

    def save(self, folder: Path, card: str | None = None) -> None:
        """Write the model folder; `card` is the text of its MODEL.md. Raises StorageError."""
        write_model(folder, self._state(), machine=self._machine_text, card=card)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Raises ModelError for a missing, broken or other-version model."""
        model = read_model(folder)
        machine = read_machine(folder, model)
        try:
            if model["algorithm"] != cls.algorithm:
                raise ValueError(f"expected a {cls.algorithm} model, found {model['algorithm']}")
            return cls._from_state(model, machine, f"{folder.name} {str(model['sha256'])[:8]}")
        except MODEL_ERRORS as error:
            refuse(folder, error)

    @property
    def sha256(self) -> str:
        """Hash of what the classifier decides by."""
        return model_hash({**self._state(), "machine": self._machine_text})

    def _search(self, examples: Examples) -> tuple[Kernel, list[float], list[Category]]:
        """The best kernel of the grid, with the held-out margins it gave and their truth."""
        margins: dict[Kernel, list[float]] = {kernel: [] for kernel in self.grid}
        truth: list[Category] = []
        for held_out in examples.folds(self.folds, self.random_state):
            training, test = examples.without(held_out), examples.select(held_out)
            problem = Problem(self._learn(training), _classes(training.labels))
            rows = HeldOutRows(
                self.scale_.row(self.vectors_.vector(counts)) for counts in test.counts
            )
            truth += test.labels
            for kernel in self.grid:
                margins[kernel] += rows.decisions(problem.train(kernel))

        def hits(kernel: Kernel) -> int:
            return sum(
                (margin > 0) == (label is Category.TAXONOMIC)
                for margin, label in zip(margins[kernel], truth, strict=True)
            )

        best = max(self.grid, key=lambda kernel: (hits(kernel), -kernel.cost, -kernel.gamma))
        if not truth:
            best = replace(best, cost=1.0)
        return best, margins.get(best, []), truth

    def _learn(self, examples: Examples) -> list[dict[int, float]]:
        """Fit vectors and ranges, and give the training rows."""
        self.vectors_.fit(examples.counts)
        vectors = [self.vectors_.training_vector(counts) for counts in examples.counts]
        self.scale_ = Scale().fit(vectors)
        return [self.scale_.row(vector) for vector in vectors]

    def _use(self, machine: str) -> None:
        self._machine_text = machine
        self._machine = SupportVectors.from_text(machine)
        if self.kernel == "linear":
            by_number, self._offset = self._machine.linear_weights()
            self._weights = self.scale_.factors(by_number)

    def _state(self) -> dict[str, object]:
        return {
            "algorithm": self.algorithm,
            "vectors": self.vectors_.state(),
            "scale": self.scale_.state(),
            "kernel": {
                "name": self.kernel_.name,
                "cost": self.kernel_.cost,
                "gamma": self.kernel_.gamma,
            },
            "classes": {"1": Category.TAXONOMIC.value, "0": Category.NON_TAXONOMIC.value},
            "slope": self.slope_,
            "folds": self.folds,
            "random_state": self.random_state,
            "card": self.card,
        }

    @classmethod
    def _from_state(cls, model: dict[str, Any], machine: str, name: str) -> Self:
        vectors = vectors_from_state(model["vectors"])
        kernel = Kernel(**model["kernel"])
        classifier = cls(
            vectors.name,
            kernel=kernel.name,
            folds=int(model["folds"]),
            random_state=int(model["random_state"]),
            name=name,
        )
        classifier.vectors_ = vectors
        classifier.scale_ = Scale.from_state(model["scale"])
        classifier.kernel_ = kernel
        classifier.slope_ = float(model["slope"])
        classifier.card = dict(model["card"])
        classifier._use(machine)
        if classifier._machine.kernel != kernel.name:
            raise ValueError(f"libsvm's model has another kernel than {kernel.name}")
        return classifier


def _classes(labels: Sequence[Category]) -> list[int]:
    return [int(label is Category.TAXONOMIC) for label in labels]
