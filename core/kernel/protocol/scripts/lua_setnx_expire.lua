-- KEYS[1]: the lock, ARGV[1]: the lease in whole seconds. 1: granted, 0: somebody holds it.
if redis.call('setnx', KEYS[1], '1') == 1 then
  redis.call('expire', KEYS[1], ARGV[1])
  return 1
end
return 0
