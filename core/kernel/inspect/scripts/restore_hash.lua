-- Makes a hash anew, as it was before its lock was released, unless something is there.
-- ARGV: time left in ms (0: no expiry), then names and values of the fields.
-- Returns {1, 0}: made · {0}: the key exists, nothing was done.
if redis.call('EXISTS', KEYS[1]) == 1 then return {0} end
-- A server that forbids PEXPIRE stops the script here, while there is nothing that would stay for ever.
redis.call('PEXPIRE', KEYS[1], 1)
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
if ARGV[1] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {1, 0}
