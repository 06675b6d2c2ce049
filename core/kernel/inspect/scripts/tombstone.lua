-- Puts a token of ours in the place of one that is still what was seen, until it runs out: the renewal of the old holder
-- then meets another owner instead of a free name.
-- Begins with observed_state.lua; then ARGV: how many ms the token stays, the token.
-- Returns {1, 0}, or what observed_state.lua returns.
local stayMs, token = tonumber(take()), take()
call('SET', checks[1].key, token, 'PX', stayMs)
return {1, 0}
