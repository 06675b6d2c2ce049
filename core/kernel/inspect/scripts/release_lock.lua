-- Ends the holds that are still what was seen, and wakes those who wait for the lock.
-- Begins with observed_state.lua and publish.lua; then ARGV: channel (empty: nobody listens), message, further channels.
-- Returns {1, clients woken}, or what observed_state.lua returns.
local channel, message = take(), take()
local woken = 0
local removalOf = {fields = 'HDEL', pairs = 'HDEL', members = 'ZREM', ['set-members'] = 'SREM'}
-- The message goes first because nobody receives it before the script ends, and because a server that forbids it
-- then stops the script while the lock is still whole.
while channel and channel ~= '' do
  woken = woken + publish(channel, message)
  channel = take()
end
for _, check in ipairs(checks) do
  if check.isPart then
    call(removalOf[check.kind], check.key, unpack(check.parts))
  else
    call('DEL', check.key)
  end
end
return {1, woken}
