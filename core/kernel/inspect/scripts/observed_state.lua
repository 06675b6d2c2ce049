-- The part that release_lock.lua and cap_ttl.lua begin with: is every key still what was seen?
-- KEYS are the keys to check. ARGV describes them in the same order, each as
--   kind ("value", "fields", "pairs" or "members"), expiry ("any", "never" or the server's epoch ms), then
--   value:   the bytes of the string
--   fields:  n, then the n field names of the hash, no others
--   pairs:   n, then n times field name and field value, no others
--   members: n, then the n members of the sorted set, no others
-- and then goes on with what the action itself needs; take() hands out the arguments one by one.
local position = 0
local function take()
  position = position + 1
  return ARGV[position]
end

-- Redis 7 tells the instant itself. Older servers tell what is left of it, and reading their clock may round twice.
local function endsAt(key, expected)
  if expected == 'any' then return true end
  local at = redis.pcall('PEXPIRETIME', key)
  if type(at) == 'number' then
    if at < 0 then return expected == 'never' end
    return string.format('%.0f', at) == expected
  end
  local left = redis.call('PTTL', key)
  if left < 0 then return expected == 'never' end
  local now = redis.call('TIME')
  local wanted = tonumber(expected)
  return wanted and math.abs(now[1] * 1000 + math.floor(now[2] / 1000) + left - wanted) <= 2
end

-- Takes all arguments of one key, whatever the answer.
local function isAsSeen(key)
  local kind, expiry = take(), take()
  local same = endsAt(key, expiry)
  local actualType = redis.call('TYPE', key)['ok']
  if kind == 'value' then
    local value = take()
    return same and actualType == 'string' and redis.call('GET', key) == value
  end
  local isHash = kind ~= 'members'
  local count = tonumber(take())
  same = same and actualType == (isHash and 'hash' or 'zset') and redis.call(isHash and 'HLEN' or 'ZCARD', key) == count
  for _ = 1, count do
    local field = take()
    local value = kind == 'pairs' and take()
    local actual = same and redis.call(isHash and 'HGET' or 'ZSCORE', key, field)
    same = actual and (not value or actual == value)
  end
  return same
end

if redis.replicate_commands then pcall(redis.replicate_commands) end

local present = redis.call('EXISTS', unpack(KEYS))
if present == 0 then return {-1} end
for i = 1, #KEYS do
  if not isAsSeen(KEYS[i]) then return {0} end
end
