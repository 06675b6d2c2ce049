-- KEYS[1]: the lock: its owner's token, or "handoff <token>" while it waits to be fetched by the one whose turn
-- it is. KEYS[2]: the queue: the waiters, by the instant at which they came. KEYS[3]: until when each counts as
-- alive. ARGV[1]: the step, ARGV[2]: the caller's token, ARGV[3]: the lease, ARGV[4]: for how long a handed over
-- lock may be fetched, ARGV[5]: for how long the caller counts as a waiter (0: it does not wait), all in ms,
-- ARGV[6]: what the list that wakes a waiter begins with.
-- take: {1} granted, {0, ms} another's, for that long. give: 1 it was the caller's and is passed on, 0 somebody
-- else's, -1 nothing there. leave: 1, always: the caller neither waits nor holds any more.
local lock, queue, alive = KEYS[1], KEYS[2], KEYS[3]
local step, token, lease, grace, life = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local bells = ARGV[6]
local time = redis.call('time')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local nowUs = time[1] * 1000000 + time[2]

local function ring(waiter, word)
  redis.call('rpush', bells .. waiter, word)
  redis.call('pexpire', bells .. waiter, grace)
end

local function forget(waiter)
  redis.call('zrem', queue, waiter)
  redis.call('zrem', alive, waiter)
end

-- To the first of the queue that is alive, which leaves the queue by that; without one the lock is free.
local function passOn()
  local first = redis.call('zrange', queue, 0, 0)[1]
  while first do
    local aliveUntil = redis.call('zscore', alive, first)
    forget(first)
    if aliveUntil and tonumber(aliveUntil) > nowMs then
      redis.call('set', lock, 'handoff ' .. first, 'PX', grace)
      ring(first, 'go')
      return
    end
    first = redis.call('zrange', queue, 0, 0)[1]
  end
  redis.call('del', lock)
end

local value = redis.call('get', lock)
local isForCaller = value == token or value == 'handoff ' .. token

if step == 'give' then
  if not value then
    return -1
  end
  if value ~= token then
    return 0
  end
  passOn()
  return 1
end

if step == 'leave' then
  forget(token)
  if isForCaller then
    passOn()
  end
  ring(token, 'bye')
  return 1
end

if not value then
  passOn()
  value = redis.call('get', lock)
  isForCaller = not value or value == 'handoff ' .. token
end
if isForCaller then
  redis.call('set', lock, token, 'PX', lease)
  return {1}
end
if life > 0 then
  redis.call('zadd', queue, 'NX', nowUs, token)
  redis.call('zadd', alive, nowMs + life, token)
  redis.call('pexpire', queue, life)
  redis.call('pexpire', alive, life)
end
return {0, redis.call('pttl', lock)}
