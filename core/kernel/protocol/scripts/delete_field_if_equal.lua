-- KEYS[1]: the hash, ARGV[1]: the field, ARGV[2]: what it has to hold.
-- 1: it was ours and is gone, 0: it holds something else, -1: nothing there.
local value = redis.call('hget', KEYS[1], ARGV[1])
if not value then
  return -1
end
if value ~= ARGV[2] then
  return 0
end
return redis.call('hdel', KEYS[1], ARGV[1])
