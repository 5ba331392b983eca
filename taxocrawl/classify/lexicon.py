"""The words and phrases that `taxocrawl.classify.markers` counts, by marker.

Lower case, punctuation left out, one blank between words: ``sp nov`` stands for "sp. nov." and
"sp.nov". Change them only together with `taxocrawl.classify.features.FEATURE_VERSION`.
"""

from __future__ import annotations


def _listed(*lines: str) -> tuple[str, ...]:
    """The phrases of lines that part them with ``|``."""
    return tuple(phrase.strip() for line in lines for phrase in line.split("|"))


PHRASES: dict[str, tuple[str, ...]] = {
    "act on species": _listed(
        "sp nov|spec nov|spp nov|n sp|n spp|sp n|spec n|spp n|nov sp|nov spec|nov spp|ssp nov",
        "ssp n|n ssp|subsp nov|subspec nov|n subsp|var nov|species nova|nova species|sp nv|sp now",
        "species novae|ichnosp nov|nothosp nov|candidatus",
    ),
    "act on higher taxon": _listed(
        "gen nov|gen n|n gen|nov gen|gen et sp|gen et spec|g n|n g|subgen nov|subgen n|fam nov",
        "fam n|n fam|subfam nov|subfam n|trib nov|trib n|ord nov|sect nov|class nov|genus novum",
        "ichnogen nov|subg nov|superfam nov|phyl nov",
    ),
    "act of change": _listed(
        "comb nov|comb n|n comb|nov comb|comb rev|stat nov|stat n|n stat|stat rev|nom nov|n nom",
        "nomen novum|syn nov|syn n|n syn|nov syn|syn rev|new combination|new combinations",
        "new synonym|new synonyms|new synonymy|new status|emend nov|emended description",
        "replacement name|validation list|nomen nudum|nomen dubium|designated here",
        "hic designatus|sensu nov|revised status|lectotype designated|neotype designated",
    ),
    "new taxon": _listed(
        "new species|new genus|new genera|new subspecies|new subgenus|new family|new tribe",
        "new section|new variety|new taxa|new taxon|n species|n genus|especie nueva",
        "especies nuevas|nueva especie|nuevas especies|género nuevo|nuevo género|nuevos géneros",
        "espécie nova|espécies novas|nova espécie|novas espécies|gênero novo|novo gênero",
        "espèce nouvelle|espèces nouvelles|nouvelle espèce|nouvelles espèces|genre nouveau",
        "nouveau genre|neue art|neuen art|neue arten|neue gattung|neuen gattung|nuova specie",
        "nuove specie|nuovo genere|новый вид|новые виды|нового вида|новый род|nieuwe soort",
        "novy druh|nový druh|nowy gatunek",
    ),
    "described": _listed(
        "is described|are described|described and illustrated|described as new|described as a new",
        "we describe|i describe|herein described|described herein|described here|here described",
        "is erected|are erected|is proposed|are proposed|name proposed|new to science",
        "se describe|se describen|é descrita|são descritas|est décrite|sont décrites",
        "wird beschrieben|werden beschrieben|viene descritta|is redescribed|are redescribed",
        "we redescribe|redescribed from|redescription of|is revised|are revised|we revise",
        "is synonymized|is synonymised|is placed in the synonymy|is designated|are designated",
    ),
    "type": _listed(
        "type locality|type localities|type specimen|type specimens|type material|type strain",
        "type strains|type species|type series|type genus|locus typicus|localidad tipo",
        "localidade tipo|localité type|serie típica|typus in|loc typ",
    ),
    "material": _listed(
        "material examined|specimens examined|specimen examined|other material",
        "additional material|specimens studied|material studied|examined material",
        "material examinado|matériel examiné|matériel étudié|untersuchtes material",
        "additional specimens|material tipo|paratypes examined|specimens seen|specimina visa",
    ),
    "treatment": _listed(
        "derivatio nominis|derivation of name|derivation of the name|origin of name",
        "origin of the name|differential diagnosis|key to the species|key to species",
        "key to the|differs from|differ from|distinguished from|can be distinguished",
        "specific epithet|the epithet|species epithet|named after|named for|in honour of",
        "in honor of|the name refers|noun in apposition|clave para|clave de|chave para|clé des",
        "bestimmungsschlüssel|se distingue de|se distingue por|se distingue par|diffère de",
        "unterscheidet sich von|affinis sed",
    ),
    "code": _listed(
        "urn lsid|international code of|nomenclatural act|nomenclatural acts|index fungorum",
        "bacteriological code|international commission on",
    ),
    "deposit": _listed(
        "deposited in|deposited at|natural history museum|museum of natural|depositado en",
        "depositado no|depositada en|déposé au|hinterlegt in",
    ),
    "strain": _listed(
        "g+c content|dna dna|16s rrna gene|polyphasic|major fatty acids|isoprenoid quinone",
        "culture collection|gram negative|gram positive|gram stain",
    ),
    "listing": _listed(
        "read more|full text|view article|table of contents|current issue|next article",
        "previous article|all issues|sign in|log in|add to cart|download pdf|most read",
        "most cited|back to top|related articles|recent posts|leave a comment|posted by",
        "share this|view abstract|email alerts|in this issue",
    ),
    "encyclopaedia": _listed(
        "also known as|is a species of|is a genus of|are a family|are a group of|is a family of",
        "from wikipedia|retrieved from|is the largest|is one of the|are among the|in captivity",
        "the word|in mythology|popular culture|commonly known as|scientific classification",
    ),
    "statistics": _listed(
        "p 0|standard deviation|confidence interval|linear model|mixed model",
        "significantly higher|significantly lower|significant difference|significant differences",
        "our results|we tested|we found|hypothesis that|sample size|we used|per cent",
    ),
    "news": _listed(
        "scientists have|researchers have|according to|told the|press release|news release",
        "published today|the team|the researchers|the scientists|has been discovered",
        "have discovered|have found|bbc news|said the|says the|lead author|years ago",
    ),
}

UNSPACED: dict[str, tuple[str, ...]] = {
    "new taxon": ("新种", "新種", "新属", "新屬", "신종"),
    "type": ("模式", "正模", "타입표본"),
}
"""Phrases of scripts that do not part words."""


_WORDS = {
    "holotype": "holotype holotypes holotypus holotypi holotipo holótipo holotipi holotypen ht"
    " голотип",
    "paratype": "paratype paratypes paratypus paratypi paratipo parátipo paratipos parátipos"
    " paratypen paratypoid allotype allotipo alótipo topotype isotype isotypes isotipo isótipo"
    " паратип паратипы",
    "other type": "lectotype lectotypes lectotypus lectotipo lectótipo neotype neotypes syntype"
    " syntypes hapantotype epitype cotype cotypes lectotypification typification typus"
    " paralectotype paralectotypes",
    "etymology": "etymology etymologie etimología etimologia этимология",
    "diagnosis": "diagnosis diagnose diagnoses diagnosi diagnosen rediagnosis diagnostic диагноз",
    "synonymy": "synonym synonyms synonymy synonymized synonymised synonymous sinónimo sinónimos"
    " sinonimia sinonímia synonymie homonym homonymy nec auct auctt",
    "taxonomy": "taxonomy taxonomic taxonomically revision systematics"
    " monotypic subspecies congeners congeneric infraspecific epithet subgenus",
    "registry": "zoobank mycobank ipni iczn icnafp",
    "morphology": "dorsal ventral lateral dorsally ventrally laterally apex apical apically basal"
    " basally anterior posterior margin margins setae seta antenna antennae segment segments"
    " pronotum elytra forewing hindwing abdomen thorax carapace tibia femur tarsus genitalia"
    " aedeagus spines spine elongate slender rounded truncate concave convex punctate dorsum venter"
    " leaves leaf petals sepals corolla calyx stamens ovary glabrous pubescent lamina petiole"
    " inflorescence spores hyphae pileus basidia snout fin rays scales skull rostrum colour color"
    " brown yellowish reddish whitish blackish",
    "measure": "mm μm µm wide long length width diameter",
    "specimens": "leg coll det alt elev female females male males ♂ ♀ specimen specimens"
    " herbarium collector collected",
    "ecology": "abundance richness assemblage assemblages diversity sampling traps trapping plots"
    " sites habitats landscape conservation management forest forests predators predation foraging"
    " population populations community communities climate",
    "experiment": "significant significantly experiment experiments experimental treatment"
    " treatments control anova regression statistical variance correlation mean tested hypothesis"
    " effect effects model models results",
    "medicine": "patients patient clinical disease cells cell protein proteins expression mice"
    " rats human humans infection therapy cancer blood tissue receptor hospital health drug risk",
    "press": "said says scientists researchers news blog reporter journalist expedition discovery"
    " discovered discoveries wildlife experts",
    "menu": "login register subscribe cookies cookie privacy cart menu homepage newsletter facebook"
    " twitter download pdf issue volume archive submit editorial advertisement comments",
}

WORDS: dict[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in _WORDS.items()}
