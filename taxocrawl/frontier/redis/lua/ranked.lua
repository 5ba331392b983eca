-- found_in, start, stop -> five fields for each known URL
local reply = {}
for _, place_and_id in ipairs(call('ZRANGE', P .. 'k:' .. arg(), arg(), arg())) do
  local id = id_of(place_and_id)
  local found = call('HMGET', url_key(id), 'c', 'h', 'd', 'f')
  reply[#reply + 1] = id
  for n = 1, 4 do
    reply[#reply + 1] = found[n]
  end
end
return reply
