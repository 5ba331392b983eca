"""A little labelled collection, made up for the tests of this folder."""

from __future__ import annotations

from taxocrawl.items import Category

TAXONOMIC = [
    f"{genus} {epithet} sp. nov. Holotype male, paratypes. Diagnosis: differs from others by "
    f"the {part}. Etymology: from the {place}. Material examined: {number} specimens, 12 mm long."
    for genus, epithet, part, place, number in [
        ("Myotis", "montanus", "ears", "mountains", 3),
        ("Pteropus", "insularis", "skull", "islands", 5),
        ("Carabus", "niger", "pronotum", "forest", 2),
        ("Stenus", "fluvialis", "aedeagus", "river", 7),
        ("Begonia", "petraea", "leaves", "rocks", 1),
        ("Rana", "silvestris", "tympanum", "woods", 4),
        ("Anolis", "virens", "dewlap", "coast", 6),
        ("Liolaemus", "griseus", "scales", "steppe", 9),
    ]
]
OTHER = [
    f"Effects of {cause} on {victim}. We tested {number} {victim} in a field experiment. Abundance "
    f"was significantly lower under {cause} (p < 0.05). Our results suggest changes of management."
    for cause, victim, number in [
        ("drought", "butterflies", 40),
        ("grazing", "beetles", 120),
        ("noise", "bats", 33),
        ("fire", "lizards", 57),
        ("lamps", "moths", 210),
        ("roads", "frogs", 64),
        ("mowing", "spiders", 300),
        ("salt", "snails", 18),
    ]
]
TEXTS = TAXONOMIC + OTHER
LABELS = [Category.TAXONOMIC] * len(TAXONOMIC) + [Category.NON_TAXONOMIC] * len(OTHER)
STOPWORDS = frozenset("the of by from all in we was our on".split())
