-- KEYS[1]: the hash, ARGV[1]: now on the client's clock in ms, ARGV[2] and ARGV[3]: how long a read stamp and a
-- write stamp count, in ms, ARGV[4]: the life of the hash in ms. 1: granted, 0: a stamp of either kind still counts.
local read = redis.call('hget', KEYS[1], 'read')
if read and ARGV[1] - read <= tonumber(ARGV[2]) then
  return 0
end
local written = redis.call('hget', KEYS[1], 'write')
if written and ARGV[1] - written <= tonumber(ARGV[3]) then
  return 0
end
redis.call('hset', KEYS[1], 'write', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[4])
return 1
