"""libsvm's classes the right way round (CLS-02)."""

from __future__ import annotations

import itertools

import pytest

from taxocrawl.classify.machine import HeldOutRows, Kernel, Problem, SupportVectors

POINTS = [(0, 0.0), (1, 1.0), (1, 0.9), (0, 0.1)]


def trained(points: list[tuple[int, float]], kernel: Kernel) -> SupportVectors:
    return SupportVectors.trained([{1: x} for _, x in points], [c for c, _ in points], kernel)


@pytest.mark.parametrize("points", list(itertools.permutations(POINTS)))
def test_cls02_the_decision_is_for_class_1_whichever_label_comes_first(
    points: tuple[tuple[int, float], ...],
) -> None:
    machine = trained(list(points), Kernel("linear", 10.0))
    assert machine == trained(POINTS, Kernel("linear", 10.0))
    assert machine.decision({1: 0.95}) == pytest.approx(1.125, abs=1e-3)
    assert machine.decision({1: 0.05}) == pytest.approx(-1.125, abs=1e-3)


def test_a_model_with_the_labels_in_the_other_order_gives_the_same_decision() -> None:
    text = (
        "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho {rho}\n"
        "label {labels}\nnr_sv 1 1\nSV\n{first} 1:{one} \n{second} 1:{two} \n"
    )
    up = text.format(rho=1.25, labels="1 0", first=3.125, one=0.9, second=-3.125, two=0.1)
    down = text.format(rho=-1.25, labels="0 1", first=3.125, one=0.1, second=-3.125, two=0.9)
    for model in (up, down):
        assert SupportVectors.from_text(model).decision({1: 0.95}) == pytest.approx(1.125)


@pytest.mark.parametrize("kernel", [Kernel("linear", 10.0), Kernel("rbf", 10.0, 0.5)])
def test_our_decision_is_libsvms(kernel: Kernel) -> None:
    rows = [{1: 0.2, 3: 1.0}, {2: 0.7}, {1: 1.1, 2: 0.4}, {3: 0.3}, {1: 0.6}, {}]
    classes = [1, 0, 1, 0, 1, 0]
    theirs = HeldOutRows(rows).decisions(Problem(rows, classes).train(kernel))
    machine = SupportVectors.trained(rows, classes, kernel)
    assert [machine.decision(row) for row in rows] == pytest.approx(theirs, abs=1e-6)


def test_a_linear_machine_collapses_into_one_weight_a_feature() -> None:
    rows = [{1: 0.2, 3: 1.0}, {2: 0.7}, {1: 1.1, 2: 0.4}, {3: 0.3}]
    machine = SupportVectors.trained(rows, [1, 0, 1, 0], Kernel("linear", 1.0))
    weights, offset = machine.linear_weights()
    for row in rows:
        collapsed = offset + sum(weights[n] * value for n, value in row.items())
        assert collapsed == pytest.approx(machine.decision(row), abs=1e-9)


@pytest.mark.parametrize("classes", [[1, 1], [0, 0], [], [1, 2]])
def test_both_classes_are_needed(classes: list[int]) -> None:
    with pytest.raises(ValueError, match="0 and 1"):
        Problem([{1: 1.0} for _ in classes], classes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "svm_type nu_svc\nkernel_type linear\nnr_class 2\nlabel 1 0\ntotal_sv 0\nrho 0\nSV\n",
        "svm_type c_svc\nkernel_type linear\nnr_class 1\nlabel 1\ntotal_sv 0\nSV\n",
        "svm_type c_svc\nkernel_type linear\nnr_class 2\nlabel 1 0\ntotal_sv 2\nrho 0\nSV\n1 1:1\n",
        "svm_type c_svc\nkernel_type linear\nnr_class 2\nlabel 5 6\ntotal_sv 0\nrho 0\nSV\n",
        "svm_type c_svc\nkernel_type poly\nnr_class 2\nlabel 1 0\ntotal_sv 0\nrho 0\nSV\n",
        "svm_type c_svc\nkernel_type linear\nnr_class 2\nlabel 1 0\ntotal_sv 0\nrho nan\nSV\n",
    ],
)
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        SupportVectors.from_text(text)


@pytest.mark.parametrize("values", [("poly", 1.0, 1.0), ("linear", 0.0, 1.0), ("rbf", 1.0, -1.0)])
def test_a_kernel_out_of_range_is_refused(values: tuple[str, float, float]) -> None:
    with pytest.raises(ValueError):
        Kernel(*values)
