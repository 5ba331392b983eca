"""CPU time of deciding one text, by classifier: ratios to counting its words, in one run.

python -m benchmarks.classify [--words 4000] [--rounds 30]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path

from taxocrawl.classify import load_classifier
from taxocrawl.text.tokens import words

MODELS = Path(__file__).resolve().parent.parent / "models" / "taxonomic"
NAMES = ("html-svm", "html-rocchio", "html-rocchio-ku", "pdf-svm", "pdf-svm-ku")


def page(length: int) -> str:
    """A text of about this many words, of several thousand different ones, with some acts."""
    rng = random.Random(0)
    syllables = ["ba", "ten", "mor", "li", "us", "ra", "pter", "no", "vi", "cha", "os", "il"]
    vocabulary = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(3000)]
    vocabulary += "the of and in a to is with for holotype species dorsal mm new sp. nov.".split()
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]
    rng.shuffle(vocabulary)
    return " ".join(rng.choices(vocabulary, weights, k=length))


def cpu_milliseconds(work: Callable[[], object], rounds: int) -> float:
    """Best CPU time of one call."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return 1000 * best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    text = page(options.words)
    base = cpu_milliseconds(lambda: words(text), options.rounds)
    print(f"{'tokenising alone':<18} {base:7.3f} ms   1.00")
    for name in NAMES:
        classifier = load_classifier(MODELS / name)
        taken = cpu_milliseconds(lambda c=classifier: c.decide(text), options.rounds)
        print(f"{name:<18} {taken:7.3f} ms  {taken / base:5.2f}")


if __name__ == "__main__":
    main()
