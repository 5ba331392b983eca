-- A worker is alive: its leases and offices are prolonged, those of others that ran out are over.
-- worker, now, lease, delay, offices, n times (id, token) -> returned to selected
local me, now, lease, delay = arg(), arg(), number(), number()
local time = clock()
call('ZADD', P .. 'workers', time + lease, me)
for _, office in ipairs(list()) do
  if call('GET', P .. 'office:' .. office) == me then
    call('PEXPIRE', P .. 'office:' .. office, lease * 1000)
  end
end
for _ = 1, number() do
  local id, token = arg(), arg()
  if holds(id, token) then
    call('ZADD', P .. 'flight', time + lease, id)
  end
end
call('ZREMRANGEBYSCORE', P .. 'workers', '-inf', time)
local over = call('ZRANGEBYSCORE', P .. 'flight', '-inf', time, 'LIMIT', 0, 1000)
for _, id in ipairs(over) do
  give_back(id, now, delay, 'recovered')
end
return #over
