-- A second visit that somebody wants, or that is due. iteration, now, revisit (1) or not (0),
-- n times (id, payload) -> selected
local iteration, now, due = arg(), arg(), arg() == '1'
local selected = 0
for _ = 1, number() do
  local id, payload = arg(), arg()
  local found = call('HMGET', url_key(id), 's', 'h', 'c')
  local state, host = found[1], found[2]
  if state == IN_FLIGHT and not due then
    call('HSET', url_key(id), 'g', 1)
  elseif state ~= KNOWN and state ~= SELECTED and state ~= IN_FLIGHT then
    if payload == '' then
      call('HDEL', P .. 'payload', id)
    else
      call('HSET', P .. 'payload', id, payload)
    end
    call('HSET', url_key(id), 'r', '')
    to_selected(id, host, found[3], iteration, now)
    moved(state, SELECTED)
    pending(iteration, 1)
    refresh(host, 's')
    selected = selected + 1
    if due then
      call('ZREM', P .. 'due', id)
    end
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
