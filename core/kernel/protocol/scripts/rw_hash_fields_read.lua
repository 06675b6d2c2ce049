-- KEYS[1]: the hash, ARGV[1]: the reader's stamp, ARGV[2]: the lease in ms.
-- 1: granted, 0: there is a writer. The one field for reading remembers the last reader only.
if redis.call('hexists', KEYS[1], 'write') == 1 then
  return 0
end
redis.call('hset', KEYS[1], 'read', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
