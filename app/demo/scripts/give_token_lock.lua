-- KEYS[1] lock, ARGV[1] token. Deletes the lock if it is still this token's.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
