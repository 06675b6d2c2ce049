-- KEYS[1]: the lock, ARGV[1]: the owner's field, which ends in ':write', ARGV[2]: the lease in ms.
-- Answers as redisson_lock does. Who takes it once more adds a lease to the time that is left.
local mode = redis.call('hget', KEYS[1], 'mode')
local isOurs = redis.call('hexists', KEYS[1], ARGV[1]) == 1
if mode and not (mode == 'write' and isOurs) then
  return {0, redis.call('pttl', KEYS[1])}
end
local left = 0
if mode then
  left = redis.call('pttl', KEYS[1])
else
  redis.call('hset', KEYS[1], 'mode', 'write')
end
local count = redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], left + ARGV[2])
return {count}
