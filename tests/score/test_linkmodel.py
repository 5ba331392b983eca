from __future__ import annotations

import pytest

from taxocrawl.exceptions import ArgumentError
from taxocrawl.score.linkmodel import LEARNED, make_link_model
from taxocrawl.score.links import LinkScore
from taxocrawl.score.linkstructure import ORDERINGS


@pytest.mark.parametrize("name", [LEARNED, *ORDERINGS])
class TestLinkModel:
    def test_fetched_pages_wait_no_more_by_whatever_url(self, name: str) -> None:
        model = make_link_model(name, {"every": 1})
        assert model is not None
        parts = LinkScore(0.5, 0.5, 0.5, 0.5, 0.5)
        waiting = model.add_page("a", 0.5, [("b", "h", parts), ("c", "h", parts)])
        assert set(waiting) == {"b", "c"}
        assert model.due
        model.add_page("d", 0.1, [], aliases=["c"])
        scores = model.rescore()
        assert "c" not in model.rescore()
        assert not model.due
        assert all(0 <= score <= 1 for score in scores.values())
        assert model.add_page("e", 0.5, [("a", "h", parts)]) == {}

    def test_unknown_parameters_are_refused(self, name: str) -> None:
        with pytest.raises(ArgumentError, match="LINKSCORE_MODEL_PARAMS"):
            make_link_model(name, {"depth": 2})


def test_names() -> None:
    assert make_link_model("") is None
    with pytest.raises(ArgumentError, match="LINKSCORE_MODEL=x: expected learned, indegree"):
        make_link_model("x")
