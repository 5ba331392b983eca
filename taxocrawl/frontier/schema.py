"""The tables of the SQLite frontier.

`state` is a number: its place in `STATES`. `hash` is 64 bits of the canonical URL: an index over
it is a tenth of one over the text; equal hashes are told apart by the text. `hosts` carries for
each host its best selected URL (and its best known one once a policy without iterations asks for
it), so that the best URL of a host that is not busy is found however long the queues of busy
hosts are.
"""

from __future__ import annotations

from taxocrawl.frontier.base import State
from taxocrawl.frontier.ordering import place_of

VERSION = 3
APPLICATION_ID = 0x7461786F  # "taxo"

STATES = tuple(State)
KNOWN, SELECTED, IN_FLIGHT, DONE, FAILED, GONE = range(len(STATES))

_SINCE_2 = """
CREATE TABLE visits (
    entry_id INTEGER PRIMARY KEY,
    text_hash TEXT NOT NULL, etag TEXT NOT NULL, last_modified TEXT NOT NULL,
    visited_at REAL NOT NULL,       -- when the page was had or confirmed last
    interval REAL,                  -- seconds; NULL before a policy gave it
    next_at REAL                    -- NULL when no further visit is planned
);
CREATE INDEX visits_next ON visits (next_at) WHERE next_at IS NOT NULL;
CREATE TABLE revisits (
    seq INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL, iteration INTEGER NOT NULL,
    at REAL NOT NULL, verdict TEXT NOT NULL, age REAL
);
CREATE INDEX revisits_entry ON revisits (entry_id);
CREATE INDEX fetches_entry ON fetches (entry_id);
"""
_SELECTED_BY_HOST = (
    f"CREATE INDEX urls_selected ON urls (host_id, score DESC, place, id) WHERE state = {SELECTED};"
)
_HOSTS_BY_NEXT = (
    "CREATE INDEX hosts_next ON hosts (next_score DESC, next_place, next_id)"
    " WHERE next_id IS NOT NULL;"
)
HAS_ANSWER = "record ->> 'status' IS NOT NULL"
"""Of a row of `fetches`: a page came, whatever it was."""
KNOWN_ORDER = "known_order"
"""Meta value: up to which depth each host's best known URL is kept."""
_COUNTERS = ", ".join(f"('{name}', 0)" for name in (*STATES, "fetches", "downloads", "documents"))
TABLES = f"""
CREATE TABLE urls (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    key TEXT,                       -- canonical form; NULL when it is the URL itself
    hash INTEGER NOT NULL,
    host_id INTEGER NOT NULL,
    state INTEGER NOT NULL,
    score REAL NOT NULL,
    depth INTEGER NOT NULL,
    found_in INTEGER NOT NULL,
    place INTEGER NOT NULL,         -- in the order of discovery, see `ordering`
    iteration INTEGER,
    rank INTEGER NOT NULL DEFAULT 0, -- among the pages of its iteration, see `ordering`
    attempts INTEGER NOT NULL DEFAULT 0,
    again INTEGER NOT NULL DEFAULT 0,
    changed_at REAL NOT NULL,
    referrer TEXT NOT NULL,
    source TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    payload TEXT NOT NULL DEFAULT '',
    evidence TEXT NOT NULL DEFAULT ''
);
CREATE INDEX urls_hash ON urls (hash);
{_SELECTED_BY_HOST}
CREATE INDEX urls_pending ON urls (iteration, state) WHERE state IN ({SELECTED}, {IN_FLIGHT});
CREATE INDEX urls_in_flight ON urls (id) WHERE state = {IN_FLIGHT};
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL UNIQUE,
    taken INTEGER NOT NULL DEFAULT 0,
    next_score REAL, next_place INTEGER, next_id INTEGER,
    known_score REAL, known_place INTEGER, known_id INTEGER
);
{_HOSTS_BY_NEXT}
CREATE TABLE aliases (
    hash INTEGER NOT NULL, url TEXT NOT NULL, entry_id INTEGER NOT NULL,
    PRIMARY KEY (hash, url)
) WITHOUT ROWID;
CREATE INDEX aliases_entry ON aliases (entry_id);
CREATE TABLE fetches (seq INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL, record TEXT NOT NULL);
CREATE TABLE documents (
    seq INTEGER PRIMARY KEY, entry_id INTEGER NOT NULL, fetch_seq INTEGER,
    content_hash TEXT NOT NULL, record TEXT NOT NULL,
    work INTEGER NOT NULL,          -- the same for all copies of one work
    superseded_by INTEGER,          -- seq of the copy that is exported; NULL when this one is
    fingerprint TEXT NOT NULL, sketch BLOB NOT NULL
);
CREATE INDEX documents_entry ON documents (entry_id);
CREATE INDEX documents_work ON documents (work);
CREATE INDEX documents_content ON documents (content_hash) WHERE superseded_by IS NULL;
CREATE TABLE document_keys (
    hash INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (hash, seq)
) WITHOUT ROWID;
CREATE TABLE patterns (
    hash INTEGER PRIMARY KEY, productive INTEGER NOT NULL, barren INTEGER NOT NULL,
    run INTEGER NOT NULL
);
CREATE TABLE texts (hash INTEGER PRIMARY KEY);
CREATE TABLE events (
    seq INTEGER PRIMARY KEY, at REAL NOT NULL, entry_id INTEGER NOT NULL,
    kind TEXT NOT NULL, detail TEXT NOT NULL
);
CREATE INDEX events_entry ON events (entry_id);
CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counts VALUES {_COUNTERS};
CREATE TABLE refusals (reason TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
{_SINCE_2}
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""

UPGRADES = {
    1: f"""
{_SINCE_2}
INSERT INTO visits SELECT id, '', '', '', changed_at, NULL, NULL FROM urls
WHERE state = {DONE} AND reason IN ('', 'non-taxonomic', 'noindex', 'duplicate');
PRAGMA user_version = 2;
""",
    2: f"""
ALTER TABLE urls ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE urls ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hosts ADD COLUMN next_place INTEGER;
ALTER TABLE hosts ADD COLUMN known_place INTEGER;
UPDATE urls SET place = (found_in + 1) * {place_of(0)};
DROP INDEX urls_selected;
{_SELECTED_BY_HOST}
DROP INDEX hosts_next;
{_HOSTS_BY_NEXT}
DROP INDEX IF EXISTS urls_known;
DROP INDEX IF EXISTS urls_recent;
DROP INDEX IF EXISTS urls_known_host;
DROP INDEX IF EXISTS hosts_known;
DELETE FROM meta WHERE name = '{KNOWN_ORDER}';
UPDATE hosts SET next_place = (SELECT place FROM urls WHERE urls.id = next_id);
INSERT INTO counts SELECT 'downloads', COUNT(*) FROM fetches WHERE {HAS_ANSWER};
PRAGMA user_version = 3;
""",
}
"""Statements that make a file of a version one of the next. The texts of the pages that version 1
had are not known: their next visit compares with nothing. What version 2 found in one iteration
keeps the order in which it came."""

_OF_KNOWN = f"WHERE state = {KNOWN}"
KNOWN_BY_SCORE = (
    f"CREATE INDEX IF NOT EXISTS urls_known ON urls (score DESC, place, id, found_in) {_OF_KNOWN}"
)
KNOWN_BY_ITERATION = (
    f"CREATE INDEX IF NOT EXISTS urls_recent ON urls (found_in, score DESC, place, id) {_OF_KNOWN}"
)
KNOWN_BY_HOST = (
    "CREATE INDEX IF NOT EXISTS urls_known_host"
    f" ON urls (host_id, score DESC, place, id, depth) {_OF_KNOWN}",
    "CREATE INDEX IF NOT EXISTS hosts_known ON hosts (known_score DESC, known_place, known_id)"
    " WHERE known_id IS NOT NULL",
)
"""Each is made when a policy first asks in its order: others need not pay for it."""
