-- KEYS[1]: the lock, KEYS[2]: the latch of this request, ARGV[1]: the owner's field, which ends in ':write',
-- ARGV[2]: the lease in ms, ARGV[3]: the channel of the waiters, ARGV[4]: for how long the latch stays, in ms.
-- Answers as redisson_unlock does. A writer that still reads becomes a reader, and nobody is told.
local done = redis.call('get', KEYS[2])
if done then
  return tonumber(done)
end
if redis.call('exists', KEYS[1]) == 0 then
  redis.call('publish', ARGV[3], '1')
  return -1
end
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return -2
end
local count = redis.call('hincrby', KEYS[1], ARGV[1], -1)
if count > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
else
  redis.call('hdel', KEYS[1], ARGV[1])
  if redis.call('hlen', KEYS[1]) > 1 then
    redis.call('hset', KEYS[1], 'mode', 'read')
  else
    redis.call('del', KEYS[1])
    redis.call('publish', ARGV[3], '1')
  end
end
redis.call('set', KEYS[2], count, 'PX', ARGV[4])
return count
