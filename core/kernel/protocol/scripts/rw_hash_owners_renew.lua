-- KEYS[1]: the hash, ARGV[1]: the field of this hold, ARGV[2]: the lease in ms.
-- 1: renewed, 0: only others are there, -1: nothing there. A hold that has run out is not brought back.
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local what, expiresAt = string.match(redis.call('hget', KEYS[1], ARGV[1]) or '', '^(%a+) (%d+)$')
if not what or tonumber(expiresAt) <= now then
  redis.call('hdel', KEYS[1], ARGV[1])
  return redis.call('exists', KEYS[1]) - 1
end
redis.call('hset', KEYS[1], ARGV[1], what .. ' ' .. string.format('%.0f', now + ARGV[2]))
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('pexpire', KEYS[1], ARGV[2])
end
return 1
