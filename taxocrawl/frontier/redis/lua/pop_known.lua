-- take (1) or only look (0), now, token, lease, limit, delay, page limit, iteration, depth,
-- pages of a host or '', last rank, busy hosts -> {1, entry} or {0, seconds to wait}
local taking, now, token, lease = arg() == '1', arg(), arg(), number()
local limit, delay, page_limit = number(), number(), number()
local iteration, depth, most, last_rank = arg(), arg(), number(), number()
local busy = {}
for _, host in ipairs(list()) do
  busy[host] = true
end

-- From now on keep each host's best known URL of at most this depth.
if KDEPTH ~= depth then
  KDEPTH = depth
  call('SET', P .. 'kdepth', depth)
  local hosts = {}
  for _, found_in in ipairs(call('SMEMBERS', P .. 'kfound')) do
    for _, place_and_id in ipairs(call('ZRANGE', P .. 'k:' .. found_in, 0, -1)) do
      local id = id_of(place_and_id)
      local found = call('HMGET', url_key(id), 'c', 'd', 'h', 'p')
      index_known(id, found[4], found[1], found[2], found[3], found_in)
      hosts[found[3]] = true
    end
  end
  for host, _ in pairs(hosts) do
    refresh(host, 'k')
  end
end

local function has_room(host)
  return not most or tonumber(call('HGET', P .. 'taken', host) or 0) < most
end

if not taking then
  -- Whatever rests now will be asked later.
  local id = best('k', busy, has_room)
  if id then
    return { 1 }
  end
  for _, host in ipairs(call('ZRANGE', P .. 'wait', 0, -1)) do
    if not busy[host] and has_room(host) and call('EXISTS', P .. 'kh:' .. host) == 1 then
      return { 1 }
    end
  end
  for _, host in ipairs(call('SMEMBERS', P .. 'full')) do
    if not busy[host] and has_room(host) and call('EXISTS', P .. 'kh:' .. host) == 1 then
      return { 1 }
    end
  end
  return { 0, '' }
end
local counts = call('HMGET', P .. 'counts', IN_FLIGHT, 'downloads')
local in_flight = tonumber(counts[1] or 0)
if page_limit > 0 and in_flight + tonumber(counts[2] or 0) >= page_limit then
  return { 0, '' }
end
free_due()
local id, host = best('k', busy, has_room)
if not id and in_flight == 0 and unpark() then
  id, host = best('k', busy, has_room)
end
if not id then
  return { 0, next_ready() }
end
call('HSET', url_key(id), 'i', iteration)
local found = call('HMGET', url_key(id), 'f', 'p')
unindex_known(id, found[2], host, found[1])
give_rank(id, taken_for(iteration), last_rank)
to_in_flight(id, host, token, lease, now)
moved(KNOWN, IN_FLIGHT)
pending(iteration, 1)
take(host, 1)
take_turn(id, host, limit, delay)
begin(iteration, 1)
return { 1, entry(id) }
