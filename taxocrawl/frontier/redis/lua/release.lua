-- A request has left the downloader: its host may be asked again after a delay.
-- id, token, delay
local id, token, delay = arg(), arg(), number()
if holds(id, token) then
  give_turn(id, delay)
end
return 0
