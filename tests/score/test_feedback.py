from __future__ import annotations

import math

import numpy as np
import pytest

from taxocrawl.score.background import DocumentFrequencies
from taxocrawl.score.feedback import TopicFeedback

# idf of "bat" and "wing" is log(100 / 10), of "car" log(100 / 10), of "the" log(100 / 100) = 0.
FREQUENCIES = DocumentFrequencies(100, {"bat": 9, "wing": 9, "car": 9, "the": 99})


def learned(**kwargs: int) -> TopicFeedback:
    feedback = TopicFeedback(FREQUENCIES, **kwargs)
    feedback.add_page("the bat")
    feedback.add_page("bat wing")
    feedback.add_page("the car")
    feedback.refresh(np.array([1.0, 0.5, 0.0]))
    return feedback


def test_topic_by_hand() -> None:
    """Shares of the pages: 1, 0.5, 0 of 1.5 less 0, 0.5, 1 of 1.5: 2/3, 0, -2/3."""
    assert learned().topic == pytest.approx({"bat": 1.0})


def test_topic_of_two_words_by_hand() -> None:
    feedback = TopicFeedback(FREQUENCIES)
    feedback.add_page("bat bat wing")
    feedback.add_page("car")
    feedback.refresh(np.array([1.0, 0.0]))
    bat, wing = 1 + math.log(2), 1.0
    length = math.hypot(bat, wing)
    assert feedback.topic == pytest.approx({"bat": bat / length, "wing": wing / length})
    feedback.add_text("the wing")
    feedback.add_text("bat car, bat")
    expected = [wing / length, bat / length * bat / math.hypot(bat, 1)]
    assert feedback.scores() == pytest.approx(expected)


def test_texts_are_scored_again_as_the_topic_is_learned() -> None:
    feedback = TopicFeedback(FREQUENCIES)
    feedback.add_text("bat")
    feedback.add_text("")
    assert feedback.scores().tolist() == [0, 0]
    feedback.add_page("bat")
    feedback.add_page("car")
    feedback.refresh(np.array([0.9, 0.1]))
    assert feedback.scores() == pytest.approx([1, 0])
    feedback.add_text("car")
    assert feedback.scores(1).tolist() == [0]
    feedback.refresh(np.array([0.1, 0.9]))
    assert feedback.scores() == pytest.approx([0, 0, 1])


def test_pages_that_look_alike_teach_nothing() -> None:
    feedback = TopicFeedback(FREQUENCIES)
    for text in ("bat", "car", ""):
        feedback.add_page(text)
    feedback.refresh(np.array([0.5, 0.5, 0.5]))
    assert feedback.topic == {}


def test_the_heaviest_terms_are_kept() -> None:
    feedback = TopicFeedback(FREQUENCIES, terms=1)
    feedback.add_page("bat bat wing")
    feedback.refresh(np.array([1.0]))
    assert feedback.topic == {"bat": 1.0}


def test_of_too_many_texts_the_newer_half_is_scored() -> None:
    feedback = learned(most_texts=4)
    for text in ("bat", "bat", "bat", "car", "bat"):
        feedback.add_text(text)
    assert feedback.scores() == pytest.approx([0, 1])
