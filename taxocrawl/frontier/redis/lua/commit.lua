-- Makes a staged selection binding. worker, office, iteration -> 1, or 0 when it is another's
local me, office, iteration = arg(), arg(), arg()
local holder = call('GET', P .. 'office:' .. office)
if (holder and holder ~= me) or call('EXISTS', P .. 'staged for') == 1 then
  return 0
end
if call('EXISTS', P .. 'staged:' .. me) == 1 then
  call('RENAME', P .. 'staged:' .. me, P .. 'staged')
  call('SET', P .. 'staged for', iteration)
end
return 1
