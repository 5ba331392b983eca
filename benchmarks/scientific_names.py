"""Scientific names and acts on the shared corpora: precision, recall, time.

    python -m benchmarks.scientific_names SHARED/corpora [--json]

Truth for names is the markup of the JATS documents (`tp:taxon-name`, italics), the words inside it
never being looked at by the finder. A found name is right when its epithet is marked up, or when
its genus is marked up somewhere and the epithet ends as Latin ones do, since tables and captions
are often left without markup. A marked-up binomial is found when a name was found at its start.
Documents with at least one act are counted by label.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import time
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from taxocrawl.text.acts import find_acts
from taxocrawl.text.names import find_names, parse_name
from taxocrawl.text.normalise import fold_whitespace, normalise_text

BLOCKS = frozenset(
    "p title sec article-title abstract td th tr list-item label caption kwd fig table nomenclature"
    " treatment-meta treatment-sec taxon-authority taxon-status kwd-group".split()
)
SKIPPED = frozenset(
    "object-id ref-list journal-meta contrib-group ext-link uri permissions custom-meta-group aff"
    " author-notes pub-date".split()
)
LATIN = re.compile(r"(?:us|a|um|is|i|ae|ens|ans)$")
OPEN = re.compile(r"\b(?:sp|spp|cf|aff|nr)\b")


@dataclass
class Marked:
    """The text of an article with the spans that its markup gives."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    names: list[tuple[int, int, dict[str, str]]] = field(default_factory=list)
    italics: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Marked:
        parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True,
                                 recover=True, huge_tree=True)  # fmt: skip
        marked = cls()
        for tag in ("front", "body"):
            for element in list(etree.parse(str(path), parser).getroot().iter(tag))[:1]:
                marked._walk(element)
        return marked

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def _add(self, text: str | None) -> None:
        if text:
            folded = text if text == "\n" else re.sub(r"\s+", " ", text)
            self.parts.append(folded)
            self.length += len(folded)

    def _walk(self, element: etree._Element) -> None:
        tag = etree.QName(element).localname if isinstance(element.tag, str) else "object-id"
        if tag in SKIPPED:
            return self._add(" ")
        if tag in BLOCKS:
            self._add("\n")
        start = self.length
        if tag == "taxon-name-part" and self.parts and self.parts[-1][-1:].isalpha():
            self._add(" ")
        self._add(element.text)
        for child in element:
            self._walk(child)
            self._add(child.tail)
        if tag == "taxon-name":
            parts = {
                str(part.get("taxon-name-part-type")): "".join(part.itertext()).strip()
                for part in element.iterchildren("{*}taxon-name-part")
            }
            self.names.append((start, self.length, parts))
        if tag == "italic":
            self.italics.append((start, self.length))
        return self._add("\n") if tag in BLOCKS else None


def measure(corpora: Path) -> dict[str, float]:
    """Figures of the finder on the JATS documents and of the parser on the species table."""
    with (corpora / "index.csv").open(encoding="utf-8") as index:
        rows = [row for row in csv.DictReader(index) if row["kind"] == "jats"]
    documents = [(row["label"], Marked.read(corpora / row["path"])) for row in rows]
    genera = {parts["genus"] for _, doc in documents for *_, parts in doc.names if "genus" in parts}
    for _, doc in documents:
        text = doc.text
        genera |= {text[start:end].split(" ")[0] for start, end in doc.italics}
    figures: Counter[str] = Counter()
    for label, doc in documents:
        _count(figures, doc, genera)
        figures[f"documents {label}"] += 1
        figures[f"documents {label} with acts"] += bool(find_acts(doc.text))
    seconds = figures.pop("nanoseconds") / 1e9
    return {
        "names found": figures["found"],
        "precision": figures["right"] / figures["found"],
        "marked-up binomials": figures["marked"],
        "recall": figures["hit"] / figures["marked"],
        "cpu ms per 40,000 characters": seconds / figures["characters"] * 4e7,
        **{key: count for key, count in sorted(figures.items()) if key.startswith("documents")},
        **_parsed_species(corpora / "facts"),
    }


def _count(figures: Counter[str], doc: Marked, genera: set[str]) -> None:
    text = doc.text
    before = time.process_time_ns()
    found = find_names(text)
    figures["nanoseconds"] += time.process_time_ns() - before
    figures["characters"] += len(text)
    cover = bytearray(len(text) + 1)
    for start, end, *_ in (*doc.names, *doc.italics):
        cover[start:end] = b"\1" * (end - start)
    for name in found:
        genus, epithet = name.canonical.split()[:2]
        gap = re.match(r"\S+?[.\s]\s*", name.verbatim)
        marked = cover[name.start + (gap.end() if gap else 0)]
        figures["right"] += bool(marked or (genus in genera and LATIN.search(epithet)))
    figures["found"] += len(found)
    starts = [name.start for name in found]
    for start, end, parts in doc.names:
        words = fold_whitespace(text[start:end])
        if {"genus", "species"} <= parts.keys() and " " in words and not OPEN.search(words):
            at = bisect_right(starts, start + 3) - 1
            figures["marked"] += 1
            figures["hit"] += at >= 0 and found[at].end > start


def _parsed_species(facts: Path) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for table in ("mdd_chiroptera.csv", "mdd_other_mammals.csv"):
        with (facts / table).open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                species = row["sciName"].replace("_", " ")
                author, year = row["authoritySpeciesAuthor"], row["authoritySpeciesYear"]
                brackets = row["authorityParentheses"] == "1"
                authority = f"({author}, {year})" if brackets else f"{author}, {year}"
                name = parse_name(normalise_text(f"{species} {authority}"))
                counts["mammal names"] += 1
                counts["mammal names parsed"] += (
                    name is not None
                    and (name.canonical, str(name.year)) == (species, year)
                    and name.bracketed == brackets
                    and normalise_text(author).startswith(name.authors[0])
                )
    return dict(counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = measure(arguments.corpora)
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    for name, figure in figures.items():
        print(f"{name:40} {figure:10.4g}" if figure < 10 else f"{name:40} {figure:10.1f}")


if __name__ == "__main__":
    main()
