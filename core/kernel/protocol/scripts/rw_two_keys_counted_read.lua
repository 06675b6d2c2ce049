-- KEYS[1]: the count of readers, KEYS[2]: the writer's token, ARGV[1]: the lease in ms.
-- 1: granted, 0: there is a writer. Every reader sets the expiry of the common count anew, whatever it was.
if redis.call('exists', KEYS[2]) == 1 then
  return 0
end
redis.call('incr', KEYS[1])
redis.call('pexpire', KEYS[1], ARGV[1])
return 1
