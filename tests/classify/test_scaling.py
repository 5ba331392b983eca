from __future__ import annotations

import pytest
from libsvm import svmutil

from taxocrawl.classify.machine import Kernel, SupportVectors
from taxocrawl.classify.scaling import Scale

VECTORS = [
    {"a": 0.2, "c": 1.0, "always": 0.5},
    {"b": 0.7, "always": 0.5},
    {"a": 1.1, "b": 0.4, "always": 0.5},
    {"c": 0.3, "always": 0.5},
]
CLASSES = [1, 0, 1, 0]


def dense(scale: Scale, vector: dict[str, float]) -> dict[int, float]:
    """As svm-scale does it: every feature to [-1, 1], absent ones included."""
    return {
        n: -1 + 2 * (vector.get(name, 0.0) - scale.lower_[name])
        / (scale.upper_[name] - scale.lower_[name])
        for n, name in enumerate(scale.lower_, start=1)
    }  # fmt: skip


@pytest.mark.parametrize("kernel", [Kernel("linear", 4.0), Kernel("rbf", 4.0, 0.3)])
def test_shifted_rows_give_the_decisions_of_rows_scaled_to_minus_one_and_one(
    kernel: Kernel,
) -> None:
    scale = Scale().fit(VECTORS)
    machine = SupportVectors.trained([scale.row(v) for v in VECTORS], CLASSES, kernel)
    number = {"linear": 0, "rbf": 2}[kernel.name]
    model = svmutil.svm_train(
        CLASSES,
        [dense(scale, v) for v in VECTORS],
        f"-t {number} -c {kernel.cost} -g {kernel.gamma} -e 0.0001 -q",
    )
    unseen = [*VECTORS, {"a": 2.0}, {"b": 0.1, "unknown": 9.0}, {}]
    theirs = svmutil.svm_predict([], [dense(scale, v) for v in unseen], model, "-q")[2]
    ours = [machine.decision(scale.row(v)) for v in unseen]
    assert ours == pytest.approx([values[0] for values in theirs], abs=1e-3)


def test_ranges_are_those_of_the_training_set_with_absence_as_zero() -> None:
    scale = Scale().fit([{"a": 0.2, "b": 0.5}, {"b": 0.9}])
    assert scale.lower_ == {"a": 0.0, "b": 0.5}
    assert scale.upper_ == {"a": 0.2, "b": 0.9}


def test_a_feature_that_never_changes_is_left_out() -> None:
    assert "always" not in Scale().fit(VECTORS).lower_


def test_state_comes_back_and_damage_is_refused() -> None:
    scale = Scale().fit(VECTORS)
    state = scale.state()
    again = Scale.from_state(state)
    assert again.row(VECTORS[0]) == scale.row(VECTORS[0])
    for broken in ({"lower": {}, "upper": {"a": 1.0}}, {"lower": {"a": 1.0}, "upper": {"a": 1.0}}):
        with pytest.raises(ValueError):
            Scale.from_state(broken)
