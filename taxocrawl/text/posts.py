"""Posts of social networks as words, and the marks they carry (METU 5.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from taxocrawl.text.normalise import fold_whitespace, normalise_text
from taxocrawl.text.tokens import stem, words

_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_MENTION = re.compile(r"(?<![\w@])@\w+(?:@[\w.-]+\w)?|@names\b")
_HASHTAG = re.compile(r"(?<![\w&])#+\s?(\w+)")
# In lower case "rt" is a mark only before the user it names.
_MARK = r"(?:RT(?!\w)|rt(?=[\s:]*@\w))"
_RETWEET = re.compile(rf"(?<!\w){_MARK}")
_RETWEET_AT_START = re.compile(rf"\s*[\"“]?{_MARK}")


@dataclass(frozen=True, slots=True)
class PostWords:
    """Makes words of a post: lower case, without "RT", @user and URLs, in this order.

    Args:
        stopwords: words left out, before stemming.
        stemming: `snowball` or `porter` (English); empty for none.
        hashtags: whether the word of a hashtag stays, without its sign, or goes with it.
    """

    stopwords: frozenset[str] = frozenset()
    stemming: str = ""
    hashtags: bool = True

    def __call__(self, text: str) -> list[str]:
        text = _URL.sub(" ", normalise_text(text))
        text = _MENTION.sub(" ", _RETWEET.sub(" ", text))
        text = _HASHTAG.sub(r" \1 " if self.hashtags else " ", text)
        # The small form of the dotted capital is two characters, which would divide the word.
        found = [word for word in words(text.replace("İ", "i")) if word not in self.stopwords]
        return stem(found, self.stemming) if self.stemming else found


def bare_text(text: str) -> str:
    """A post on one line without "RT", @user, URLs and hashtags, in its own case."""
    text = _RETWEET.sub(" ", _URL.sub(" ", normalise_text(text)))
    return fold_whitespace(_HASHTAG.sub(" ", _MENTION.sub(" ", text))).strip(" :")


def hashtags(text: str) -> frozenset[str]:
    """The hashtags of a post in lower case, without their sign."""
    return frozenset(tag.lower() for tag in _HASHTAG.findall(_URL.sub(" ", text)))


def urls(text: str) -> frozenset[str]:
    """The URLs of a post, without a full stop or bracket after them."""
    return frozenset(url.rstrip(".,;:!?)]}>\"'…") for url in _URL.findall(text))


def is_retweet(text: str) -> bool:
    """Whether a post begins with "RT", or with "rt" and a user."""
    return bool(_RETWEET_AT_START.match(text))
