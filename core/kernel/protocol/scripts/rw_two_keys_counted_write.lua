-- KEYS[1]: the count of readers, KEYS[2]: the writer's token, ARGV[1]: the token, ARGV[2]: the lease in ms.
-- 1: granted, 0: there is a reader or a writer.
if redis.call('exists', KEYS[1], KEYS[2]) > 0 then
  return 0
end
redis.call('set', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1
