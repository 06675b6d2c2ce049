-- KEYS[1]: the lock, ARGV[1]: the owner's field, ARGV[2]: the lease in whole seconds.
-- {count}: granted, the owner now holds it so often. {0, ms}: another's, for that long (-1: for ever).
if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return {0, redis.call('pttl', KEYS[1])}
end
local count = redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('expire', KEYS[1], ARGV[2])
return {count}
