-- Returns what the worker holds, and what workers hold that are not there any more.
-- worker, now, delay -> returned
local me, now, delay = arg(), arg(), number()
local returned = 0
for _, id in ipairs(call('ZRANGE', P .. 'flight', 0, -1)) do
  local token = call('HGET', url_key(id), 'w') or ''
  local worker = string.match(token, '^(.*):%d+$')
  if worker == me or not worker or not call('ZSCORE', P .. 'workers', worker) then
    give_back(id, now, delay, 'recovered')
    returned = returned + 1
  end
end
return returned
