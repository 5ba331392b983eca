"""The words of `taxocrawl.text.acts`: what is new, in which language, and what only looks so."""

from __future__ import annotations

ABBREVIATIONS = {
    "sp": "new species",
    "spp": "new species",
    "spec": "new species",
    "species": "new species",
    "gen": "new genus",
    "g": "new genus",
    "genus": "new genus",
    "subgen": "new subgenus",
    "subg": "new subgenus",
    "subgenus": "new subgenus",
    "subsp": "new subspecies",
    "ssp": "new subspecies",
    "subspecies": "new subspecies",
    "var": "new variety",
    "varietas": "new variety",
    "f": "new form",
    "forma": "new form",
    "fam": "new family",
    "familia": "new family",
    "subfam": "new subfamily",
    "superfam": "new superfamily",
    "trib": "new tribe",
    "tribus": "new tribe",
    "subtrib": "new subtribe",
    "ord": "new order",
    "ordo": "new order",
    "subord": "new suborder",
    "sect": "new section",
    "sectio": "new section",
    "comb": "new combination",
    "combinatio": "new combination",
    "stat": "new status",
    "status": "new status",
    "syn": "new synonym",
    "synonymum": "new synonym",
    "synonymon": "new synonym",
    "nom": "replacement name",
    "nomen": "replacement name",
}
"""What an abbreviation (or the Latin word) before or after `nov.` names."""

REVISED = {
    "stat": "revised status",
    "status": "revised status",
    "comb": "revised combination",
    "combinatio": "revised combination",
    "syn": "revised synonym",
    "sp": "revised status",
    "gen": "revised status",
}
"""What it names before `rev.` and `rest.`."""

EMENDED = "emended diagnosis"
"""What `emend.` says."""

ENGLISH = {
    "species": "new species",
    "genus": "new genus",
    "genera": "new genus",
    "subgenus": "new subgenus",
    "subgenera": "new subgenus",
    "subspecies": "new subspecies",
    "tribe": "new tribe",
    "tribes": "new tribe",
    "subtribe": "new subtribe",
    "family": "new family",
    "families": "new family",
    "subfamily": "new subfamily",
    "subfamilies": "new subfamily",
    "superfamily": "new superfamily",
    "suborder": "new suborder",
    "variety": "new variety",
    "varieties": "new variety",
    "combination": "new combination",
    "combinations": "new combination",
    "synonym": "new synonym",
    "synonyms": "new synonym",
    "synonymy": "new synonym",
    "synonymies": "new synonym",
    "replacement name": "replacement name",
    "replacement names": "replacement name",
    "substitute name": "replacement name",
    "status": "new status",
}

NO_ACT_AFTER = "|".join(
    """
    records? concepts? lists? groups? complex delimitation delineation richness diversity
    distributions? identifications? trees? inventor(?:y|ies) introductions? invasions? interactions?
    level pairs? pools? arrivals? names? discover(?:y|ies) formation accumulation composition
    assemblages? occurrences? locality localities members? traits? data model(?:s|ling)? of_genes?
    of_proteins? of_transcription of_receptors? of_enzymes? of_transposable of_viral
    """.split()
).replace("_", "[ \n]")
"""Words after `new species` (or `new family`) that make it no act."""

NO_ACT_BEFORE = frozenset(
    """
    of many any most no for by as with to into potential potentially putative putatively possible
    possibly candidate introducing adding finding discovering detecting producing forming forms
    evolving future such produce produces form generate generating
    """.split()
)
"""Words before `new species` that make it a subject of discussion, not an act."""

NEW = {
    "Spanish": "nueva nuevas nuevo nuevos",
    "Portuguese": "nova novas novo novos",
    "French": "nouvelle nouvelles nouveau nouveaux",
    "German": "neue neuer neuen neues",
    "Italian": "nuova nuove nuovo nuovi",
    "Dutch": "nieuwe nieuw",
    "Russian": "новый нового новые новых новая новой новое новую новым нов",
    "Turkish": "yeni",
    "Polish": "nowy nowe nowych",
    "Czech": "nový nové nových",
}
"""The word for new in each language but English and Latin, in the forms that go with the nouns."""

NOUNS = {
    "Spanish": {
        "new species": "especie especies",
        "new genus": "género géneros genero generos",
        "new subspecies": "subespecie subespecies",
        "new family": "familia",
        "new tribe": "tribu",
        "new combination": "combinación combinaciones combinacion",
        "new synonym": "sinónimo sinónimos sinonimia sinonimias",
        "replacement name": "nombre",
        "new status": "estatus",
    },
    "Portuguese": {
        "new species": "espécie espécies especie especies",
        "new genus": "gênero gêneros género géneros genero",
        "new subspecies": "subespécie subespécies",
        "new family": "família",
        "new combination": "combinação combinações",
        "new synonym": "sinônimo sinônimos sinónimo sinónimos sinonímia",
        "replacement name": "nome",
        "new status": "status",
    },
    "French": {
        "new species": "espèce espèces",
        "new genus": "genre genres",
        "new subspecies": "sous-espèce sous-espèces",
        "new family": "famille",
        "new tribe": "tribu",
        "new combination": "combinaison combinaisons",
        "new synonym": "synonyme synonymes synonymie synonymies",
        "replacement name": "nom",
        "new status": "statut",
    },
    "German": {
        "new species": "art arten spezies",
        "new genus": "gattung gattungen",
        "new subspecies": "unterart unterarten",
        "new family": "familie",
        "new tribe": "tribus",
        "new combination": "kombination kombinationen",
        "new synonym": "synonym synonyme",
        "replacement name": "name",
        "new status": "status",
    },
    "Italian": {
        "new species": "specie",
        "new genus": "genere generi",
        "new subspecies": "sottospecie",
        "new combination": "combinazione combinazioni",
        "new synonym": "sinonimo sinonimi sinonimia",
        "replacement name": "nome",
    },
    "Dutch": {"new species": "soort soorten", "new genus": "geslacht genus"},
    "Russian": {
        "new species": "вид вида виды видов видом",
        "new genus": "род рода роды родов",
        "new subspecies": "подвид подвида подвиды",
        "new family": "семейство семейства",
        "new combination": "комбинация комбинации",
        "new synonym": "синоним синонимы",
        "replacement name": "название",
    },
    "Turkish": {"new species": "tür türler", "new genus": "cins cinsler"},
    "Polish": {"new species": "gatunek gatunki gatunków", "new genus": "rodzaj"},
    "Czech": {"new species": "druh druhy druhů", "new genus": "rod"},
}
"""What stands beside that word, before or after it."""

CHINESE = {
    "种": "new species",
    "種": "new species",
    "属": "new genus",
    "屬": "new genus",
    "亚种": "new subspecies",
    "亜種": "new subspecies",
    "亞種": "new subspecies",
    "科": "new family",
    "组合": "new combination",
    "組合": "new combination",
    "异名": "new synonym",
    "異名": "new synonym",
}
"""What follows 新 in Chinese and Japanese."""

FURTHER = (
    ("replacement name", r"replacement name (?=for|of|propos)"),
    ("replacement name", r"new name (?=for)"),
    ("replacement name", r"ersatzname\b"),
    ("revised status", r"revised status\b"),
    ("revised status", r"status revised\b"),
    ("revised status", r"reinstated status\b"),
    (EMENDED, r"emended (?:diagnosis|description)\b"),
    (EMENDED, r"diagnosis emended\b"),
    ("type designation", r"lectotyp(?:e|us) (?:is )?(?:here(?:by|in)? )?designated\b"),
    ("type designation", r"neotyp(?:e|us) (?:is )?(?:here(?:by|in)? )?designated\b"),
    ("type designation", r"designated (?:here(?:by|in)? )?as (?:the )?(?:lecto|neo)type\b"),
    ("type designation", r"lectotyp(?:e designation|ification)\b"),
    ("type designation", r"neotyp(?:e designation|ification)\b"),
)
"""Other wordings: kind and pattern over lower-case text, each beginning with plain letters."""

MARKERS = {
    "zoobank": ("zoobank.org",),
    "holotype": ("holotype", "holotypus", "holotipo", "holótipo"),
    "other types": (
        "paratyp", "allotyp", "lectotyp", "neotyp", "syntyp", "isotyp", "epityp", "paratip",
    ),
    "type locality": ("type locality", "type localities", "locus typicus", "localidad tipo",
                      "localidade-tipo", "locality of type"),
    "type species": ("type species", "type genus", "especie tipo", "espécie-tipo", "typusart"),
    "diagnosis": ("\ndiagnosis", "\ndifferential diagnosis", "\ndiagnose"),
    "description": ("\ndescription", "\nredescription", "\ndescripción", "\ndescrição"),
    "etymology": ("etymolog", "etimolog", "derivatio nominis"),
    "material examined": ("material examined", "materials examined", "specimens examined",
                          "material examinado"),
    "key": ("key to the", "key to species", "key to genera", "identification key"),
    "new record": ("new record", "new country record", "first record", "new distribution record",
                   "new species record"),
}  # fmt: skip
"""Parts of a taxonomic treatment by name: what is counted in lower-case text."""
