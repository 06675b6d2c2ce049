-- KEYS[1]: the permits that are out, ARGV[1]: the caller's token.
-- 1: given back, -1: it ran out before, or was never there.
local permits, token = KEYS[1], ARGV[1]
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local expiry = redis.call('zscore', permits, token)
redis.call('zrem', permits, token)
if expiry and tonumber(expiry) > now then
  return 1
end
return -1
