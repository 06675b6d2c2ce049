-- The part that every release and every cap begins with: may this server be written to, and is every key still what
-- was seen? KEYS are the keys to check, then their companions. ARGV describes all of them in the same order, each as
--   kind, expiry ("any", "never" or the server's epoch ms), then
--   value:        the bytes of the string
--   fields:       n, then the n field names of the hash, no others
--   pairs:        n, then n times field name and field value, no others
--   members:      n, then the n members of the sorted set, no others
--   set-members:  n, then the n members of the set, no others
--   some-fields, some-pairs, some-members, some-set-members: the same, but others may be there, come and go
--   companion:    nothing; it goes with the others without being compared
-- and then goes on with what the action itself needs; take() hands out the arguments one by one.
-- Returns {-3, "host:port" of the master} on a replica, {-1} when nothing of it is there any more, {0} when it is not
-- what was seen; otherwise the action follows.
local position = 0
local function take()
  position = position + 1
  return ARGV[position]
end

-- Redis before 7.2 does not say which command of a script its caller may not run: then we do.
local function call(name, ...)
  local reply = redis.pcall(name, ...)
  local problem = type(reply) == 'table' and reply['err']
  if not problem then return reply end
  if string.find(problem, 'user executing the script can', 1, true) then
    error('call of ' .. name .. ': ' .. problem, 0)
  end
  return redis.call(name, ...) -- fails again, with the server's own words
end

-- Redis 7 tells the instant itself. Older servers tell what is left of it, and reading their clock may round twice.
local function endsAt(key, expected)
  if expected == 'any' then return true end
  local at = redis.pcall('PEXPIRETIME', key)
  if type(at) == 'number' then
    if at < 0 then return expected == 'never' end
    return string.format('%.0f', at) == expected
  end
  local left = call('PTTL', key)
  if left < 0 then return expected == 'never' end
  local now = call('TIME')
  local wanted = tonumber(expected)
  return wanted and math.abs(now[1] * 1000 + math.floor(now[2] / 1000) + left - wanted) <= 2
end

local typeOf = {value = 'string', fields = 'hash', pairs = 'hash', members = 'zset', ['set-members'] = 'set'}
local sizeCommandOf = {fields = 'HLEN', pairs = 'HLEN', members = 'ZCARD', ['set-members'] = 'SCARD'}

-- What is stored under a name in the key; false: nothing.
local function partOf(check, name)
  if check.kind == 'members' then return call('ZSCORE', check.key, name) end
  if check.kind == 'set-members' then return call('SISMEMBER', check.key, name) == 1 end
  return call('HGET', check.key, name)
end

-- Takes all arguments of one key. `parts` are names of fields or members, `values` what the fields have to hold.
local function takeCheck(key)
  local check = {key = key, kind = take(), expiry = take(), parts = {}, values = {}}
  check.isPart = string.sub(check.kind, 1, 5) == 'some-'
  if check.isPart then check.kind = string.sub(check.kind, 6) end
  if check.kind == 'value' then check.value = take() end
  if check.kind == 'value' or check.kind == 'companion' then return check end
  for i = 1, tonumber(take()) do
    check.parts[i] = take()
    check.values[i] = check.kind == 'pairs' and take()
  end
  return check
end

-- How many of the parts are there, and how many of those are as they were seen.
local function countParts(check)
  local there, same = 0, 0
  for i, part in ipairs(check.parts) do
    local actual = partOf(check, part)
    if actual then
      there = there + 1
      if not check.values[i] or actual == check.values[i] then same = same + 1 end
    end
  end
  return there, same
end

-- "same", "gone" (nothing of it is there) or "other".
local function stateOf(check)
  local actualType = call('TYPE', check.key)['ok']
  if actualType == 'none' then return 'gone' end
  if actualType ~= typeOf[check.kind] then return 'other' end
  local isSame = endsAt(check.key, check.expiry)
  if check.kind == 'value' then
    return isSame and call('GET', check.key) == check.value and 'same' or 'other'
  end
  local there, same = countParts(check)
  if check.isPart and there == 0 then return 'gone' end
  local size = call(sizeCommandOf[check.kind], check.key)
  local hasOthers = not check.isPart and size ~= #check.parts
  return isSame and same == #check.parts and not hasOthers and 'same' or 'other'
end

if redis.replicate_commands then pcall(redis.replicate_commands) end

-- What is deleted on a replica that takes writes lives on at its master. Who may not ask is not told.
local role = redis.pcall('INFO', 'replication')
if type(role) == 'string' and string.find(role, 'role:slave', 1, true) then
  local host = string.match(role, 'master_host:([^\r\n]*)') or '?'
  local port = string.match(role, 'master_port:([^\r\n]*)') or '?'
  return {-3, host .. ':' .. port}
end

local checks = {}
local states = {gone = 0, same = 0, other = 0}
local checkedCount = 0
for i, key in ipairs(KEYS) do
  checks[i] = takeCheck(key)
  if checks[i].kind ~= 'companion' then
    local state = stateOf(checks[i])
    states[state] = states[state] + 1
    checkedCount = checkedCount + 1
  end
end
if states.gone == checkedCount then return {-1} end
if states.same ~= checkedCount then return {0} end
