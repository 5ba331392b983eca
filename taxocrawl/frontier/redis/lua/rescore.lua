-- n times (digest, score, evidence or '') -> changed
local changed = 0
for _ = 1, number() do
  local digest, score, evidence = arg(), arg(), arg()
  local id = call('HGET', P .. 'ids', digest)
  if id and string.sub(id, 1, 1) ~= 'a' then
    local found = call('HMGET', url_key(id), 's', 'c', 'd', 'h', 'f', 'p')
    if found[1] == KNOWN and tonumber(found[2]) ~= tonumber(score) then
      call('HSET', url_key(id), 'c', score)
      if evidence ~= '' then
        local head, referrer = string.match(call('HGET', P .. 'text', id), TEXT)
        call('HSET', P .. 'text', id, head .. referrer .. '\n' .. evidence)
      end
      index_known(id, found[6], score, found[3], found[4], found[5])
      refresh_known(found[4])
      changed = changed + 1
    end
  end
end
return changed
