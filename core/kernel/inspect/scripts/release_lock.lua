-- Deletes a lock that is still what was seen, and wakes those who wait for it.
-- Begins with observed_state.lua; then ARGV: channel (empty: nobody listens), message.
-- Returns {1, clients woken}, {0} when it changed hands, {-1} when it is gone.
local channel, message = take(), take()
local woken = 0
-- The message goes first because nobody receives it before the script ends, and because a server that forbids it
-- then stops the script while the lock is still whole.
if channel ~= '' then woken = redis.call('PUBLISH', channel, message) end
redis.call('DEL', unpack(KEYS))
return {1, woken}
