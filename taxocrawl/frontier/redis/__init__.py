"""The shared frontier: many workers, on as many machines as they like, and one Redis (7 or newer).

Every change of state is one Lua script (``lua/``), so it is made whole or not at all, whoever dies.
Values are plain text or JSON. All keys of a crawl begin with ``taxocrawl:{NAME}:``; the braces keep
them on one node of a Redis Cluster.

    last id              number of URLs so far; a URL's number is its place in discovery order
    ids                  hash: 16 bytes of a canonical URL's hash -> number ("a" before an alias's)
    u:NUMBER             hash: s state, c score, d depth, h host, f found in, i iteration,
                         n attempts, r reason, p place and k rank (see `ordering`), t time
                         of the last change, g second visit wanted; while in flight w the lease's
                         token, l the host whose turn it has; F fetch records
    text                 hash: number -> URL, key if other, source, referrer, evidence; by lines
    payload, visits      hashes: number -> JSON
    due                  sorted set: number -> time of the next visit
    revisited            hash: "ITERATION VERDICT number|age" -> sum
    last settled         hash: worker -> what `settle` answered last
    k:ITERATION, kfound  sorted sets of what is known, by the iteration it was found in; their names
    kh:HOST, knext, knextof, kdepth    the same by host, for a policy without iterations
    s:HOST, next, nextof what is selected by host; the best of each host; where each host stands
    flight               sorted set: number -> time at which its lease runs out (the server's clock)
    workers              sorted set: worker -> time at which it is taken for dead
    office:NAME          worker elected for what only one may do; expires
    load, full           requests of hosts under way; hosts that have no room
    wait, slow           when hosts may be asked again; their Crawl-delays
    taken, counts, pending, refusals, meta, totals:NAME          numbers and JSON
    fetches              hash: number of the record -> JSON
    documents, ...       see `copies`
    patterns, texts      see `taxocrawl.frontier.patterns`
    staged:WORKER        a selection that is being chosen
    staged, staged for   a selection that is binding and not carried out yet, and its iteration
    aliases:NUMBER, events:NUMBER, revisits:NUMBER   lists
    inbox                list of seeds that were pushed and are not in the frontier yet
    last beat            time of the last sign of life
    troubles             hash: origin -> JSON of its failures
"""
