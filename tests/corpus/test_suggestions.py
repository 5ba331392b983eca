"""Words from the real suggestions of the TREC web track."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from taxocrawl.queries.suggestions import distinct, phrase_words, read_answer
from taxocrawl.settings import SCORING_STOPWORD_FILE
from taxocrawl.text.stopwords import load_stopwords

pytestmark = pytest.mark.corpus


def test_real_suggestions_in_the_services_shape(corpora: Path) -> None:
    stopwords = load_stopwords(SCORING_STOPWORD_FILE)
    queries = 0
    for topic in ET.parse(corpora / "trecweb" / "query_suggestion.xml").iter("topic"):
        query = topic.findtext("query") or ""
        given = [
            node.text or "" for node in topic.iter() if node.tag in ("suggestion", "subtopic2")
        ]
        if not given:
            continue
        queries += 1
        read = read_answer(json.dumps([query, given, [], {}]).encode())
        assert len(read) == sum(bool(text.strip()) for text in given)
        kept = distinct(read)
        assert len({text.casefold() for text in kept}) == len(kept) <= len(read)
        words = phrase_words(kept, stopwords)
        assert len(set(words)) == len(words)
        assert not stopwords & set(words)
        assert all(len(word) > 1 and not word.isspace() for word in words)
    assert queries > 100
