"""Tokens, stems, n-grams and sentences.

Four tokenisers, because the documents use three: `words` is the project's own default,
`nutch_tokens` the Nutch document's, `lucene_tokens` the one of its "future work", `nltk_tokens`
NLTK's Treebank tokeniser (METU 4.1.1). None of them removes stop words; that is
`taxocrawl.text.analysis`, since n-grams are made after it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nltk.tokenize.punkt import PunktSentenceTokenizer
    from nltk.tokenize.treebank import TreebankWordTokenizer

# NLTK is imported where it is used: it takes more than a second, and the default path needs none.

# A run that begins with a digit is taken whole, as an empty word.
_WORD = re.compile(r"\d[^\W_]*|([^\W\d_][^\W_]*(?:'[^\W\d_]+)?)")
_ASCII_WORD = re.compile(r"[0-9][a-z0-9]*|([a-z][a-z0-9]*(?:'[a-z]+)?)")
# Translating and splitting takes a fraction of what a pattern takes.
_ASCII_BLANKED = "".join(c.lower() if c.isalnum() else " " for c in map(chr, range(128)))
_LONGEST_WORD = 50
# UAX #29, rules WB5-WB13b, for what StandardTokenizer keeps: tokens with a letter or digit.
_ALONE = "\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNICODE_WORD = re.compile(
    rf"[{_ALONE}]|(?:(?![{_ALONE}])\w)+"
    rf"(?:(?:(?<=[^\W\d_])[.:'\u2019\u00b7](?=[^\W\d_])|(?<=\d)[.,;'](?=\d))(?:(?![{_ALONE}])\w)+)*"
)

_ABBREVIATIONS = """
    sp spp ssp subsp subg subgen gen nov n comb stat rev syn nom var fam trib ord cl cf aff nr
    l f fil ined emend auct auctt nec s.l s.str s.s s.lat al et.al et.seq
    fig figs pl pls tabs eq eqs ref refs nos pp vol vols ed eds suppl ser chap sect
    e.g i.e viz ca approx resp incl esp vs op.cit loc.cit ibid
    dr prof mr mrs ms st mt mts coll det typ typ.loc univ dept jr
    jan feb apr jun jul aug sep sept oct dec n.s a.s.l m.a.s.l
    """


def words(text: str) -> list[str]:
    """Lower-case words: runs of letters and digits of any script that begin with a letter.

    At least two characters, at most 50 (longer runs are sequences or encoded data). A hyphen
    divides words (`semi-aquatic` is two); an apostrophe within a word stays (`don't`, `d'orbigny`)
    but a final `'s` goes; `h2o` is one word, and `16s` none.
    """
    return [run for run in runs(text) if 2 <= len(run) <= _LONGEST_WORD and run[0] > "9"]


def runs(text: str) -> list[str]:
    """The words of `words`, in their order, and the runs that it leaves out.

    For whoever looks up words that he has from `words`: most of its time is the leaving out.
    """
    if text.isascii() and "'" not in text:
        return text.translate(_ASCII_BLANKED).split()
    lower = text.lower().replace("\u2019", "'")
    found = (_ASCII_WORD if lower.isascii() else _WORD).findall(lower)
    return [word.removesuffix("'s") if "'" in word else word for word in found]


def nutch_tokens(text: str) -> list[str]:
    """Tokens of the Nutch document: lower case, split at white space, nothing else cut off.

    A token that starts with a special character counts as white space ("Goldstandard File").
    """
    return [token for token in text.lower().split() if token[0].isalnum()]


def lucene_tokens(text: str) -> list[str]:
    """Lower-case tokens between Unicode word boundaries, as Lucene's StandardTokenizer has them.

    A full stop, colon or apostrophe joins letters (`o'neill`, `n.sp` is one token), a full stop or
    comma joins digits, an underscore anything; an ideograph or hiragana letter is a token alone.
    """
    return _UNICODE_WORD.findall(text.lower())


def nltk_tokens(text: str) -> list[str]:
    """Lower-case tokens of NLTK's Treebank tokeniser that hold at least one letter or digit."""
    tokens = _treebank().tokenize(text.lower())
    return [token for token in tokens if any(char.isalnum() for char in token)]


def stem(tokens: Iterable[str], algorithm: str = "snowball") -> list[str]:
    """The stem of each token by an English algorithm.

    `snowball`, `porter` (with NLTK's extensions) or `porter-lucene` (as Lucene's PorterStemFilter).

    Raises ValueError for another algorithm.
    """
    stem_one = _stemmer(algorithm)
    return [stem_one(token) for token in tokens]


def ngrams(tokens: Sequence[str], lo: int, hi: int) -> list[str]:
    """All n-grams of `lo` to `hi` tokens, joined by a blank; shorter ones first, then by position.

    Raises ValueError unless 1 <= lo <= hi.
    """
    if not 1 <= lo <= hi:
        raise ValueError(f"n-gram range must be 1 <= lo <= hi, not {lo}, {hi}")
    return [
        " ".join(tokens[start : start + n])
        for n in range(lo, hi + 1)
        for start in range(len(tokens) - n + 1)
    ]


def sentences(text: str) -> list[str]:
    """The sentences of an English text, not divided after taxonomic abbreviations.

    NLTK's Punkt algorithm with our abbreviations (`sp.`, `nov.`, `cf.`, `et al.`, `Fig.`) in place
    of trained ones. Single capitals count as initials (`L.`, `P. vampyrus`).
    """
    return [sentence for span in _punkt().tokenize(text) if (sentence := span.strip())]


@cache
def _stemmer(algorithm: str) -> Callable[[str], str]:
    if algorithm == "snowball":
        from nltk.stem.snowball import EnglishStemmer

        return lru_cache(maxsize=100_000)(EnglishStemmer().stem)
    if algorithm == "porter":
        from nltk.stem.porter import PorterStemmer

        return lru_cache(maxsize=100_000)(PorterStemmer().stem)
    if algorithm == "porter-lucene":
        from nltk.stem.porter import PorterStemmer

        return lru_cache(maxsize=100_000)(PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS).stem)
    raise ValueError(
        f"stemming algorithm must be snowball, porter or porter-lucene, not {algorithm!r}"
    )


@cache
def _treebank() -> TreebankWordTokenizer:
    from nltk.tokenize.treebank import TreebankWordTokenizer

    return TreebankWordTokenizer()


@cache
def _punkt() -> PunktSentenceTokenizer:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(_ABBREVIATIONS.split())
    return PunktSentenceTokenizer(parameters)
