-- Everything that a page changes, or nothing. id, token, worker, state, reason, now, version of the
-- documents that the caller saw or '', fetch record, number of its document or '', commands,
-- aliases, first visit (1 or 0), links that are news, its texts, its patterns, productive by a new
-- text (1 or 0), weight with a known text, other links
-- -> {'done', news, others}, {'late'} or {'conflict'}
local id, token, worker, after, reason, now = arg(), arg(), arg(), arg(), arg(), arg()
local version = arg()
if not holds(id, token) then
  -- The answer to the first try may have been lost on its way.
  local last = call('HGET', P .. 'last settled', worker)
  local news, others = string.match(last or '', '^' .. token:gsub('%p', '%%%0') .. ' (%d+) (%d+)$')
  return news and { 'done', news, others } or { 'late' }
end
if version ~= '' and (call('GET', P .. 'documents version') or '0') ~= version then
  return { 'conflict' }
end
local seq = add_fetch(id, arg())
local document = arg()
if document ~= '' then
  call('HSET', P .. 'document fetches', document, seq)
end
apply()
local found = call('HMGET', url_key(id), 'h', 'i', 'g')
local host, iteration = found[1], found[2]
left_flight(id)
call('HDEL', url_key(id), 'g')
call('HDEL', P .. 'payload', id)
call('HSET', url_key(id), 's', after, 'r', reason, 't', now)
if found[3] then
  after = SELECTED
  to_selected(id, iteration, now)
  refresh(host, 's')
else
  pending(iteration, -1)
end
moved(IN_FLIGHT, after)
give_turn(id, 0)
for _ = 1, number() do
  local digest, url = arg(), arg()
  add_alias(digest, url, id, now)
end
local is_first = arg() == '1'
local news = add_links(iteration, now)
local texts, patterns, by_new_text, weight = list(), list(), arg() == '1', number()
if is_first then
  local new_text = #texts > 0 and call('SADD', P .. 'texts', unpack(texts)) == #texts
  add_to_patterns(patterns, news > 0 or (new_text and by_new_text), new_text and 1 or weight)
end
local others = add_links(iteration, now)
call('HSET', P .. 'last settled', worker, token .. ' ' .. news .. ' ' .. others)
return { 'done', news, others }
