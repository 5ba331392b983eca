-- now, token, lease, limit, delay, page limit, busy hosts -> {1, entry} or {0, seconds to wait}
local now, token, lease, limit, delay = arg(), arg(), number(), number(), number()
local page_limit, busy = number(), {}
for _, host in ipairs(list()) do
  busy[host] = true
end
local counts = call('HMGET', P .. 'counts', SELECTED, IN_FLIGHT, 'downloads')
local full = page_limit > 0 and tonumber(counts[2] or 0) + tonumber(counts[3] or 0) >= page_limit
if full or tonumber(counts[1] or 0) <= 0 or call('EXISTS', P .. 'staged for') == 1 then
  return { 0, '' }
end
free_due()
local id, host = best('s', busy)
if not id and tonumber(counts[2] or 0) == 0 and unpark() then
  id, host = best('s', busy)
end
if not id then
  return { 0, next_ready() }
end
to_in_flight(id, host, token, lease, now)
moved(SELECTED, IN_FLIGHT)
take_turn(id, host, limit, delay)
return { 1, entry(id) }
