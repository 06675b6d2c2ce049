-- KEYS[1] lock, ARGV[1] token, ARGV[2] lease in ms. Returns 1 when renewed, 0 when it is another's, -1 when it is gone.
local token = redis.call('GET', KEYS[1])
if not token then return -1 end
if token ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
