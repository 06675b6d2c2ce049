-- KEYS[1]: the lock, KEYS[2]: the latch of this request, KEYS[3]: what all time-out keys begin with, ARGV[1]: the
-- owner's field, ARGV[3]: the channel of the waiters, ARGV[4]: for how long the latch stays, in ms. Answers as
-- redisson_unlock does. The lock then lives as long as the longest read hold that is left; holds whose time-out key
-- is gone count for nothing, and the last one that counts takes the lock with it.
local done = redis.call('get', KEYS[2])
if done then
  return tonumber(done)
end
if redis.call('exists', KEYS[1]) == 0 then
  redis.call('publish', ARGV[3], '0')
  return -1
end
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return -2
end

local function timeoutKey(owner, i)
  return KEYS[3] .. ':' .. owner .. ':rwlock_timeout:' .. i
end

local count = redis.call('hincrby', KEYS[1], ARGV[1], -1)
redis.call('del', timeoutKey(ARGV[1], count + 1))
if count == 0 then
  redis.call('hdel', KEYS[1], ARGV[1])
end
local longest = 0
local fields = redis.call('hgetall', KEYS[1])
for f = 1, #fields, 2 do
  for i = 1, tonumber(fields[f + 1]) or 0 do
    longest = math.max(longest, redis.call('pttl', timeoutKey(fields[f], i)))
  end
end
if longest > 0 then
  redis.call('pexpire', KEYS[1], longest)
elseif redis.call('hget', KEYS[1], 'mode') == 'read' then
  redis.call('del', KEYS[1])
  redis.call('publish', ARGV[3], '0')
end
redis.call('set', KEYS[2], count, 'PX', ARGV[4])
return count
