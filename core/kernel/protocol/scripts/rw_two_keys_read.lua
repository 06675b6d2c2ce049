-- KEYS[1]: the readers' flag, KEYS[2]: the writer's flag, ARGV[1]: the lease in seconds.
-- 1: granted, 0: there is a writer. One flag stands for all readers, and each of them sets its expiry anew.
if redis.call('exists', KEYS[2]) == 1 then
  return 0
end
redis.call('set', KEYS[1], '1', 'EX', ARGV[1])
return 1
