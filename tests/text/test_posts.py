from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from taxocrawl.text.posts import PostWords, bare_text, hashtags, is_retweet, urls

POST = "RT @bat_fan: New Pteropus found! #Bats are great, see https://bats.example/a?b=1. RTX"


def test_marks_go_and_hashtags_stay_without_their_sign() -> None:
    assert PostWords()(POST) == "new pteropus found bats are great see rtx".split()


def test_hashtags_can_go_altogether() -> None:
    assert "bats" not in PostWords(hashtags=False)(POST)


def test_stop_words_go_before_stemming() -> None:
    words = PostWords(frozenset({"are", "see"}), "snowball")(POST)
    assert words == "new pteropus found bat great rtx".split()


def test_a_small_retweet_mark_needs_a_user() -> None:
    assert PostWords()("rt @fan: bats") == ["bats"]
    assert is_retweet("rt @fan: bats")
    assert not is_retweet("rt bats")
    assert bare_text("rt @fan: bats") == "bats"


def test_only_the_upper_case_word_alone_is_a_retweet_mark() -> None:
    assert PostWords()("rt flirt RT art") == ["rt", "flirt", "art"]


def test_a_dotted_capital_does_not_divide_its_word() -> None:
    assert PostWords()("İnternet Bilgİ") == ["internet", "bilgi"]


def test_emoji_and_right_to_left_posts() -> None:
    assert PostWords()("🦇🦇🦇") == []
    assert PostWords()("עטלף \u200f@user #פרי") == ["עטלף", "פרי"]
    assert PostWords()("") == []


def test_an_address_is_no_mention_and_a_federated_one_is() -> None:
    assert PostWords()("mail me@bats.example now") == "mail me bats example now".split()
    assert PostWords()("hi @fan@social.example now") == ["hi", "now"]


def test_bare_text_keeps_case_and_what_was_said() -> None:
    assert bare_text(POST) == "New Pteropus found! are great, see RTX"


def test_hashtags_and_urls() -> None:
    assert hashtags(POST + " #BATS http://x.example/#frag &#39;") == {"bats"}
    assert urls(POST) == {"https://bats.example/a?b=1"}


def test_retweets() -> None:
    assert is_retweet(POST)
    assert is_retweet('"RT @a: x')
    assert not is_retweet("ART RT @a")


@given(st.text())
def test_any_text_gives_words_without_marks(text: str) -> None:
    for word in PostWords()(text):
        assert word
        assert not set(word) & set("@#/: ")
    bare_text(text)
    hashtags(text)
    urls(text)
