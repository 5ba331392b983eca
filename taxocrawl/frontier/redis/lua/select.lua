-- Moves the next URLs of a selection that was staged under `staged`, which `staged for` made
-- binding. now, number, last rank -> number of URLs left
local now, batch, last_rank = arg(), number(), number()
local iteration = call('GET', P .. 'staged for')
if not iteration then
  return 0
end
local selected, hosts, taken = 0, {}, taken_for(iteration)
for _, id in ipairs(call('LPOP', P .. 'staged', batch) or {}) do
  local found = call('HMGET', url_key(id), 's', 'h', 'f', 'p')
  if found[1] == KNOWN then
    unindex_known(id, found[4], found[2], found[3])
    to_selected(id, iteration, now)
    give_rank(id, taken + selected, last_rank)
    take(found[2], 1)
    hosts[found[2]] = true
    selected = selected + 1
  end
end
for host, _ in pairs(hosts) do
  refresh_both(host)
end
if selected > 0 then
  count(KNOWN, -selected)
  count(SELECTED, selected)
  pending(iteration, selected)
  begin(iteration, selected)
end
local left = call('LLEN', P .. 'staged')
if left == 0 then
  call('DEL', P .. 'staged for')
end
return left
