-- The reentrant lock of many write-ups: redis-cli --eval take_reentrant_hash.lua KEY , TTL_MS OWNER
-- A hash from the owner to the number of holds. Nil: taken; otherwise what is left of the other owner's lease.
local key, ttl, owner = KEYS[1], ARGV[1], ARGV[2]
local isFree = redis.call('EXISTS', key) == 0
if isFree or redis.call('HEXISTS', key, owner) == 1 then
  redis.call('HINCRBY', key, owner, 1)
  redis.call('PEXPIRE', key, ttl)
  return nil
end
return redis.call('PTTL', key)
