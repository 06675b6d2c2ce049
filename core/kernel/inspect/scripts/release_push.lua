-- Ends the hold that is still what was seen, and wakes a client that blocks on a list.
-- Begins with observed_state.lua: the lock, then the list. Then ARGV: channel (unused), the element to push, how many ms
-- the list may stay (0: as it is), "trim" for a list of that one element.
-- Returns {1, 0}: whether a client was blocked on the list is not known here. Or what observed_state.lua returns.
take()
local element, expiryMs, trims = take(), tonumber(take()), take() == 'trim'
local list = checks[2].key
-- As the libraries do: an element that was left there wakes no client a second time.
call('DEL', list)
call('LPUSH', list, element)
if trims then call('LTRIM', list, 0, 0) end
if expiryMs > 0 then call('PEXPIRE', list, expiryMs) end
call('DEL', checks[1].key)
return {1, 0}
