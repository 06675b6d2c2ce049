-- KEYS[1] lock, KEYS[2] unlock channel, ARGV[1] owner. Returns nil when it is not the owner's, 0 still held, 1 released.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end
if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', KEYS[2], '0')
return 1
