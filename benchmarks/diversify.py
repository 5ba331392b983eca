"""Time of reranking 100, 1,000 and 10,000 candidates to 30: MMR, xQuAD and Sy.

    python -m benchmarks.diversify [--k 30] [--rounds 5] [--json]

Candidates are random vectors of 100 dimensions in single precision, as embeddings come, with
random relevance, and texts of 13 words out of 2,000. Every contender answers the same input in
the same run, in turn; the best round counts. pyversity must choose the same items as our MMR.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np
import pyversity

from taxocrawl.diversify.features import Post, PostSimilarity
from taxocrawl.diversify.mmr import mmr
from taxocrawl.diversify.ranking import Ranking
from taxocrawl.diversify.similarity import CosineSimilarity, JaccardSimilarity
from taxocrawl.diversify.sy import sy
from taxocrawl.diversify.xquad import xquad

SIZES = (100, 1_000, 10_000)
DIMENSIONS = 100
ASPECTS = 8


class Input:
    """What is reranked."""

    def __init__(self, size: int) -> None:
        rng = np.random.default_rng(size)
        self.relevance = rng.random(size)
        self.vectors = np.abs(rng.normal(size=(size, DIMENSIONS))).astype(np.float32)
        self.aspects = rng.random((ASPECTS, size)) * 0.5
        vocabulary = [f"word{number}" for number in range(2_000)]
        self.texts = [rng.choice(vocabulary, 13).tolist() for _ in range(size)]
        self.posts = [Post(" ".join(text)) for text in self.texts]


def contenders(given: Input, k: int) -> dict[str, Callable[[], object]]:
    """Each with its vectors and texts made ready in the time, as a caller would."""
    return {
        "MMR cosine": lambda: mmr(given.relevance, CosineSimilarity(given.vectors), 0.5, k),
        "MMR Jaccard": lambda: mmr(given.relevance, JaccardSimilarity(given.texts), 0.5, k),
        "xQuAD": lambda: xquad(given.relevance, given.aspects, lambda_=0.5, k=k),
        "Sy Jaccard": lambda: sy(given.relevance, JaccardSimilarity(given.texts), 0.4, k),
        "Sy features": lambda: sy(given.relevance, PostSimilarity(given.posts), 0.4, k),
        "pyversity MMR": lambda: pyversity.mmr(given.vectors, given.relevance, k=k, diversity=0.5),
    }


def measure(size: int, k: int, rounds: int) -> dict[str, float]:
    """Milliseconds of CPU time, best of the rounds."""
    given = Input(size)
    ways = contenders(given, k)
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.process_time()
            answer = way()
            best[name] = min(best[name], 1000 * (time.process_time() - start))
            if name == "pyversity MMR":
                _check_same(given, k, answer)
    return best


def _check_same(given: Input, k: int, answer: object) -> None:
    ours: Ranking = mmr(given.relevance, CosineSimilarity(given.vectors), 0.5, k)
    theirs = [int(index) for index in answer.indices]  # type: ignore[attr-defined]
    if theirs != list(ours.order):
        raise SystemExit(f"pyversity chose other items: {theirs} against {ours.order}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--k", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times = {size: measure(size, options.k, options.rounds) for size in SIZES}
    if options.json:
        print(json.dumps(times))
        return
    print(f"{'milliseconds':<16}" + "".join(f"{size:>10,}" for size in SIZES) + "    growth")
    for name in times[SIZES[0]]:
        cells = [times[size][name] for size in SIZES]
        growth = np.log(cells[-1] / cells[-2]) / np.log(SIZES[-1] / SIZES[-2])
        print(f"{name:<16}" + "".join(f"{cell:>10.2f}" for cell in cells) + f"    n^{growth:.2f}")


if __name__ == "__main__":
    main()
