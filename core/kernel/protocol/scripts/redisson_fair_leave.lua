-- KEYS[1]: the queue, KEYS[2]: the instants at which those in it give up.
-- ARGV[1]: the owner's field, ARGV[2]: for how long it wanted to wait, in ms.
-- 1: it stood in the queue, 0: it did not. Whoever stood behind it has so much less to wait.
local queue, deadlines, owner = KEYS[1], KEYS[2], ARGV[1]
local isBehind = false
for _, waiter in ipairs(redis.call('lrange', queue, 0, -1)) do
  if isBehind then
    redis.call('zincrby', deadlines, -tonumber(ARGV[2]), waiter)
  end
  isBehind = isBehind or waiter == owner
end
redis.call('zrem', deadlines, owner)
redis.call('lrem', queue, 0, owner)
return isBehind and 1 or 0
