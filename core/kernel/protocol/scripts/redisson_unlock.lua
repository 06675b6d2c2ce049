-- KEYS[1]: the lock, KEYS[2]: the latch of this request, ARGV[1]: the owner's field, ARGV[2]: the lease in ms,
-- ARGV[3]: the channel of the waiters, ARGV[4]: for how long the latch stays, in ms.
-- Count that is left (0: the lock is free), -1: nothing there, -2: somebody else's. The latch remembers the
-- answer, so that the same request may be sent again when its reply was lost.
local done = redis.call('get', KEYS[2])
if done then
  return tonumber(done)
end
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  if redis.call('exists', KEYS[1]) == 1 then
    return -2
  end
  return -1
end
local count = redis.call('hincrby', KEYS[1], ARGV[1], -1)
if count > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
else
  count = 0
  redis.call('del', KEYS[1])
  redis.call('publish', ARGV[3], '0')
end
redis.call('set', KEYS[2], count, 'PX', ARGV[4])
return count
