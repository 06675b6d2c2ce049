-- KEYS[1]: the permits that are out: tokens, by the instant at which they run out. ARGV[1]: the caller's token,
-- ARGV[2]: the lease in ms, ARGV[3]: how many permits there are.
-- {1}: granted. {0, ms}: all are out, the first comes back after that long at the latest.
local permits, token, count = KEYS[1], ARGV[1], tonumber(ARGV[3])
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('zremrangebyscore', permits, '-inf', now)
if redis.call('zcard', permits) >= count then
  local first = redis.call('zrange', permits, 0, 0, 'WITHSCORES')
  return {0, tonumber(first[2]) - now}
end
redis.call('zadd', permits, now + ARGV[2], token)
local last = redis.call('zrange', permits, -1, -1, 'WITHSCORES')
redis.call('pexpire', permits, tonumber(last[2]) - now)
return {1}
