-- KEYS[1]: the lock, KEYS[2]: the queue, KEYS[3]: the instants at which those in the queue give up.
-- ARGV[1]: the owner's field, ARGV[2]: the lease in ms, ARGV[3]: for how long the caller is going to wait, in ms
-- (0: it does not queue up), ARGV[4]: now in ms, by the caller's clock.
-- {count}: granted, the owner now holds it so often. {0, ms}: another's, for that long (-1: for ever, -2: it is
-- free, and somebody else's turn).
local lock, queue, deadlines = KEYS[1], KEYS[2], KEYS[3]
local owner, lease, wait, now = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

local head = redis.call('lindex', queue, 0)
while head do
  local deadline = redis.call('zscore', deadlines, head)
  if deadline and tonumber(deadline) > now then
    break
  end
  redis.call('lpop', queue)
  redis.call('zrem', deadlines, head)
  head = redis.call('lindex', queue, 0)
end

local isTurn = redis.call('exists', lock) == 0 and (not head or head == owner)
if isTurn then
  redis.call('lpop', queue)
  redis.call('zrem', deadlines, owner)
  for _, waiter in ipairs(redis.call('zrange', deadlines, 0, -1)) do
    redis.call('zincrby', deadlines, -wait, waiter)
  end
end
if isTurn or redis.call('hexists', lock, owner) == 1 then
  local count = redis.call('hincrby', lock, owner, 1)
  redis.call('pexpire', lock, lease)
  return {count}
end

local remaining = redis.call('pttl', lock)
if wait > 0 and not redis.call('zscore', deadlines, owner) then
  local last = redis.call('lindex', queue, -1)
  local before = last and redis.call('zscore', deadlines, last)
  local turn = before and tonumber(before) or now + remaining
  redis.call('zadd', deadlines, turn + wait, owner)
  redis.call('rpush', queue, owner)
end
return {0, remaining}
