"""Every setting of taxocrawl: its unit, its range and its default.

Scrapy's own settings that we change come first, each with the reason; ours follow, room by room.
Values out of range end a run at start-up with one line (`taxocrawl.spiders.checks`).
Override one for a run with ``-s NAME=VALUE``, or for a project in a settings module of your own.
"""

from __future__ import annotations

from taxocrawl import __version__
from taxocrawl.shipped import own_path, shipped_path

# --- Scrapy ----------------------------------------------------------------------------------

BOT_NAME = "taxocrawl"
SPIDER_MODULES = ["taxocrawl.spiders"]
COMMANDS_MODULE = "taxocrawl.commands"
FEED_EXPORT_ENCODING = "utf-8"

# Consoles that execute code are no part of a crawler that runs for a month.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

LOG_LEVEL = "INFO"
STATS_DUMP = False  # the report and iterations.csv say it better

# Politeness from the first request. ROBOTSTXT_OBEY=False is refused at start-up unless
# ROBOTSTXT_IGNORE_CONSENT names the hosts whose owners agreed.
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1.0  # seconds between two requests to one host
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
AUTOTHROTTLE_MAX_DELAY = 60.0
AUTOTHROTTLE_TARGET_CONCURRENCY = 1.0

# Scrapy starts this many tasks for every response, so the default of 100 doubles the cost of a
# page (scrapy#5182).
CONCURRENT_ITEMS = 8

DOWNLOAD_TIMEOUT = 60  # seconds for one whole download
DOWNLOAD_MAXSIZE = 64 * 1024 * 1024  # bytes; Scrapy's default of 1 GiB fits no document
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_FAIL_ON_DATALOSS = True
RETRY_TIMES = 2
RETRY_GIVE_UP_LOG_LEVEL = "INFO"  # a dead page is no error of ours, and is counted
REDIRECT_MAX_TIMES = 10
# Every status reaches the spider, so that a dead link is counted and not lost.
HTTPERROR_ALLOW_ALL = True
# Depth is the frontier's business; referrers too.
SPIDER_MIDDLEWARES = {
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "taxocrawl.spidermiddlewares.classification.ClassificationMiddleware": 100,
}
DOWNLOADER_MIDDLEWARES = {
    # Which hosts are followed is asked when a link or redirect is taken, not when it is due.
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "taxocrawl.downloadermiddlewares.compression.CompressionMiddleware": 590,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "taxocrawl.downloadermiddlewares.redirects.RedirectMiddleware": 600,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "taxocrawl.downloadermiddlewares.cookies.OfflineCookiesMiddleware": 700,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "taxocrawl.downloadermiddlewares.robots.RobotsTxtMiddleware": 100,
    # Next to the downloader: a host rests before a retry (550) goes back to the frontier.
    "taxocrawl.downloadermiddlewares.hosts.HostMiddleware": 950,
    # Before robots.txt is asked for: a refused link costs no request at all.
    "taxocrawl.downloadermiddlewares.private.PrivateHostMiddleware": 60,
    "taxocrawl.downloadermiddlewares.traps.TrapMiddleware": 50,
    # Between HttpCompression (590) and MetaRefresh (580): sees plain bytes, after redirects.
    "taxocrawl.downloadermiddlewares.routing.DocumentRoutingMiddleware": 585,
}
ITEM_PIPELINES = {
    "taxocrawl.pipelines.embeddings.EmbeddingPipeline": 90,
    "taxocrawl.pipelines.linkscores.LinkScorePipeline": 100,
    "taxocrawl.pipelines.export.ExportPipeline": 200,
    "taxocrawl.pipelines.frontier.FrontierPipeline": 300,
    "taxocrawl.pipelines.statistics.StatisticsPipeline": 400,
}
EXTENSIONS = {
    "taxocrawl.extensions.progress.ProgressLine": 100,
    "scrapy.extensions.logstats.LogStats": None,  # the progress line says the same
    "scrapy.extensions.feedexport.FeedExporter": None,
    "taxocrawl.extensions.feed.DocumentFeed": 0,
}
PROGRESS_ENABLED = True
"""Whether a progress line is shown on a terminal, or logged each minute elsewhere."""
SCHEDULER = "taxocrawl.scheduler.FrontierScheduler"
LOG_FORMATTER = "taxocrawl.extensions.logformatter.QuietLogFormatter"

# --- who we are ------------------------------------------------------------------------------

CONTACT_EMAIL = ""
"""Address at which a site's owner reaches you; sent in the user agent and to search APIs that
offer a polite pool for it."""
CONTACT_URL = "https://example.org/taxocrawl"
"""Page that says what the crawler does."""
USER_AGENT = f"taxocrawl/{__version__} (+{CONTACT_URL})"
"""Product, version and contact; CONTACT_EMAIL is added at start-up when it is set."""
ROBOTSTXT_USER_AGENT = "taxocrawl"
ROBOTSTXT_IGNORE_CONSENT: list[str] = []
"""Hosts whose owners allowed ignoring robots.txt. Only with this list is ROBOTSTXT_OBEY=False
accepted, and only crawls restricted to these hosts by `allowed_hosts` start."""

# --- politeness ------------------------------------------------------------------------------

ROBOTSTXT_MAX_AGE = 24 * 3600.0
"""Seconds after which a robots.txt is fetched again (RFC 9309, 2.4: at most 24 hours)."""
ROBOTSTXT_TIMEOUT = 30.0
"""Seconds for the download of a robots.txt, at least 1."""
ROBOTSTXT_CACHE_SIZE = 8.0
"""Mebibytes of robots.txt whose rules are held in memory; in use they take some ten times more."""
CRAWL_DELAY_MAX = 120.0
"""Seconds, from 0. A host that asks for a longer Crawl-delay is asked at this pace, and a warning
is logged once."""
RETRY_AFTER_MAX = 3600.0
"""Seconds, from 0, that a host rests at most because its Retry-After says so."""
HOST_BACKOFF_START = 2.0
"""Seconds of rest, from 0, of a host after a failure (5xx, 429 without Retry-After, no answer);
each further failure without a good answer between them doubles it."""
HOST_BACKOFF_MAX = 600.0
"""Seconds of such a rest at most."""
HOST_FAILURES_MAX = 7
"""Failures in a row, from 1, after which a host is parked until nothing else is left to do in the
iteration. More than RETRY_TIMES + 1, else one broken page parks its host."""
HOST_SILENCES_MAX = 4
"""The same for failures in a row without any answer (timeout, refused, unknown host), from 1. More
than RETRY_TIMES + 1, else one page that hangs parks its host."""
ROBOTS_META_OBEY = True
"""Whether ``nofollow`` is obeyed: in a page's robots meta element, X-Robots-Tag, and on a link."""
EXPORT_NOINDEX = True
"""Whether documents marked ``noindex`` are exported, with that flag. False: reason ``noindex``."""

PRIVATE_HOSTS_ALLOWED = True
"""Whether loopback, private and link-local addresses may be asked: by a redirect, a link, or the
answer of a name server as well. The review desk starts its crawls with False."""
TWISTED_DNS_RESOLVER = "taxocrawl.downloadermiddlewares.resolver.PublicResolver"

# --- places ----------------------------------------------------------------------------------

MODELS_DIR = shipped_path("models")
"""Folder of trained models: that of the source tree, or what a wheel or egg brings."""
STOPWORDS_DIR = shipped_path("stopwords")
"""Folder of stop-word lists, found likewise."""
GOLDSTANDARD_DIR = shipped_path("goldstandard")
"""Folder of topics, each with its gold standards, found likewise."""
RESOURCES_DIR = own_path("resources")
"""Data too large to ship, made by `scrapy resources`: word vectors, sentence model, WordNet. In the
source tree, or in the working directory where taxocrawl is installed."""
RUNS_DIR = "runs"
"""Folder in which a run makes its own folder when `out=` is not given; relative to the working
directory."""

# --- seeds and queries -----------------------------------------------------------------------

SEED_LIMIT = 100
"""Distinct seeds of a run, at least 1 (KU 3.1: quality falls after the first 100 results). URLs of
a seeds file are not counted."""
SEED_MAX_RETRIES = 3
"""Times a search request is repeated after 429, 5xx or no answer, from 0."""
CROSSREF_URL = "https://api.crossref.org/works"
"""Endpoint of `seeds=crossref`; any that answers in Crossref's shape."""
EUROPEPMC_URL = "https://www.ebi.ac.uk/europepmc/webservices/rest/search"
"""Endpoint of `seeds=europepmc`; any that answers in Europe PMC's shape."""
SUGGEST_URL = "https://suggestqueries.google.com/complete/search?client=firefox&q={searchTerms}"
"""Where `scrapy aspects` asks for query suggestions: an OpenSearch template with ``{searchTerms}``
whose answers are ``["query", ["suggestion", …]]``."""
SUGGEST_PAUSE = 1.0
"""Seconds, from 0, between two such questions."""
GENERIC_TERMS_FILE = ""
"""Terms of generic expansion, one a line; '' means the list that ships with taxocrawl.queries."""
TAXONOMY_FILE = ""
"""Table of taxonomic expansion (docs/queries.md); '' means the bats that ship with it."""

# --- frontier --------------------------------------------------------------------------------

FRONTIER_CLASS = "taxocrawl.frontier.sqlite.SqliteFrontier"
FRONTIER_PARAMS: dict[str, object] = {}
"""``synchronous`` and ``cache_mib`` (taxocrawl.frontier.sqlite); ``trap_budget``: pages of a
pattern of URLs that may bring nothing new, from 2, 10 by default (docs/traps.md)."""
FRONTIER_BACKEND = "sqlite"
"""Where the frontier is: ``sqlite``, the run's own file for one process, or ``redis``, shared by
all workers that are given the same `out` (docs/distributed.md)."""
CRAWL_MAX_PAGES = 0
"""Downloads after which the crawl ends, from 0 (no limit): URLs for which an answer came, whatever
its status. What robots.txt forbids, what a rule refuses before it is asked for, and hosts that
cannot be reached do not count. Spider argument `max_pages`."""
CRAWL_ITERATIONS = 2
"""Last iteration, the seeds being iteration 0 (KU 4.3.2: quality peaks at 2)."""
SELECTION_POLICY = "all"
"""Which known URLs an iteration fetches: ``all``, ``top``, ``recent-half`` or ``best-first``
(docs/frontier.md). Spider argument `selection`."""
SELECTION_PARAMS: dict[str, object] = {}
"""``size`` (URLs of an iteration, at least 1; 100 when not given; not for ``all``), and limits:
``max_depth`` (links from a seed), ``max_pages_per_host`` (over the crawl), ``max_host_share`` (of
an iteration, in (0, 1])."""

# --- many workers (FRONTIER_BACKEND = "redis") --------------------------------------------------

REDIS_URL = "redis://127.0.0.1:6379/0"
"""The server, as ``redis://[USER:PASSWORD@]HOST:PORT/DB``, ``rediss://`` (TLS) or ``unix://``. The
other connection settings of scrapy-redis hold too."""
REDIS_PARAMS: dict[str, object] = {}
"""Further arguments of redis-py's client (scrapy-redis)."""
REDIS_ENCODING = "utf-8"
"""Of pushed seeds (scrapy-redis)."""
REDIS_CRAWL = ""
"""Name of the crawl: workers of one name share its frontier. '' means the name of the run's
folder."""
REDIS_LEASE = 60.0
"""Seconds, from 3, after which a worker that gives no sign of life is taken for dead, and what it
holds is selected again. On its own machine a dead worker is noticed within a third of that."""
REDIS_TIMEOUT = 30.0
"""Seconds, over 0, for one answer of the server."""
REDIS_PATIENCE = 300.0
"""Seconds, from 0, for which a server that does not answer is waited for once the crawl runs."""
REDIS_START_URLS_KEY = "%(name)s:start_urls"
"""Key under which seeds are pushed while the crawl runs; ``%(name)s`` is the spider's
(scrapy-redis)."""
REDIS_START_URLS_AS_SET = False
"""Whether that key holds a set (scrapy-redis)."""
REDIS_START_URLS_AS_ZSET = False
"""Whether it holds a sorted set, the highest first (scrapy-redis)."""
MAX_IDLE_TIME_BEFORE_CLOSE = None
"""Seconds for which a crawl that has come to its end waits for pushed seeds, 0 for ever
(scrapy-redis); None: it does not wait."""
SCHEDULER_PERSIST = True
"""Whether the frontier stays in Redis when the crawl has ended; it is needed to go on
(scrapy-redis, where the default is False)."""
SCHEDULER_FLUSH_ON_START = False
"""Whether a worker that finds no other one at work begins with an empty frontier (scrapy-redis)."""

# --- re-visits ---------------------------------------------------------------------------------

REVISIT_POLICY = "none"
"""When pages are asked for again: ``none``, ``uniform`` or ``proportional`` (docs/revisit.md).
Spider argument `revisit`."""
REVISIT_INTERVAL = 7 * 24 * 3600.0
"""Seconds, over 0, from one visit of a page to the next by ``uniform``; to the second visit by
``proportional``."""
REVISIT_MIN = 24 * 3600.0
"""Seconds, over 0, to which ``proportional`` shortens the interval of a page that changes."""
REVISIT_MAX = 90 * 24 * 3600.0
"""Seconds, from REVISIT_MIN, to which it lengthens that of a page that does not."""

# --- documents -------------------------------------------------------------------------------

PDF_WORKERS = 1
"""Worker processes that read PDFs; at least 1."""
PDF_TIME_LIMIT = 30.0
"""Seconds of one PDF, by the clock."""
PDF_MEMORY_LIMIT = 1024
"""MiB of address space of a PDF worker."""
PDF_MAX_PAGES = 500
"""Pages of one PDF that are read."""
PDF_ENGINE = "default"

# --- classification --------------------------------------------------------------------------

CLASSIFIER_HTML = "taxonomic/html-svm"
"""Model folder below MODELS_DIR (or an absolute one) that decides HTML and plain text. Also there:
taxonomic/html-rocchio (Rocchio on the same markers), taxonomic/html-rocchio-ku (KU 3.2.1 as
published)."""
CLASSIFIER_PDF = "taxonomic/pdf-svm"
"""Model folder below MODELS_DIR (or an absolute one) that decides PDF; ''
means the one of HTML."""

TRAININGSET_POSITIVES = 100
"""Pages on the topic that `scrapy trainingset` gathers, at least 5 (METU 4.4: 100;
4.2.1.1: 1000)."""
TRAININGSET_NEGATIVES = 100
"""Pages off the topic, at least 5."""

# --- scores ----------------------------------------------------------------------------------

LINKSCORE_PAGE_WEIGHT = 0.5
"""Lambda of METU eq. 4.4: weight of the page against its link, in [0, 1]."""
LINKSCORE_PARTS: dict[str, float] = {"url": 1, "anchor": 1, "context": 1}
"""Weights of a link's URL, anchor and nearby text within its own score, each at least 0; eq. 4.4
has them equal."""
LINKSCORE_MIN = 0.0
"""Links that score less, in [0, 1], are not admitted to the frontier (they are when a better page
links to them). Spider argument `min_score`."""
LINKSCORE_MODEL = ""
"""What scores waiting links again as pages come in: ``learned`` (a model trained while crawling, on
what links led to), ``indegree``, ``pagerank``, ``hits`` or ``opic`` (docs/scorers.md); '' for
nothing. A resumed run goes on with what was learned."""
LINKSCORE_MODEL_PARAMS: dict[str, object] = {}
"""Of ``learned``: ``every`` (pages between trainings, 1; later a thirtieth of all pages), ``least``
(pages before the first, 20), ``l2`` (0.2), ``feedback`` (whether the topic's words are learned,
True), ``exploration`` (share of random pages, 0.02), ``random_state`` (0). Of the others: ``every``
(10) and ``similarity`` (weight of eq. 4.4 in the score, in [0, 1], 0)."""
SCORER_CLASS = "tfidf"
"""What scores pages and links: a name of docs/scorers.md, or the dotted path of a class. Spider
argument `scorer`."""
SCORER_PARAMS: dict[str, object] = {}
"""The scorer's own parameters, such as ``{"k1": 1.5}`` (docs/scorers.md)."""
SCORER_PAGE_FIELDS = ""
"""What is read of a page: some of ``title,text,keywords,description,images``; '' means what the
scorer's document says."""
SCORER_BACKGROUND_FILE = ""
"""Table of document frequencies (first line ``#N<TAB>documents``, then ``word<TAB>count``, gzipped
or not); '' means the encyclopaedia's that ships with taxocrawl."""
VECTORS_FILE = RESOURCES_DIR / "glove" / "vectors.npz"
"""Word vectors of the scorer `glove`: the .npz of `scrapy resources glove`, or a file in GloVe's or
word2vec's text format."""
SENTENCE_MODEL_DIR = RESOURCES_DIR / "minilm"
"""Sentence model of the scorer `sbert`: the folder of `scrapy resources minilm`, or one of
sentence-transformers."""
DIVERSIFY_LAMBDA = 0.5
"""Share of the aspects in a diversified crawl's scores (METU eq. 4.6), in [0, 1]. Spider argument
`lambda`."""
DIVERSIFY_SPECIFICITY = 0.0
"""Power, from 0, of an aspect's share in a text's scores to all aspects, by which the score to the
aspect is multiplied before it counts (docs/diversified.md). 0 is the document's eq. 4.6; with 1
what is about one aspect comes before what has to do a little with each."""
DIVERSIFY_WEIGHTS = "document"
"""How aspects are weighed by what was gathered of them: ``document`` (METU eq. 4.7), ``inverse``,
``softmax``, ``quotas`` or ``equal`` (docs/diversified.md). Spider argument `weights`."""
DIVERSIFY_WEIGHTS_PARAMS: dict[str, float] = {}
"""Of ``inverse``: ``power`` (1), ``floor`` (0.01); of ``softmax``: ``temperature`` (0.25); of
``quotas``: ``chosen`` (0.5)."""
DIVERSIFY_TOTALS = "scores"
"""What of a page is added to what was gathered of each aspect: its ``scores`` (the document), or
1 for the aspect to which it scores highest (``pages``)."""
DIVERSIFY_TOTALS_ABOVE = 0.0
"""Score to an aspect, in [0, 1), above which a page adds anything to it."""
DIVERSIFY_TOTALS_POWER = 1.0
"""Power, at least 1, to which a page's score to an aspect is raised before it is added to what was
gathered of the aspect. 1 is the document's sum of scores; with 2 the many pages that hardly have to
do with an aspect count for little beside the few about it."""
ASPECT_RELEVANT_ABOVE = 0.1
"""Cosine to an aspect, in [0, 1), above which a page counts as relevant to it in the figures
(METU 4.4.3)."""
COSINE_GOLDSTANDARD_FILE = GOLDSTANDARD_DIR / "taxonomy" / "topic.txt"
"""Text of the topic, compared with pages and links: a text, HTML or PDF file, or a folder of such
(Nutch: cosine.goldstandard.file). Spider argument `goldstandard`."""
SCORING_STOPWORD_FILE = STOPWORDS_DIR / "english.txt"
"""Words that never count, one a line (Nutch: scoring.similarity.stopword.file)."""

# --- the review desk (docs/desk.md) ------------------------------------------------------------

DESK_DIR = "desk"
"""Folder of the desk's database, secret key and logs; relative to the working directory."""
DESK_HOST = "127.0.0.1"
"""Address on which the desk listens."""
DESK_PORT = 8321
"""Port on which it listens; 0 for a free one."""
DESK_ALLOWED_HOSTS: list[str] = []
"""Names under which it is reached besides those of loopback."""
DESK_HTTPS = False
"""Whether it is reached through a proxy that speaks https and sets X-Forwarded-Proto: cookies are
then sent over https alone."""
DESK_HSTS_SECONDS = 0
"""Seconds, from 0, for which browsers are told to use https alone; needs DESK_HTTPS."""
DESK_CRAWLS_PER_ACCOUNT = 1
"""Crawls that one account may have under way, from 1."""
DESK_PRIVATE_HOSTS_ALLOWED = False
"""Whether crawls started there may ask loopback, private and link-local addresses."""
DESK_SCRAPYD_URL = ""
"""Address of the scrapyd that runs the crawls, with name and password if it asks for them; '' has
them run as processes of their own."""
DESK_SCRAPYD_PROJECT = "taxocrawl"
"""Name of the project in that scrapyd."""
DESK_UPLOAD_MAX = 2 * 1024 * 1024
"""Bytes of what is uploaded, from 1."""
DESK_POST_SOURCES: dict[str, str] = {}
"""Other addresses of the live searches ``x``, ``mastodon`` and ``bluesky``."""
