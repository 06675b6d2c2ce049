-- KEYS[1]: the lock, ARGV[1]: the token, ARGV[2]: the lease in whole seconds.
-- 1: renewed, 0: somebody else's, -1: nothing there.
local value = redis.call('get', KEYS[1])
if not value then
  return -1
end
if value == ARGV[1] then
  return redis.call('expire', KEYS[1], ARGV[2])
end
return 0
