-- The reentrant lock of the write-ups: one field per owner, its value counts the holds.
-- KEYS[1] lock, ARGV[1] owner, ARGV[2] lease in ms. Returns nil when taken, else what is left of the lease.
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return nil
end
return redis.call('PTTL', KEYS[1])
