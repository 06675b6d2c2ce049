-- Does a list of things to keys that are still what was seen, for formats whose own release does more than delete.
-- Begins with observed_state.lua: the checks, then the companions. Then ARGV: channel and message (unused), and one
-- after the other, with keys by their position:
--   push KEY ELEMENT MS                  to a list, which then lives for MS (0: as long as it would)
--   remove KEY                           what was compared: the whole key, or those of its parts
--   set-value KEY VALUE                  the string; its expiry stays
--   set-field KEY FIELD VALUE            of a hash whose other fields are data
--   subtract KEY N                       from a count that never goes below zero
--   drop-if-gone KEY OTHER               the key, if OTHER is gone by now
--   drop-member-if-gone KEY OTHER MEMBER a member of a sorted set, if OTHER is gone by now
-- Returns {1, 0}: whom a push wakes is not known here. Or what observed_state.lua returns.
take()
take()
local removalOf = {fields = 'HDEL', pairs = 'HDEL', members = 'ZREM', ['set-members'] = 'SREM'}
local function keyOf(number) return checks[tonumber(number)].key end

local steps = {}
steps['push'] = function(key)
  local element, ms = take(), tonumber(take())
  call('LPUSH', key, element)
  if ms > 0 then call('PEXPIRE', key, ms) end
end
steps['remove'] = function(key, check)
  if check.isPart then
    call(removalOf[check.kind], key, unpack(check.parts))
  else
    call('DEL', key)
  end
end
steps['set-value'] = function(key)
  local left = call('PTTL', key)
  call('SET', key, take())
  if left > 0 then call('PEXPIRE', key, left) end
end
steps['set-field'] = function(key)
  local field, value = take(), take()
  call('HSET', key, field, value)
end
steps['subtract'] = function(key)
  local n = tonumber(take())
  local count = tonumber(call('GET', key) or '')
  if count then call('DECRBY', key, math.min(n, math.max(count, 0))) end
end
steps['drop-if-gone'] = function(key)
  local other = keyOf(take())
  if call('EXISTS', other) == 0 then call('DEL', key) end
end
steps['drop-member-if-gone'] = function(key)
  local other, member = keyOf(take()), take()
  if call('EXISTS', other) == 0 then call('ZREM', key, member) end
end

while position < #ARGV do
  local step = steps[take()]
  local check = checks[tonumber(take())]
  step(check.key, check)
end
return {1, 0}
