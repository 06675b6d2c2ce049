-- KEYS[1] lock, ARGV[1] owner, ARGV[2] lease in ms. Returns 1 when renewed, 0 when it is not the owner's any more.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
