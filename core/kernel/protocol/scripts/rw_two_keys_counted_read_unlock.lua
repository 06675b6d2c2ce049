-- KEYS[1]: the count of readers. Readers that are left, or -1: there was none. Nobody asks whose hold it is that
-- is counted off.
local count = redis.call('decr', KEYS[1])
if count <= 0 then
  redis.call('del', KEYS[1])
end
return count
