-- KEYS[1]: the lock, KEYS[2]: the counter of its grants, which never runs out. ARGV[1]: the token, ARGV[2]: the
-- lease in ms. {1, number}: granted, with a greater number than ever before. {0, ms}: another's, for that long.
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return {1, redis.call('incr', KEYS[2])}
end
return {0, redis.call('pttl', KEYS[1])}
