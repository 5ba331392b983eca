-- Moves what was pushed under another key into the crawl's inbox.
-- key, command that takes values from it (LPOP, SPOP or ZPOPMAX), number -> moved
local key, command, most = arg(), arg(), arg()
local taken = call(command, key, most) or {}
local moved_values = 0
for n = 1, #taken, command == 'ZPOPMAX' and 2 or 1 do
  call('RPUSH', P .. 'inbox', taken[n])
  moved_values = moved_values + 1
end
return moved_values
