-- id, token, payload, now, delay -> 1 when it was in flight
local id, token, payload, now, delay = arg(), arg(), arg(), arg(), number()
if not holds(id, token) then
  return 0
end
put_payload(id, payload)
give_back(id, now, delay, 'asked again')
return 1
