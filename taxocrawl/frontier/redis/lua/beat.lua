-- A worker is alive: its leases and offices are prolonged. What others held is returned when their
-- leases have run out or they are gone.
-- worker, now, lease, delay, whether to return them (1 or 0), offices, n times (id, token) -> returned to selected
local me, now, lease, delay, reclaiming = arg(), arg(), number(), number(), arg() == '1'
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

-- When nobody gave a sign for long, it was the server that was away: nobody is taken for dead yet.
local before = tonumber(call('GET', P .. 'last beat') or time)
call('SET', P .. 'last beat', time)
if time - before > lease / 2 then
  for _, key in ipairs({ 'workers', 'flight' }) do
    for _, member in ipairs(call('ZRANGE', P .. key, 0, -1)) do
      call('ZADD', P .. key, 'GT', time + lease, member)
    end
  end
end
call('ZREMRANGEBYSCORE', P .. 'workers', '-inf', time)
return reclaiming and reclaim('', now, delay) or 0
