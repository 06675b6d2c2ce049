-- KEYS[1]: the lock, KEYS[2]: what the time-out keys of this owner begin with, ARGV[1]: the owner's field,
-- ARGV[2]: the lease in ms. Answers as redisson_renew does.
local count = tonumber(redis.call('hget', KEYS[1], ARGV[1]) or 0)
if count == 0 then
  return redis.call('exists', KEYS[1]) - 1
end
for i = 1, count do
  redis.call('pexpire', KEYS[2] .. ':' .. i, ARGV[2])
end
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('pexpire', KEYS[1], ARGV[2])
end
return 1
