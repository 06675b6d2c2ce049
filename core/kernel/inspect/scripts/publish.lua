-- What every release wakes waiters with; comes between observed_state.lua and the script that acts.
-- In a cluster clients may listen on the channel of a slot (Redis 7), which PUBLISH does not reach. Servers without
-- such channels refuse, and so may the permissions of a user: then there is one message less.
local function publish(channel, message)
  local woken = call('PUBLISH', channel, message)
  local wokenInSlot = redis.pcall('SPUBLISH', channel, message)
  return woken + (type(wokenInSlot) == 'number' and wokenInSlot or 0)
end
