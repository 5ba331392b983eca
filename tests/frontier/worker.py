"""Works on a frontier until it is killed: pushes, selects, pops, retries, redirects, settles.

    python -m tests.frontier.worker FRONTIER.sqlite SEED

Prints a line for every settled entry after the commit: what a killed process had promised.
"""

from __future__ import annotations

import random
import sys

from taxocrawl.frontier.base import Candidate, Outcome, State
from taxocrawl.frontier.selection import make_policy
from taxocrawl.frontier.sqlite import SqliteFrontier


def link(dice: random.Random) -> Candidate:
    host, number = dice.randrange(20), dice.randrange(5000)
    return Candidate(f"http://h{host}.example/{number}", dice.random(), depth=dice.randrange(5))


def settle(frontier: SqliteFrontier, dice: random.Random, entry_id: int) -> None:
    state = dice.choice((State.DONE, State.DONE, State.FAILED, State.GONE))
    document = {"content_hash": str(dice.randrange(300))} if state is State.DONE else None
    frontier.settle(
        Outcome(
            entry_id,
            state,
            fetch={"entry": entry_id},
            links=[link(dice) for _ in range(20)],
            document=document,
            aliases=[link(dice).url],
        )
    )
    print(entry_id, flush=True)


def main() -> None:
    frontier = SqliteFrontier(sys.argv[1])
    frontier.recover()
    dice = random.Random(int(sys.argv[2]))
    iteration = 0
    while True:
        frontier.push([link(dice) for _ in range(20)], iteration)
        policy = make_policy(dice.choice(("top", "recent-half")), {"size": 20})
        frontier.select(policy, iteration)
        while entry := frontier.pop([f"h{dice.randrange(20)}.example"]):
            chance = dice.random()
            if chance < 0.1:
                frontier.requeue(entry.id, '{"meta":{"retry_times":1}}')
            elif chance < 0.2:
                frontier.redirect(entry.id, link(dice).url, "{}", {"entry": entry.id})
            else:
                settle(frontier, dice, entry.id)
        if known := frontier.pop_known(iteration, policy.limits):
            settle(frontier, dice, known.id)
        iteration += 1


if __name__ == "__main__":
    main()
