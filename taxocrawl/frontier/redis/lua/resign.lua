-- worker, office
local me, key = arg(), P .. 'office:' .. arg()
if call('GET', key) == me then
  call('DEL', key)
end
return 0
