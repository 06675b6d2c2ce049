-- Ends the hold of a fair lock of Redisson's as its forceUnlock does: those in the queue who have given up leave it,
-- and the first of the others is told. The queue stays: its head leaves it when it takes the lock.
-- Begins with observed_state.lua and publish.lua: the lock, then the queue and the instants at which those in it give up. Then ARGV:
-- what the channel of each waiter begins with, message.
-- Returns {1, clients woken}, or what observed_state.lua returns.
local channel, message = take(), take()
local queue, deadlines = checks[2].key, checks[3].key
local now = call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)

local expired = {}
local woken, isTold = 0, false
for _, waiter in ipairs(call('LRANGE', queue, 0, 999)) do
  local deadline = call('ZSCORE', deadlines, waiter)
  if deadline and tonumber(deadline) > now then
    woken = publish(channel .. ':' .. waiter, message)
    isTold = true
    break
  end
  expired[#expired + 1] = waiter
end
-- Nobody is in the queue any more: then whoever listens does so as for a lock without one.
if not isTold then woken = publish(channel, message) end
for _, waiter in ipairs(expired) do
  call('LREM', queue, 1, waiter)
  call('ZREM', deadlines, waiter)
end
call('DEL', checks[1].key)
return {1, woken}
