"""MMR over embeddings chooses what another library's does."""

from __future__ import annotations

import numpy as np
import pytest
import pyversity

from taxocrawl.diversify.mmr import mmr
from taxocrawl.diversify.similarity import CosineSimilarity


@pytest.mark.parametrize("weight", [0.05, 0.3, 0.5, 0.8, 1.0])
def test_same_items_and_scores(weight: float) -> None:
    rng = np.random.default_rng(7)
    # Positive vectors: pyversity takes a negative cosine for 0, eq. 3.9 does not.
    vectors = np.abs(rng.normal(size=(200, 20))).astype(np.float32)
    relevance = rng.random(200)
    theirs = pyversity.mmr(vectors, relevance, k=40, diversity=1 - weight)
    ours = mmr(relevance, CosineSimilarity(vectors), weight, 40)
    assert list(ours.order) == theirs.indices.tolist()
    assert ours.scores[1:] == pytest.approx(theirs.selection_scores[1:].tolist(), abs=1e-5)
