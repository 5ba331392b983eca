-- An office is held by one worker until its lease runs out. worker, office, lease -> 1 when held
local me, key, lease = arg(), P .. 'office:' .. arg(), number() * 1000
if call('GET', key) == me then
  call('PEXPIRE', key, lease)
  return 1
end
return call('SET', key, me, 'NX', 'PX', lease) and 1 or 0
