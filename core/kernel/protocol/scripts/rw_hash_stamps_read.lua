-- KEYS[1]: the hash, ARGV[1]: now on the client's clock in ms, ARGV[2]: how long a write stamp counts, in ms,
-- ARGV[3]: the life of the hash in ms. 1: granted, 0: there is a writer whose stamp still counts.
local written = redis.call('hget', KEYS[1], 'write')
if written and ARGV[1] - written <= tonumber(ARGV[2]) then
  return 0
end
redis.call('hset', KEYS[1], 'read', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[3])
return 1
