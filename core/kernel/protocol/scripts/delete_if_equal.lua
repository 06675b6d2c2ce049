-- KEYS[1]: the lock, ARGV[1]: the token. 1: it was ours and is gone, 0: somebody else's, -1: nothing there.
local value = redis.call('get', KEYS[1])
if not value then
  return -1
end
if value ~= ARGV[1] then
  return 0
end
return redis.call('del', KEYS[1])
