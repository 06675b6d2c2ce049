-- KEYS[1]: the lock, ARGV[1]: the owner's field.
-- 1: released, 0: the owner still holds it, nil: not ours, or nothing there. The expiry stays as it is.
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return nil
end
if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then
  return 0
end
redis.call('del', KEYS[1])
return 1
