-- Gives a lock that is still what was seen an end: every key that has none, or a later one.
-- Begins with observed_state.lua; then ARGV: the longest time left, in ms.
-- Returns {1, 0}, {0} when it changed hands, {-1} when it is gone.
local cap = tonumber(take())
for i = 1, #KEYS do
  local left = redis.call('PTTL', KEYS[i])
  if left == -1 or left > cap then redis.call('PEXPIRE', KEYS[i], cap) end
end
return {1, 0}
