-- KEYS[1]: the lock, ARGV[1]: the owner's field, ARGV[2]: the lease in whole seconds.
-- 1: renewed, 0: not ours, or nothing there.
if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then
  return redis.call('expire', KEYS[1], ARGV[2])
end
return 0
