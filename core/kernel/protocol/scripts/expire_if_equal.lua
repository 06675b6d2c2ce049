-- KEYS[1]: the lock, ARGV[1]: the token, ARGV[2]: the lease in ms. Answers as delete_if_equal does.
local value = redis.call('get', KEYS[1])
if not value then
  return -1
end
if value ~= ARGV[1] then
  return 0
end
return redis.call('pexpire', KEYS[1], ARGV[2])
