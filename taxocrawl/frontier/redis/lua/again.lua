-- A second visit that somebody wants, or that is due. iteration, now, due (1) or not (0),
-- last rank, n times (id, payload) -> selected
local iteration, now, due, last_rank = arg(), arg(), arg() == '1', number()
local selected, taken = 0, taken_for(iteration)
for _ = 1, number() do
  local id, payload = arg(), arg()
  local found = call('HMGET', url_key(id), 's', 'h')
  local state, host = found[1], found[2]
  if state == IN_FLIGHT and not due then
    call('HSET', url_key(id), 'g', 1)
  elseif state ~= KNOWN and state ~= SELECTED and state ~= IN_FLIGHT then
    put_payload(id, payload)
    call('HSET', url_key(id), 'r', '')
    to_selected(id, iteration, now)
    moved(state, SELECTED)
    pending(iteration, 1)
    refresh(host, 's')
    if due then
      give_rank(id, taken + selected, last_rank)
      call('ZREM', P .. 'due', id)
    end
    selected = selected + 1
  end
  if not due then
    event(id, 'second visit wanted', now, '{}')
  end
end
if due and selected > 0 then
  begin(iteration, selected)
  call('HSET', P .. 'meta', 'revisited in', iteration)
end
return selected
