-- Gives permits of a semaphore of Redisson's back, as its own release does: the count of free permits grows and is told
-- to those who wait. The count is never deleted: a permit that goes with it is lost for good.
-- Begins with observed_state.lua and publish.lua: the sorted set with the permits that end, then the count of free permits; or, where
-- permits have no ids, the count alone. Then ARGV: channel, message (unused: the new count is told), how many permits.
-- Returns {1, clients woken}, or what observed_state.lua returns.
local channel = take()
take()
local given = tonumber(take())
local permits = checks[1]
local count = checks[#checks].key
local free = tonumber(call('GET', count) or 0)
if not free then return {0} end
local woken = publish(channel, string.format('%.0f', free + given))
if permits.kind == 'members' then call('ZREM', permits.key, unpack(permits.parts)) end
call('INCRBY', count, given)
return {1, woken}
