-- KEYS[1]: the lock, ARGV[1]: the owner's field, ARGV[2]: the lease in ms.
-- 1: renewed, 0: somebody else's, -1: nothing there.
if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
if redis.call('exists', KEYS[1]) == 1 then
  return 0
end
return -1
