-- Put before every script. KEYS[1] is the prefix of the crawl's keys, which __init__.py lists.
-- Scores are passed on as the text they came in: Lua would round them.
local P = KEYS[1]
local KNOWN, SELECTED, IN_FLIGHT, DONE = '0', '1', '2', '3'
local call = redis.call

local at = 0
local function arg()
  at = at + 1
  return ARGV[at]
end

local function number()
  return tonumber(arg())
end

local function list()
  local items = {}
  for n = 1, number() do
    items[n] = arg()
  end
  return items
end

local function clock()
  local time = call('TIME')
  return tonumber(time[1]) + tonumber(time[2]) / 1000000
end

local function url_key(id)
  return P .. 'u:' .. id
end

-- Members of the ordered sets, by which equal scores stand in the order of discovery: the eight
-- bytes of a URL's place (`taxocrawl.frontier.ordering`), then six of its number.
local function member(place, id)
  return place .. struct.pack('>I6', tonumber(id))
end

local function id_of(text)
  return string.format('%d', (struct.unpack('>I6', text, 9)))
end

local function host_of(text)
  return string.sub(text, 16)
end

local function count(name, by)
  call('HINCRBY', P .. 'counts', name, by)
end

local function moved(before, after)
  count(before, -1)
  count(after, 1)
end

local function pending(iteration, by)
  if call('HINCRBY', P .. 'pending', iteration, by) == 0 then
    call('HDEL', P .. 'pending', iteration)
  end
end

local function event(id, kind, now, detail)
  call('RPUSH', P .. 'events:' .. id, now .. '\n' .. kind .. '\n' .. detail)
end

-- Commands that the caller put together: each its length, name, key without prefix, arguments.
local function apply()
  for _ = 1, number() do
    local command = list()
    command[2] = P .. command[2]
    call(unpack(command))
  end
end

local function add_fetch(id, record)
  if record == '' then
    return ''
  end
  local seq = call('HINCRBY', P .. 'counts', 'fetches', 1)
  call('HSET', P .. 'fetches', seq, record)
  local status = cjson.decode(record).status
  if status and status ~= cjson.null then
    call('HINCRBY', P .. 'counts', 'downloads', 1)
  end
  local before = call('HGET', url_key(id), 'F')
  call('HSET', url_key(id), 'F', before and (before .. ',' .. seq) or seq)
  return seq
end

-- Hosts ------------------------------------------------------------------------------------------
-- `next` holds the best selected URL of each host that may be asked, `knext` the best known one
-- once a policy without iterations has asked for it (then `kdepth` is set).

local QUEUES = { s = { 's:', 'next', 'nextof' }, k = { 'kh:', 'knext', 'knextof' } }
local KDEPTH = call('GET', P .. 'kdepth')

local function is_blocked(host)
  return call('SISMEMBER', P .. 'full', host) == 1 or call('ZSCORE', P .. 'wait', host)
end

local function refresh(host, kind)
  local queue = QUEUES[kind]
  local old = call('HGET', P .. queue[3], host)
  local head = {}
  if not is_blocked(host) then
    head = call('ZRANGE', P .. queue[1] .. host, 0, 0, 'WITHSCORES')
  end
  local new = head[1] and (head[1] .. '|' .. host)
  if old and old ~= new then
    call('ZREM', P .. queue[2], old)
  end
  if new then
    call('ZADD', P .. queue[2], head[2], new)
    call('HSET', P .. queue[3], host, new)
  elseif old then
    call('HDEL', P .. queue[3], host)
  end
end

local function refresh_known(host)
  if KDEPTH then
    refresh(host, 'k')
  end
end

local function refresh_both(host)
  refresh(host, 's')
  refresh_known(host)
end

local function take(host, by)
  call('HINCRBY', P .. 'taken', host, by)
end

-- A host with a delay is asked by one request at a time, and the delay counts from its end.
local function own_delay(host, delay)
  return math.max(delay, tonumber(call('HGET', P .. 'slow', host) or 0))
end

local function take_turn(id, host, limit, delay)
  if limit > 0 then
    call('HSET', url_key(id), 'l', host)
    local load = call('HINCRBY', P .. 'load', host, 1)
    if load >= limit or own_delay(host, delay) > 0 then
      call('SADD', P .. 'full', host)
    end
  end
  refresh_both(host)
end

local function give_turn(id, delay)
  local host = call('HGET', url_key(id), 'l')
  if not host then
    return
  end
  call('HDEL', url_key(id), 'l')
  if call('HINCRBY', P .. 'load', host, -1) <= 0 then
    call('HDEL', P .. 'load', host)
  end
  call('SREM', P .. 'full', host)
  delay = own_delay(host, delay)
  if delay > 0 then
    call('ZADD', P .. 'wait', 'GT', clock() + delay, host)
  end
  refresh_both(host)
end

local function free(hosts)
  for _, host in ipairs(hosts) do
    call('ZREM', P .. 'wait', host)
    refresh_both(host)
  end
end

-- States -----------------------------------------------------------------------------------------

local function index_known(id, place, score, depth, host, found)
  call('ZADD', P .. 'k:' .. found, '-' .. score, member(place, id))
  call('SADD', P .. 'kfound', found)
  if KDEPTH then
    if tonumber(depth) <= tonumber(KDEPTH) then
      call('ZADD', P .. 'kh:' .. host, '-' .. score, member(place, id))
    else
      call('ZREM', P .. 'kh:' .. host, member(place, id))
    end
  end
end

local function unindex_known(id, place, host, found)
  call('ZREM', P .. 'k:' .. found, member(place, id))
  if call('EXISTS', P .. 'k:' .. found) == 0 then
    call('SREM', P .. 'kfound', found)
  end
  if KDEPTH then
    call('ZREM', P .. 'kh:' .. host, member(place, id))
  end
end

local function to_selected(id, iteration, now)
  local found = call('HMGET', url_key(id), 'h', 'c', 'p')
  call('HSET', url_key(id), 's', SELECTED, 'i', iteration, 't', now)
  call('ZADD', P .. 's:' .. found[1], '-' .. found[2], member(found[3], id))
end

local function taken_for(iteration)
  local found = call('HMGET', P .. 'meta', 'iteration', 'iteration taken')
  return found[1] == iteration and tonumber(found[2]) or 0
end

-- `ordering.page_rank`, with the last rank that it gives.
local function give_rank(id, number, last)
  call('HSET', url_key(id), 'k', math.min(1 + number, last))
end

local function begin(iteration, taken)
  if call('HGET', P .. 'meta', 'iteration') == iteration then
    call('HINCRBY', P .. 'meta', 'iteration taken', taken)
  else
    call('HSET', P .. 'meta', 'iteration', iteration, 'iteration taken', taken)
  end
end

local function entry(id)
  local fields = call('HMGET', url_key(id), 's', 'c', 'd', 'h', 'f', 'i', 'n', 'r', 'k')
  return {
    id, call('HGET', P .. 'text', id), call('HGET', P .. 'payload', id) or '',
    call('HGET', P .. 'visits', id) or '', unpack(fields)
  }
end

local function to_in_flight(id, host, token, lease, now)
  call('HSET', url_key(id), 's', IN_FLIGHT, 't', now, 'w', token)
  call('HINCRBY', url_key(id), 'n', 1)
  call('ZADD', P .. 'flight', clock() + lease, id)
  call('ZREM', P .. 's:' .. host, member(call('HGET', url_key(id), 'p'), id))
end

local function holds(id, token)
  local found = call('HMGET', url_key(id), 's', 'w')
  return found[1] == IN_FLIGHT and found[2] == token
end

local function left_flight(id)
  call('HDEL', url_key(id), 'w')
  call('ZREM', P .. 'flight', id)
end

-- Back to selected: a retry, a worker that died, a crawl that was stopped.
local function give_back(id, now, delay, kind)
  local found = call('HMGET', url_key(id), 'h', 'i')
  left_flight(id)
  to_selected(id, found[2], now)
  moved(IN_FLIGHT, SELECTED)
  give_turn(id, delay)
  refresh(found[1], 's')
  event(id, kind, now, '{}')
end

-- Whatever is in flight and held by this worker, by one that is gone, or for longer than its lease.
local function reclaim(own, now, delay)
  local time, returned = clock(), 0
  local flight = call('ZRANGE', P .. 'flight', 0, -1, 'WITHSCORES')
  for n = 1, #flight, 2 do
    local id, ends = flight[n], tonumber(flight[n + 1])
    local worker = string.match(call('HGET', url_key(id), 'w') or '', '^(.*):%d+$')
    if not worker or worker == own or ends <= time or not call('ZSCORE', P .. 'workers', worker) then
      give_back(id, now, delay, 'recovered')
      returned = returned + 1
    end
  end
  return returned
end

-- What is kept of a URL in `text`: three lines that name it, its referrer, its evidence.
local TEXT = '^([^\n]*\n[^\n]*\n[^\n]*\n)([^\n]*)\n(.*)$'

local function put_payload(id, payload)
  if payload == '' then
    call('HDEL', P .. 'payload', id)
  else
    call('HSET', P .. 'payload', id, payload)
  end
end

-- Links ------------------------------------------------------------------------------------------

-- Whatever is compared here is a total order, so that it does not matter what comes first.
local function improve(id, link, found_in)
  local found = call('HMGET', url_key(id), 's', 'c', 'd', 'h', 'f', 'p')
  if found[1] ~= KNOWN then
    return
  end
  local score, depth, host, place = found[2], found[3], found[4], found[6]
  local head, referrer, evidence = string.match(call('HGET', P .. 'text', id), TEXT)
  local gain = tonumber(link.score) - tonumber(score)
  local better = gain > 0 or (gain == 0 and link.referrer < referrer)
  local nearer = tonumber(link.depth) < tonumber(depth)
  local earlier = link.place < place and found_in == found[5]
  if not (better or nearer or earlier) then
    return
  end
  if better then
    score, referrer, evidence = link.score, link.referrer, link.evidence
  end
  if nearer then
    depth = link.depth
  end
  if earlier then
    unindex_known(id, place, host, found_in)
    head, place = link.head, link.place
    put_payload(id, link.payload)
  end
  call('HSET', P .. 'text', id, head .. referrer .. '\n' .. evidence)
  call('HSET', url_key(id), 'c', score, 'd', depth, 'p', place)
  index_known(id, place, score, depth, host, found[5])
  refresh_known(host)
end

local function next_link()
  return {
    digest = arg(), head = arg(), referrer = arg(), evidence = arg(), score = arg(), depth = arg(),
    host = arg(), payload = arg(), place = arg()
  }
end

local function add_known(link, found_in, now)
  local id = string.format('%d', call('INCR', P .. 'last id'))
  call('HSET', P .. 'ids', link.digest, id)
  call('HSET', url_key(id), 's', KNOWN, 'c', link.score, 'd', link.depth, 'h', link.host,
    'f', found_in, 'p', link.place, 'n', 0, 't', now)
  call('HSET', P .. 'text', id, link.head .. link.referrer .. '\n' .. link.evidence)
  put_payload(id, link.payload)
  index_known(id, link.place, link.score, link.depth, link.host, found_in)
  refresh_known(link.host)
end

-- Adds the links that come next among the arguments; returns how many are new.
local function add_links(found_in, now)
  local new = 0
  for _ = 1, number() do
    local link = next_link()
    local id = call('HGET', P .. 'ids', link.digest)
    if not id then
      add_known(link, found_in, now)
      new = new + 1
    elseif string.sub(id, 1, 1) ~= 'a' then
      improve(id, link, found_in)
    end
  end
  if new > 0 then
    count(KNOWN, new)
  end
  return new
end

-- Another address of an entry's page. What it was known as is not fetched, unless it is selected.
local function add_alias(digest, url, id, now)
  local other = call('HGET', P .. 'ids', digest)
  if not other then
    call('HSET', P .. 'ids', digest, 'a' .. id)
    call('RPUSH', P .. 'aliases:' .. id, url)
    return
  end
  local found = call('HMGET', url_key(other), 's', 'h', 'f', 'p')
  if other == id or found[1] ~= KNOWN then
    return
  end
  call('HSET', url_key(other), 's', DONE, 'r', 'alias', 't', now)
  moved(KNOWN, DONE)
  unindex_known(other, found[4], found[2], found[3])
  refresh_known(found[2])
  event(other, 'alias', now, '{"entry":' .. id .. '}')
end

local function add_to_patterns(patterns, productive, weight)
  for _, pattern in ipairs(patterns) do
    local past = call('HGET', P .. 'patterns', pattern) or '0,0,0'
    local good, barren, run = string.match(past, '^(%d+),(%d+),(%d+)$')
    if productive then
      good, run = good + 1, 0
    else
      barren, run = barren + weight, run + weight
    end
    call('HSET', P .. 'patterns', pattern, string.format('%d,%d,%d', good, barren, run))
  end
end
