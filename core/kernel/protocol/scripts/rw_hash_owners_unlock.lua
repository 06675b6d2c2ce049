-- KEYS[1]: the hash, ARGV[1]: the field of this hold.
-- 1: released, 0: only others are there, -1: nothing there. A hold that has run out was not there any more.
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local expiresAt = string.match(redis.call('hget', KEYS[1], ARGV[1]) or '', ' (%d+)$')
redis.call('hdel', KEYS[1], ARGV[1])
if expiresAt and tonumber(expiresAt) > now then
  return 1
end
return redis.call('exists', KEYS[1]) - 1
