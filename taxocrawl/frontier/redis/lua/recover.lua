-- Returns what the worker holds, and what workers hold that are not there any more.
-- worker, now, delay -> returned
return reclaim(arg(), arg(), number())
