-- KEYS[1]: the hash, ARGV[1]: 'read' or 'write', ARGV[2]: the field of this hold, ARGV[3]: the field under which the
-- caller waits, ARGV[4]: the lease in ms, ARGV[5]: for how long a waiting writer goes before new readers, in ms
-- (0: it does not). 0: granted, n: held by others, for n ms as it stands.
-- A value is what its owner does ('read', 'write', 'wait') and until when, in ms on the server's clock.
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local isReading = ARGV[1] == 'read'
local lease, patience = tonumber(ARGV[4]), tonumber(ARGV[5])

local function put(field, what, life)
  redis.call('hset', KEYS[1], field, what .. ' ' .. string.format('%.0f', now + life))
  if redis.call('pttl', KEYS[1]) < life then
    redis.call('pexpire', KEYS[1], life)
  end
end

local function isInTheWay(field, what)
  if what == 'wait' then
    return isReading and patience > 0 and field ~= ARGV[3]
  end
  return what == 'write' or not isReading
end

local busyUntil = 0
local entries = redis.call('hgetall', KEYS[1])
for i = 1, #entries, 2 do
  local field = entries[i]
  local what, text = string.match(entries[i + 1], '^(%a+) (%d+)$')
  local expiresAt = tonumber(text)
  if expiresAt <= now then
    redis.call('hdel', KEYS[1], field)
  elseif isInTheWay(field, what) then
    busyUntil = math.max(busyUntil, expiresAt)
  end
end

if busyUntil == 0 then
  redis.call('hdel', KEYS[1], ARGV[3])
  put(ARGV[2], ARGV[1], lease)
  return 0
end
if not isReading and patience > 0 then
  put(ARGV[3], 'wait', patience)
end
return busyUntil - now
