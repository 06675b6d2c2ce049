-- KEYS[1]: the lock, KEYS[2]: the latch of this request, KEYS[3]: the queue, KEYS[4]: the instants at which those
-- in it give up. ARGV[1]: the owner's field, ARGV[2]: the lease in ms, ARGV[3]: what the channel of a waiter begins
-- with, ARGV[4]: for how long the latch stays, in ms, ARGV[5]: now in ms, by the caller's clock.
-- Answers as redisson_unlock does. Only the first of the queue is woken.
local lock, latch, queue, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, now = ARGV[1], tonumber(ARGV[5])

local done = redis.call('get', latch)
if done then
  return tonumber(done)
end
if redis.call('hexists', lock, owner) == 0 then
  if redis.call('exists', lock) == 1 then
    return -2
  end
  return -1
end

local count = redis.call('hincrby', lock, owner, -1)
if count > 0 then
  redis.call('pexpire', lock, ARGV[2])
else
  count = 0
  redis.call('del', lock)
  local head = redis.call('lindex', queue, 0)
  while head do
    local deadline = redis.call('zscore', deadlines, head)
    if deadline and tonumber(deadline) > now then
      redis.call('publish', ARGV[3] .. ':' .. head, '0')
      break
    end
    redis.call('lpop', queue)
    redis.call('zrem', deadlines, head)
    head = redis.call('lindex', queue, 0)
  end
end
redis.call('set', latch, count, 'PX', ARGV[4])
return count
