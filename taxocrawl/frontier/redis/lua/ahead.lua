-- id -> number of URLs that wait in its state and go out before it
local id = arg()
local found = call('HMGET', url_key(id), 's', 'c', 'p')
local keys = {}
if found[1] == KNOWN then
  for _, found_in in ipairs(call('SMEMBERS', P .. 'kfound')) do
    keys[#keys + 1] = P .. 'k:' .. found_in
  end
elseif found[1] == SELECTED then
  for _, host in ipairs(call('HKEYS', P .. 'taken')) do
    keys[#keys + 1] = P .. 's:' .. host
  end
end
local ahead, own = 0, '-' .. found[2]
for _, key in ipairs(keys) do
  ahead = ahead + call('ZCOUNT', key, '-inf', '(' .. own)
  for _, other in ipairs(call('ZRANGEBYSCORE', key, own, own)) do
    if other < member(found[3], id) then
      ahead = ahead + 1
    end
  end
end
return ahead
