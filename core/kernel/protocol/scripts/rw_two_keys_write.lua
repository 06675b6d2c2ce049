-- KEYS[1]: the readers' flag, KEYS[2]: the writer's flag, ARGV[1]: the lease in seconds.
-- 1: granted, 0: there is a reader or a writer.
if redis.call('exists', KEYS[1]) == 1 then
  return 0
end
if redis.call('set', KEYS[2], '1', 'EX', ARGV[1], 'NX') then
  return 1
end
return 0
