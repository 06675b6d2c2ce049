-- KEYS[1]: the lock, KEYS[2]: what the time-out keys of this owner begin with, ARGV[1]: the owner's field,
-- ARGV[2]: the lease in ms. Answers as redisson_lock does. A writer may read as well; every read hold has a time-out
-- key of its own, and the lock lives as long as the longest of them.
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == 'write' and redis.call('hexists', KEYS[1], ARGV[1] .. ':write') == 0 then
  return {0, redis.call('pttl', KEYS[1])}
end
if not mode then
  redis.call('hset', KEYS[1], 'mode', 'read')
end
local count = redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('set', KEYS[2] .. ':' .. count, '1', 'PX', ARGV[2])
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('pexpire', KEYS[1], ARGV[2])
end
return {count}
