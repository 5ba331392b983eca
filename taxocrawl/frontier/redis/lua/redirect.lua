-- id, token, digest and text of the new canonical URL, its host, payload, URL, now, delay,
-- rank of what a redirect led to, fetch record, weight of a shortcut, patterns that it counts against
-- -> {followed, entry of the page}, or {} when the entry is not in flight
local id, token, digest, key, new_host = arg(), arg(), arg(), arg(), arg()
local payload, url, now, delay, rank = arg(), arg(), arg(), number(), arg()
local fetch, weight = arg(), number()
if not holds(id, token) then
  return {}
end
local found = call('HMGET', url_key(id), 'h', 'i')
local host, iteration = unpack(found)
local target = call('HGET', P .. 'ids', digest)
local is_alias = target and string.sub(target, 1, 1) == 'a'
if is_alias then
  target = string.sub(target, 2)
end
local other = target and call('HMGET', url_key(target), 's', 'h', 'f', 'p') or {}
local is_known = other[1] == KNOWN and not is_alias
-- What was found in the entry's own iteration may as well be found after its answer: both ways
-- must lead to the same.
if not target or target == id or (is_known and other[3] == iteration) then
  put_payload(id, payload)
  add_alias(digest, key, id, now)
  if new_host ~= host then
    take(host, -1)
    take(new_host, 1)
  end
  left_flight(id)
  give_turn(id, delay)
  call('HSET', url_key(id), 'h', new_host, 'k', rank)
  to_selected(id, iteration, now)
  moved(IN_FLIGHT, SELECTED)
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
if is_known then
  unindex_known(target, other[4], other[2], other[3])
  call('HSET', url_key(target), 'k', rank)
  to_selected(target, iteration, now)
  moved(KNOWN, SELECTED)
  pending(iteration, 1)
  take(other[2], 1)
  refresh_both(other[2])
  event(target, 'selected by a redirect', now, '{"entry":' .. id .. '}')
end
add_fetch(id, fetch)
add_to_patterns(list(), false, weight)
return { 0, target }
