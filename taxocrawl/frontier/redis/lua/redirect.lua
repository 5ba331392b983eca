-- id, token, digest and text of the new canonical URL, its host, payload, URL, now, delay,
-- fetch record, pattern that a shortcut counts against or '', weight
-- -> {followed, entry of the page}, or {} when the entry is not in flight
local id, token, digest, key, new_host = arg(), arg(), arg(), arg(), arg()
local payload, url, now, delay = arg(), arg(), arg(), number()
local fetch, pattern, weight = arg(), arg(), number()
if not holds(id, token) then
  return {}
end
local found = call('HMGET', url_key(id), 'h', 'c', 'd', 'i')
local host, score, depth, iteration = unpack(found)
local target = call('HGET', P .. 'ids', digest)
local is_alias = target and string.sub(target, 1, 1) == 'a'
if is_alias then
  target = string.sub(target, 2)
end
if not target or target == id then
  call('HSET', P .. 'payload', id, payload)
  if not target then
    call('HSET', P .. 'ids', digest, 'a' .. id)
    call('RPUSH', P .. 'aliases:' .. id, key)
  end
  if new_host ~= host then
    take(host, -1)
    take(new_host, 1)
  end
  left_flight(id)
  call('HSET', url_key(id), 'h', new_host)
  to_selected(id, new_host, score, iteration, now)
  moved(IN_FLIGHT, SELECTED)
  give_turn(id, delay)
  refresh(new_host, 's')
  event(id, 'redirected', now, cjson.encode({ url = key }))
  return { 1, id }
end
left_flight(id)
call('HSET', url_key(id), 's', DONE, 'r', 'redirect to known', 't', now)
call('HDEL', P .. 'payload', id)
moved(IN_FLIGHT, DONE)
pending(iteration, -1)
give_turn(id, delay)
event(id, 'redirect to known', now, cjson.encode({ url = url, entry = tonumber(target) }))
local other = call('HMGET', url_key(target), 's', 'c', 'd', 'h', 'f')
if other[1] == KNOWN and not is_alias then
  -- A page that two addresses lead to is worth the better one's score.
  unindex_known(target, other[4], other[5])
  local best = tonumber(other[2]) >= tonumber(score) and other[2] or score
  local nearest = tonumber(other[3]) <= tonumber(depth) and other[3] or depth
  call('HSET', url_key(target), 'c', best, 'd', nearest)
  to_selected(target, other[4], best, iteration, now)
  moved(KNOWN, SELECTED)
  pending(iteration, 1)
  take(other[4], 1)
  refresh_both(other[4])
  event(target, 'selected by a redirect', now, '{"entry":' .. id .. '}')
end
add_fetch(id, fetch)
if pattern ~= '' then
  add_to_pattern(pattern, false, weight)
end
return { 0, target }
