-- Short enough to be read before it is pasted. Deletes a hash that still has this field and no other; with a channel
-- and a message behind it, the waiters are woken.
if redis.call('HLEN', KEYS[1]) == 1 and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  if ARGV[2] then redis.call('PUBLISH', ARGV[2], ARGV[3]) end
  return redis.call('DEL', KEYS[1])
end
return 0
