-- host, seconds or inf
local host, seconds = arg(), arg()
call('ZADD', P .. 'wait', 'GT', seconds == 'inf' and '+inf' or clock() + tonumber(seconds), host)
refresh_both(host)
return 0
