-- KEYS[1]: the lock, ARGV[1]: the token, ARGV[2]: the lease in whole seconds.
-- 1: granted, 0: there is a value, whoever wrote it.
if redis.call('get', KEYS[1]) then
  return 0
end
redis.call('set', KEYS[1], ARGV[1])
redis.call('expire', KEYS[1], ARGV[2])
return 1
