from __future__ import annotations

import pytest

from taxocrawl.frontier.politeness import (
    BackOff,
    Consequence,
    Fate,
    HostTrouble,
    Recent,
    origin_of,
)

HOST, ORIGIN, OTHER = "a.example", "http://a.example", "https://a.example"
PATIENCE = BackOff(start=2, longest=20, longest_wait=60, failures=5, silences=3)


def fail(trouble: HostTrouble, origin: str = ORIGIN, **kinds: float | bool) -> Consequence:
    return trouble.failed(HOST, origin, reason="host parked", **kinds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://a.example/x?y#z", "http://a.example"),
        ("HTTP://A.Example:80", "http://a.example"),
        ("https://a.example:443/", "https://a.example"),
        ("http://a.example:443/", "http://a.example:443"),
        ("https://a.example:8443/", "https://a.example:8443"),
        ("http://user:secret@a.example/", "http://a.example"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080"),
    ],
)
def test_origin(url: str, origin: str) -> None:
    assert origin_of(url) == origin


class TestBackOff:
    def test_doubles_up_to_its_limit_then_parks(self) -> None:
        trouble = HostTrouble(PATIENCE)
        rests = [fail(trouble) for _ in range(5)]
        assert [rest.seconds for rest in rests] == [2, 4, 8, 16, 20]
        assert [rest.fate for rest in rests] == [Fate.RESTS] * 4 + [Fate.PARKED]

    def test_a_good_answer_clears_the_account(self) -> None:
        trouble = HostTrouble(PATIENCE)
        for _ in range(3):
            assert [fail(trouble).fate for _ in range(4)] == [Fate.RESTS] * 4
            trouble.answered(HOST, ORIGIN)
        assert fail(trouble).seconds == 2

    @pytest.mark.parametrize(("asked", "seconds"), [(0, 0), (7, 7), (60, 60), (1e9, 60)])
    def test_a_wait_that_was_asked_for(self, asked: float, seconds: float) -> None:
        assert fail(HostTrouble(PATIENCE), asked_wait=asked).seconds == seconds

    def test_silence_counts_sooner(self) -> None:
        trouble = HostTrouble(PATIENCE)
        fates = [fail(trouble, silent=True).fate for _ in range(3)]
        assert fates == [Fate.RESTS, Fate.RESTS, Fate.PARKED]

    def test_silence_between_other_failures(self) -> None:
        trouble = HostTrouble(PATIENCE)
        fates = [fail(trouble, silent=silent).fate for silent in (True, True, False, True, True)]
        assert fates == [Fate.RESTS] * 4 + [Fate.PARKED]

    def test_never_ending_patience_stays_a_number(self) -> None:
        trouble = HostTrouble(BackOff(start=2, longest=20, failures=10**6, silences=10**6))
        assert {fail(trouble).seconds for _ in range(5000)} == {2, 4, 8, 16, 20}


class TestParking:
    def parked(self) -> HostTrouble:
        trouble = HostTrouble(PATIENCE)
        while fail(trouble).fate is not Fate.PARKED:
            assert not trouble.given_up(ORIGIN)
        return trouble

    def test_the_last_chance(self) -> None:
        trouble = self.parked()
        assert not trouble.given_up(ORIGIN)
        assert fail(trouble).fate is Fate.GIVEN_UP
        assert trouble.given_up(ORIGIN) == "host parked"
        assert not trouble.given_up(OTHER)

    def test_the_last_chance_taken(self) -> None:
        trouble = self.parked()
        trouble.answered(HOST, ORIGIN)
        assert fail(trouble) == Consequence(Fate.RESTS, 2)

    def test_the_next_iteration_asks_once(self) -> None:
        trouble = self.parked()
        fail(trouble)
        trouble.new_iteration()
        assert not trouble.given_up(ORIGIN)
        assert fail(trouble).fate is Fate.PARKED
        assert fail(trouble).fate is Fate.GIVEN_UP

    def test_a_new_iteration_forgives_nothing_else(self) -> None:
        trouble = HostTrouble(PATIENCE)
        for _ in range(4):
            fail(trouble)
        trouble.new_iteration()
        assert fail(trouble).fate is Fate.PARKED

    def test_a_port_that_is_closed_while_another_answers(self) -> None:
        trouble = HostTrouble(PATIENCE)
        trouble.answered(HOST, OTHER)
        fates = [fail(trouble, silent=True).fate for _ in range(3)]
        assert fates == [Fate.RESTS, Fate.RESTS, Fate.GIVEN_UP]
        assert not trouble.given_up(OTHER)


class TestRecent:
    def test_forgets_what_was_used_longest_ago(self) -> None:
        recent: Recent[int] = Recent(2)
        recent.put("a", 1)
        recent.put("b", 2)
        assert recent.get("a") == 1
        recent.put("c", 3)
        assert [recent.get(key) for key in "abc"] == [1, None, 3]
        assert len(recent) == 2

    def test_weights(self) -> None:
        recent: Recent[str] = Recent(10, len)
        recent.put("a", "x" * 6)
        recent.put("b", "x" * 4)
        assert len(recent) == 2
        recent.put("b", "x" * 5)
        assert recent.get("a") is None
        recent.put("c", "x" * 50)
        assert recent.items() == [("c", "x" * 50)]
        recent.put("d", "x")
        assert recent.items() == [("d", "x")]
