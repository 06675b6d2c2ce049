-- KEYS[1]: the permits that are out, ARGV[1]: the caller's token, ARGV[2]: the lease in ms.
-- 1: renewed, -1: the permit ran out, or was never there.
local permits, token = KEYS[1], ARGV[1]
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local expiry = redis.call('zscore', permits, token)
if not expiry or tonumber(expiry) <= now then
  return -1
end
redis.call('zadd', permits, now + ARGV[2], token)
local last = redis.call('zrange', permits, -1, -1, 'WITHSCORES')
redis.call('pexpire', permits, tonumber(last[2]) - now)
return 1
