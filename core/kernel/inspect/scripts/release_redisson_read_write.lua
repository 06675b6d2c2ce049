-- Ends holds of a read-write lock of Redisson's as the unlock of its own readers and writer does: a writer that goes
-- leaves its readers behind, the lock lives as long as the longest read hold that is left, and waiters are woken when
-- nobody is left.
-- Begins with observed_state.lua and publish.lua: the hash, then the time-out keys of the read holds that end. Then ARGV: channel,
-- message, and what the time-out keys of all read holds begin with.
-- Returns {1, clients woken}, or what observed_state.lua returns.
local channel, message, timeoutsBegin = take(), take(), take()
local lock = checks[1]
local isEnding = {mode = true}
for _, field in ipairs(lock.parts) do isEnding[field] = true end

local isFree, hasWriter, longest = true, false, 0
local fields = call('HGETALL', lock.key)
for i = 1, #fields, 2 do
  local field = fields[i]
  if not isEnding[field] then
    isFree = false
    hasWriter = hasWriter or string.find(field, ':write', 1, true) ~= nil
    for hold = 1, math.min(tonumber(fields[i + 1]) or 0, 100) do
      local left = redis.pcall('PTTL', timeoutsBegin .. ':' .. field .. ':rwlock_timeout:' .. hold)
      longest = math.max(longest, type(left) == 'number' and left or 0)
    end
  end
end

local woken = 0
if isFree then
  woken = publish(channel, message)
  call('DEL', lock.key)
else
  call('HDEL', lock.key, unpack(lock.parts))
  if not hasWriter then
    call('HSET', lock.key, 'mode', 'read')
    if longest > 0 then call('PEXPIRE', lock.key, longest) end
  end
end
for i = 2, #checks do call('DEL', checks[i].key) end
return {1, woken}
