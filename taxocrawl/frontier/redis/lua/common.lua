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

-- Members of the ordered sets: equal scores stand in the order of discovery.
local function tie(id)
  return string.format('%012d', tonumber(id))
end

local function id_of(member)
  return string.format('%d', tonumber(string.sub(member, 1, 12)))
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

local function index_known(id, score, depth, host, found)
  call('ZADD', P .. 'k:' .. found, '-' .. score, tie(id))
  call('SADD', P .. 'kfound', found)
  if KDEPTH then
    if tonumber(depth) <= tonumber(KDEPTH) then
      call('ZADD', P .. 'kh:' .. host, '-' .. score, tie(id))
    else
      call('ZREM', P .. 'kh:' .. host, tie(id))
    end
  end
end

local function unindex_known(id, host, found)
  call('ZREM', P .. 'k:' .. found, tie(id))
  if call('EXISTS', P .. 'k:' .. found) == 0 then
    call('SREM', P .. 'kfound', found)
  end
  if KDEPTH then
    call('ZREM', P .. 'kh:' .. host, tie(id))
  end
end

local function to_selected(id, host, score, iteration, now)
  call('HSET', url_key(id), 's', SELECTED, 'i', iteration, 't', now)
  call('ZADD', P .. 's:' .. host, '-' .. score, tie(id))
end

local function begin(iteration, taken)
  if call('HGET', P .. 'meta', 'iteration') == iteration then
    call('HINCRBY', P .. 'meta', 'iteration taken', taken)
  else
    call('HSET', P .. 'meta', 'iteration', iteration, 'iteration taken', taken)
  end
end

local function entry(id)
  local fields = call('HMGET', url_key(id), 's', 'c', 'd', 'h', 'f', 'i', 'n', 'r')
  return {
    id, call('HGET', P .. 'text', id), call('HGET', P .. 'payload', id) or '',
    call('HGET', P .. 'visits', id) or '', unpack(fields)
  }
end

local function to_in_flight(id, host, token, lease, now)
  call('HSET', url_key(id), 's', IN_FLIGHT, 't', now, 'w', token)
  call('HINCRBY', url_key(id), 'n', 1)
  call('ZADD', P .. 'flight', clock() + lease, id)
  call('ZREM', P .. 's:' .. host, tie(id))
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
  local found = call('HMGET', url_key(id), 'h', 'c', 'i')
  left_flight(id)
  to_selected(id, found[1], found[2], found[3], now)
  moved(IN_FLIGHT, SELECTED)
  give_turn(id, delay)
  refresh(found[1], 's')
  event(id, kind, now, '{}')
end

-- Links ------------------------------------------------------------------------------------------

local function improve(id, score, depth, tail)
  local found = call('HMGET', url_key(id), 's', 'c', 'd', 'h', 'f')
  if found[1] ~= KNOWN then
    return
  end
  local better, nearer = tonumber(score) > tonumber(found[2]), tonumber(depth) < tonumber(found[3])
  if not (better or nearer) then
    return
  end
  if better then
    local text = call('HGET', P .. 'text', id)
    call('HSET', P .. 'text', id, string.match(text, '^[^\n]*\n[^\n]*\n[^\n]*\n') .. tail)
  end
  score, depth = better and score or found[2], nearer and depth or found[3]
  call('HSET', url_key(id), 'c', score, 'd', depth)
  index_known(id, score, depth, found[4], found[5])
  refresh_known(found[4])
end

-- Adds the links that come next among the arguments; returns how many are new.
local function add_links(found_in, now)
  local new = 0
  for _ = 1, number() do
    local digest, head, tail = arg(), arg(), arg()
    local score, depth, host, payload = arg(), arg(), arg(), arg()
    local id = call('HGET', P .. 'ids', digest)
    if not id then
      id = string.format('%d', call('INCR', P .. 'last id'))
      call('HSET', P .. 'ids', digest, id)
      call('HSET', url_key(id), 's', KNOWN, 'c', score, 'd', depth, 'h', host, 'f', found_in,
        'n', 0, 't', now)
      call('HSET', P .. 'text', id, head .. tail)
      if payload ~= '' then
        call('HSET', P .. 'payload', id, payload)
      end
      index_known(id, score, depth, host, found_in)
      refresh_known(host)
      new = new + 1
    elseif string.sub(id, 1, 1) ~= 'a' then
      improve(id, score, depth, tail)
    end
  end
  if new > 0 then
    count(KNOWN, new)
  end
  return new
end

-- A second address of an entry's page. What the address was known as before is not fetched.
local function add_alias(digest, url, id, now)
  local other = call('HGET', P .. 'ids', digest)
  if not other then
    call('HSET', P .. 'ids', digest, 'a' .. id)
    call('RPUSH', P .. 'aliases:' .. id, url)
    return
  end
  local found = call('HMGET', url_key(other), 's', 'h', 'f', 'i')
  local state, host = found[1], found[2]
  if other == id or (state ~= KNOWN and state ~= SELECTED) then
    return
  end
  call('HSET', url_key(other), 's', DONE, 'r', 'alias', 't', now)
  moved(state, DONE)
  if state == KNOWN then
    unindex_known(other, host, found[3])
  else
    call('ZREM', P .. 's:' .. host, tie(other))
    pending(found[4], -1)
  end
  refresh_both(host)
  event(other, 'alias', now, '{"entry":' .. id .. '}')
end

local function add_to_pattern(pattern, productive, weight)
  local past = call('HGET', P .. 'patterns', pattern) or '0,0,0'
  local good, barren, run = string.match(past, '^(%d+),(%d+),(%d+)$')
  if productive then
    good, run = good + 1, 0
  else
    barren, run = barren + weight, run + weight
  end
  call('HSET', P .. 'patterns', pattern, string.format('%d,%d,%d', good, barren, run))
end
