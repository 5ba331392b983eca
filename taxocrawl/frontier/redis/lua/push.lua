-- found_in, now, commands, links -> new
local found_in, now = arg(), arg()
apply()
return add_links(found_in, now)
