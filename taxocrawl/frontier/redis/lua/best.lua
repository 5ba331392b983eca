-- Which host may be asked; put between common.lua and the scripts that pop.

local function free_due()
  local now = clock()
  repeat
    local due = call('ZRANGEBYSCORE', P .. 'wait', '-inf', now, 'LIMIT', 0, 100)
    free(due)
  until #due < 100
end

-- Hosts that rest until nothing else is left to do; only when no other one waits for its time.
local function unpark()
  local parked = call('ZRANGEBYSCORE', P .. 'wait', '+inf', '+inf')
  if #parked == 0 or call('ZCOUNT', P .. 'wait', '-inf', '(+inf') > 0 then
    return false
  end
  free(parked)
  return true
end

local function next_ready()
  local first = call('ZRANGEBYSCORE', P .. 'wait', '-inf', '(+inf', 'LIMIT', 0, 1, 'WITHSCORES')
  return first[2] and string.format('%.6f', math.max(0, tonumber(first[2]) - clock())) or ''
end

local function best(kind, busy, has_room)
  local start = 0
  while true do
    local heads = call('ZRANGE', P .. QUEUES[kind][2], start, start + 31)
    if #heads == 0 then
      return nil
    end
    for _, head in ipairs(heads) do
      local host = host_of(head)
      if not busy[host] and (not has_room or has_room(host)) then
        return id_of(head), host
      end
    end
    start = start + 32
  end
end
