-- KEYS[1]: the hash, ARGV[1]: the writer's stamp, ARGV[2]: the lease in ms.
-- 1: granted, 0: there is a reader or a writer.
if redis.call('exists', KEYS[1]) == 1 then
  return 0
end
redis.call('hset', KEYS[1], 'write', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
