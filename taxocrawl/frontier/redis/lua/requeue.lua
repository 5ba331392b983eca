-- id, token, payload, now, delay -> 1 when it was in flight
local id, token, payload, now, delay = arg(), arg(), arg(), arg(), number()
if not holds(id, token) then
  return 0
end
if payload == '' then
  call('HDEL', P .. 'payload', id)
else
  call('HSET', P .. 'payload', id, payload)
end
give_back(id, now, delay, 'asked again')
return 1
