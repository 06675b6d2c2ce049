#include "release_race_formats.h"

#include <algorithm>
#include <array>
#include <string>

namespace lockscope::testing {

namespace {

Bytes hexOf(Rng& rng)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    Bytes hex(32, '0');
    std::generate(hex.begin(), hex.end(), [&rng] { return kDigits[rng.below(16)]; });
    return hex;
}

Bytes uuidOf(Rng& rng)
{
    const Bytes hex = hexOf(rng);
    return hex.substr(0, 8) + '-' + hex.substr(8, 4) + "-4" + hex.substr(12, 3) + "-8"
           + hex.substr(15, 3) + '-' + hex.substr(18, 12);
}

Bytes threadOf(Rng& rng)
{
    return uuidOf(rng) + ':' + std::to_string(rng.below(100));
}

/// Two of three want to read.
Bytes readerOrWriterOf(Rng& rng)
{
    return threadOf(rng) + (rng.below(3) == 0 ? ":write" : "");
}

Bytes workerOf(Rng& rng)
{
    return (rng.below(3) == 0 ? "writer-" : "reader-") + hexOf(rng).substr(0, 12);
}

Bytes nobody(Rng&)
{
    return "1";
}

// What stands before every script: the clock, which servers before 7 want to be told about, and the
// words that the scripts share.
constexpr const char* kPrologue = R"(
if redis.replicate_commands then pcall(redis.replicate_commands) end
local lock, count, owner, lease = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local call = redis.call
local function granted() call('incr', count) return 1 end
)";

constexpr const char* kTakeString = R"(
if not call('set', lock, owner, 'nx', 'px', lease) then return 0 end
return granted())";
constexpr const char* kRenewString = R"(
if call('get', lock) ~= owner then return 0 end
return call('pexpire', lock, lease))";
constexpr const char* kGiveString = R"(
if call('get', lock) ~= owner then return 0 end
return call('del', lock))";

constexpr const char* kTakeForever = R"(
if call('setnx', lock, owner) == 0 then return 0 end
return granted())";
constexpr const char* kRenewForever = "return 0";

constexpr const char* kTakeHash = R"(
if call('exists', lock) == 1 then return 0 end
call('hset', lock, owner, 1)
call('pexpire', lock, lease)
return granted())";
constexpr const char* kRenewHash = R"(
if call('hexists', lock, owner) == 0 then return 0 end
call('hincrby', lock, owner, 1)
return call('pexpire', lock, lease))";
constexpr const char* kGiveHash = R"(
if call('hexists', lock, owner) == 0 then return 0 end
return call('del', lock))";

constexpr const char* kTakeRedissonReadWrite = R"(
local mode = call('hget', lock, 'mode')
local isWriter = string.sub(owner, -6) == ':write'
if mode and (isWriter or mode == 'write') then return 0 end
call('hset', lock, 'mode', isWriter and 'write' or 'read', owner, 1)
if not isWriter then call('set', '{' .. lock .. '}:' .. owner .. ':rwlock_timeout:1', '1', 'px', lease) end
if call('pttl', lock) < lease then call('pexpire', lock, lease) end
return granted())";
constexpr const char* kRenewRedissonReadWrite = R"(
if call('hexists', lock, owner) == 0 then return 0 end
call('pexpire', '{' .. lock .. '}:' .. owner .. ':rwlock_timeout:1', lease)
if call('pttl', lock) < lease then call('pexpire', lock, lease) end
return 1)";
constexpr const char* kGiveRedissonReadWrite = R"(
if call('hdel', lock, owner) == 0 then return 0 end
call('del', '{' .. lock .. '}:' .. owner .. ':rwlock_timeout:1')
if call('hlen', lock) == 1 then call('del', lock) end
return 1)";

constexpr const char* kTakeOwners = R"(
local isWriter = string.sub(owner, 1, 6) == 'writer'
local fields = call('hgetall', lock)
for i = 1, #fields, 2 do
  local what, ends = string.match(fields[i + 1], '(%a+) (%d+)')
  if tonumber(ends) <= now then
    call('hdel', lock, fields[i])
  elseif isWriter or what == 'write' then
    return 0
  end
end
call('hset', lock, owner, (isWriter and 'write ' or 'read ') .. string.format('%.0f', now + lease))
if call('pttl', lock) < lease then call('pexpire', lock, lease) end
return granted())";
constexpr const char* kRenewOwners = R"(
local entry = call('hget', lock, owner)
if not entry then return 0 end
call('hset', lock, owner, string.match(entry, '%a+') .. ' ' .. string.format('%.0f', now + lease))
if call('pttl', lock) < lease then call('pexpire', lock, lease) end
return 1)";
constexpr const char* kGiveOwners = "return call('hdel', lock, owner)";

constexpr const char* kTakePermit = R"(
call('zremrangebyscore', lock, '-inf', now)
if call('zcard', lock) >= 3 then return 0 end
call('zadd', lock, string.format('%.0f', now + lease), owner)
if call('pttl', lock) < lease then call('pexpire', lock, lease) end
return granted())";
constexpr const char* kRenewPermit = R"(
if not call('zscore', lock, owner) then return 0 end
call('zadd', lock, string.format('%.0f', now + lease), owner)
if call('pttl', lock) < lease then call('pexpire', lock, lease) end
return 1)";
constexpr const char* kGivePermit = "return call('zrem', lock, owner)";

constexpr const char* kTakeStamp = R"(
if not call('set', lock, string.format('%.0f', now + lease), 'nx', 'px', lease) then return 0 end
return granted())";
constexpr const char* kGiveStamp = "return call('del', lock)";

// Hidden: time-outs that are over but not yet swept up, and the bookkeeping of a read-write lock.
constexpr const char* kLook = R"(
local kind = call('type', lock)['ok']
local owners = {}
if kind == 'string' then
  owners = {call('get', lock)}
elseif kind == 'zset' then
  owners = call('zrange', lock, 0, -1)
elseif kind == 'hash' then
  for _, field in ipairs(call('hkeys', lock)) do
    if field ~= 'mode' then owners[#owners + 1] = field end
  end
end
local left = call('pttl', lock)
return {now, left < 0 and -1 or now + left, tonumber(call('get', count) or 0), owners})";

} // namespace

std::span<const RaceFormat> raceFormats()
{
    static constexpr std::array kFormats{
        RaceFormat{"token", uuidOf, kTakeString, kRenewString, kGiveString},
        RaceFormat{"hex", hexOf, kTakeString, kRenewString, kGiveString},
        RaceFormat{"reentrant-hash", hexOf, kTakeHash, kRenewHash, kGiveHash},
        RaceFormat{"redisson-lock", threadOf, kTakeHash, kRenewHash, kGiveHash},
        RaceFormat{"redisson-read-write", readerOrWriterOf, kTakeRedissonReadWrite,
                   kRenewRedissonReadWrite, kGiveRedissonReadWrite},
        RaceFormat{"rw-hash-owners", workerOf, kTakeOwners, kRenewOwners, kGiveOwners},
        RaceFormat{"semaphore", workerOf, kTakePermit, kRenewPermit, kGivePermit},
        RaceFormat{"flag", nobody, kTakeString, kRenewString, kGiveString, true},
        RaceFormat{"flag-for-ever", nobody, kTakeForever, kRenewForever, kGiveString, true, false},
        RaceFormat{"expiry-stamp", nobody, kTakeStamp, kRenewForever, kGiveStamp, true},
    };
    return kFormats;
}

store::Command RaceLock::run(const char* script, const Bytes& owner, Duration lease) const
{
    return store::Command("EVAL", Bytes(kPrologue) + script, 2, name, "holds:" + name, owner,
                          toMs(lease));
}

store::Command RaceLock::take(const Bytes& owner, Duration lease) const
{
    return run(format->take, owner, lease);
}

store::Command RaceLock::renew(const Bytes& owner, Duration lease) const
{
    return run(format->renew, owner, lease);
}

store::Command RaceLock::give(const Bytes& owner) const
{
    return run(format->give, owner, Duration(0));
}

store::Command RaceLock::look() const
{
    return run(kLook, {}, Duration(0));
}

} // namespace lockscope::testing
