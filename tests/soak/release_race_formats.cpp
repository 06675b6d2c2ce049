#include "tests/soak/release_race_formats.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace lockscope::testing {

namespace {

/// As Python's uuid4().hex. Wholly random digits would be a time UUID of these years, as redis-py
/// makes them, once in 20,000 times.
Bytes hexOf(Rng& rng, WallTime = {})
{
    static constexpr char kDigits[] = "0123456789abcdef";
    Bytes hex(32, '0');
    std::generate(hex.begin(), hex.end(), [&rng] { return kDigits[rng.below(16)]; });
    hex[12] = '4';
    return hex;
}

Bytes uuidOf(Rng& rng, WallTime = {})
{
    const Bytes hex = hexOf(rng);
    return hex.substr(0, 8) + '-' + hex.substr(8, 4) + '-' + hex.substr(12, 4) + "-8"
           + hex.substr(17, 3) + '-' + hex.substr(20, 12);
}

Bytes stampedUuidOf(Rng& rng, WallTime now)
{
    return uuidOf(rng) + '.' + std::to_string(toEpochMs(now));
}

/// As Python's uuid1().hex: the count of 100 ns steps since 15 October 1582, low part first.
Bytes timeUuidOf(Rng& rng, WallTime now)
{
    constexpr std::uint64_t kStepsUntil1970 = 0x01b21dd213814000;
    constexpr std::uint64_t kStepsPerMs = 10'000;
    const std::uint64_t steps = kStepsUntil1970
                                + static_cast<std::uint64_t>(toEpochMs(now)) * kStepsPerMs
                                + rng.below(kStepsPerMs);
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%08llx%04llx1%03llx",
                  static_cast<unsigned long long>(steps & 0xffffffff),
                  static_cast<unsigned long long>(steps >> 32 & 0xffff),
                  static_cast<unsigned long long>(steps >> 48 & 0xfff));
    return text.data() + ('a' + hexOf(rng).substr(17, 3)) + "02fc00000001";
}

Bytes threadOf(Rng& rng, WallTime = {})
{
    return uuidOf(rng) + ':' + std::to_string(rng.below(100));
}

/// Two of three want to read.
bool isReader(Rng& rng)
{
    return rng.below(3) != 0;
}

Bytes readingOrWritingThreadOf(Rng& rng, WallTime)
{
    return threadOf(rng) + (isReader(rng) ? "" : ":write");
}

Bytes workerOf(Rng& rng, WallTime)
{
    return (isReader(rng) ? "reader-" : "writer-") + hexOf(rng).substr(0, 12);
}

/// The same for the next hold of that process.
Bytes processOf(Rng& rng, WallTime)
{
    return "web-" + std::to_string(rng.below(2)) + ".example.org:4711";
}

Bytes sideOf(Rng& rng, WallTime)
{
    return isReader(rng) ? "read" : "write";
}

/// The side, and the stamp that its holder leaves there.
Bytes stampedSideOf(Rng& rng, WallTime now)
{
    return sideOf(rng, now) + ' ' + std::to_string(toEpochMs(now));
}

Bytes readerOrTokenOf(Rng& rng, WallTime)
{
    return isReader(rng) ? "read" : uuidOf(rng);
}

Bytes nobody(Rng&, WallTime)
{
    return "1";
}

/// The field of a lock of huey, which is the same for every hold.
Bytes fieldOfHuey(Rng&, WallTime)
{
    return "race.lock.nightly";
}

/// One of the two tokens of a semaphore, which are handed on.
Bytes tokenOfRuby(Rng& rng, WallTime)
{
    return std::to_string(rng.below(2));
}

// What stands before every script: the clock, which servers before 7 want to be told about, and the
// words that the scripts share.
constexpr const char* kPrologue = R"(
if redis.replicate_commands then pcall(redis.replicate_commands) end
local lock, count, owner, lease = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local call = redis.call

-- One more hold, of a side where the lock has sides.
local function granted(side)
  call('hset', count, side or 'any', call('hincrby', count, 'holds', 1))
  return 1
end

-- Keys that hold several live as long as the longest.
local function prolong(key)
  if call('pttl', key) < lease then call('pexpire', key, lease) end
  return 1
end
)";

// What stands around every look. A hold is its owner, and where that does not tell it from the next
// one, its side and its number; and the end of the key that it needs to live, which servers before
// 7 tell as what is left.
constexpr const char* kLookPrologue = R"(
local holds = {}
local function endOf(key)
  local at = redis.pcall('pexpiretime', key)
  if type(at) == 'number' then return at == -2 and now or at end
  local left = call('pttl', key)
  return left == -1 and -1 or now + math.max(left, 0)
end
local function seen(owner, side, key)
  local number = side and tonumber(call('hget', count, side) or 0) or 0
  holds[#holds + 1] = {owner, side or '', number, endOf(key or lock)}
end
)";
constexpr const char* kLookEpilogue = R"(
return {now, tonumber(call('hget', count, 'holds') or 0), holds})";

constexpr const char* kTakeString = R"(
if not call('set', lock, owner, 'nx', 'px', lease) then return 0 end
return granted())";
constexpr const char* kRenewString = R"(
if call('get', lock) ~= owner then return 0 end
return call('pexpire', lock, lease))";
constexpr const char* kGiveString = R"(
if call('get', lock) ~= owner then return 0 end
return call('del', lock))";
constexpr const char* kLookToken = R"(
local value = call('get', lock)
if value then seen(value) end)";
constexpr const char* kLookProcess = R"(
local value = call('get', lock)
if value then seen(value, 'any') end)";
constexpr const char* kLookFlag = R"(
if call('exists', lock) == 1 then seen('', 'any') end)";

constexpr const char* kTakeForever = R"(
if call('setnx', lock, owner) == 0 then return 0 end
return granted())";
constexpr const char* kRenewNever = "return 0";
constexpr const char* kGiveBlindly = "return call('del', lock)";

// A release hands the lock to the next in the queue, who has a while to fetch it. Here
// any client that comes next fetches it.
constexpr const char* kTakeHandedOver = R"(
local value = call('get', lock)
if value and string.sub(value, 1, 8) ~= 'handoff ' then return 0 end
call('set', lock, owner, 'px', lease)
return granted())";
constexpr const char* kHandOver = R"(
if call('get', lock) ~= owner then return 0 end
call('set', lock, 'handoff ' .. owner, 'px', lease)
return 1)";

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
constexpr const char* kLookFields = R"(
for _, field in ipairs(call('hkeys', lock)) do seen(field) end)";

// A refused client stands in the queue for a while, and none goes before the first in it.
constexpr const char* kTakeRedissonFair = R"(
local queue = 'redisson_lock_queue:{' .. lock .. '}'
local deadlines = 'redisson_lock_timeout:{' .. lock .. '}'
local head = call('lindex', queue, 0)
while head and tonumber(call('zscore', deadlines, head) or 0) <= now do
  call('lpop', queue)
  call('zrem', deadlines, head)
  head = call('lindex', queue, 0)
end
if not head and call('exists', lock) == 0 then
  call('hset', lock, owner, 1)
  call('pexpire', lock, lease)
  return granted()
end
if not head then
  call('zadd', deadlines, string.format('%.0f', now + 10), owner)
  call('rpush', queue, owner)
end
return 0)";

constexpr const char* kTakeRedissonReadWrite = R"(
local mode = call('hget', lock, 'mode')
local isWriter = string.sub(owner, -6) == ':write'
if mode and (isWriter or mode == 'write') then return 0 end
call('hset', lock, 'mode', isWriter and 'write' or 'read', owner, 1)
if not isWriter then call('set', '{' .. lock .. '}:' .. owner .. ':rwlock_timeout:1', '1', 'px', lease) end
prolong(lock)
return granted())";
constexpr const char* kRenewRedissonReadWrite = R"(
if call('hexists', lock, owner) == 0 then return 0 end
call('pexpire', '{' .. lock .. '}:' .. owner .. ':rwlock_timeout:1', lease)
return prolong(lock))";
constexpr const char* kGiveRedissonReadWrite = R"(
if call('hdel', lock, owner) == 0 then return 0 end
call('del', '{' .. lock .. '}:' .. owner .. ':rwlock_timeout:1')
if call('hlen', lock) == 1 then call('del', lock) end
return 1)";
constexpr const char* kLookRedissonReadWrite = R"(
for _, field in ipairs(call('hkeys', lock)) do
  local isWriter = string.sub(field, -6) == ':write'
  local lease = isWriter and lock or '{' .. lock .. '}:' .. field .. ':rwlock_timeout:1'
  if field ~= 'mode' then seen(field, nil, lease) end
end)";

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
prolong(lock)
return granted())";
constexpr const char* kRenewOwners = R"(
local entry = call('hget', lock, owner)
if not entry then return 0 end
call('hset', lock, owner, string.match(entry, '%a+') .. ' ' .. string.format('%.0f', now + lease))
return prolong(lock))";
constexpr const char* kGiveOwners = "return call('hdel', lock, owner)";

constexpr const char* kTakePermit = R"(
call('zremrangebyscore', lock, '-inf', now)
if call('zcard', lock) >= 3 then return 0 end
call('zadd', lock, string.format('%.0f', now + lease), owner)
prolong(lock)
return granted())";
constexpr const char* kRenewPermit = R"(
if not call('zscore', lock, owner) then return 0 end
call('zadd', lock, string.format('%.0f', now + lease), owner)
return prolong(lock))";
constexpr const char* kGivePermit = "return call('zrem', lock, owner)";
constexpr const char* kLookMembers = R"(
for _, member in ipairs(call('zrange', lock, 0, -1)) do seen(member) end)";

// A stamp counts as long as the lease of the asking client, so a writer may come while a reader is
// still there, and the other way round.
constexpr const char* kTakeSideOfHash = R"(
local side, stamp = string.match(owner, '(%a+) (%d+)')
local function isBusy(other)
  local since = call('hget', lock, other)
  return since and now - since <= lease / 2
end
if isBusy('write') or (side == 'write' and isBusy('read')) then return 0 end
call('hset', lock, side, stamp)
call('pexpire', lock, lease)
return granted(side))";
constexpr const char* kRenewSideOfHash = R"(
local side, stamp = string.match(owner, '(%a+) (%d+)')
if call('hget', lock, side) ~= stamp then return 0 end
return call('pexpire', lock, lease))";
constexpr const char* kGiveSideOfHash = R"(
local side, stamp = string.match(owner, '(%a+) (%d+)')
if call('hget', lock, side) ~= stamp then return 0 end
return call('hdel', lock, side))";
constexpr const char* kLookSidesOfHash = R"(
for _, side in ipairs({'read', 'write'}) do
  if call('hexists', lock, side) == 1 then seen('', side) end
end)";

// The write-ups look at the other side in a request of its own, which may come too early: here
// it is not looked at at all, and both sides are there at once.
constexpr const char* kTakeSideOfPair = R"(
local key = lock .. ':' .. owner
if owner == 'write' and call('exists', key) == 1 then return 0 end
call('set', key, '1', 'px', lease)
return granted(owner))";
constexpr const char* kRenewSideOfPair = "return call('pexpire', lock .. ':' .. owner, lease)";
constexpr const char* kGiveSideOfPair = "return call('del', lock .. ':' .. owner)";
constexpr const char* kLookSidesOfPair = R"(
for _, side in ipairs({'read', 'write'}) do
  local value = call('get', lock .. ':' .. side)
  if value then seen(#value == 36 and value or '', side, lock .. ':' .. side) end
end)";

constexpr const char* kTakeCounted = R"(
local read, write = lock .. ':read', lock .. ':write'
if call('exists', write) == 1 then return 0 end
if owner == 'read' then
  call('incr', read)
  call('pexpire', read, lease)
  return granted('read')
end
if call('exists', read) == 1 then return 0 end
call('set', write, owner, 'px', lease)
return granted('write'))";
constexpr const char* kRenewCounted = R"(
local side = owner == 'read' and 'read' or 'write'
if side == 'write' and call('get', lock .. ':write') ~= owner then return 0 end
return call('pexpire', lock .. ':' .. side, lease))";
constexpr const char* kGiveCounted = R"(
local read, write = lock .. ':read', lock .. ':write'
if owner == 'read' then return call('decr', read) <= 0 and call('del', read) end
return call('get', write) == owner and call('del', write))";

constexpr const char* kTakeStamp = R"(
if not call('set', lock, string.format('%.0f', now + lease), 'nx', 'px', lease) then return 0 end
return granted())";

// The key outlives the stamp, eight bytes of it; a client that finds a past one takes over.
constexpr const char* kTakeOverStamp = R"(
local function bytesOf(ms)
  local bytes = ''
  for i = 1, 8 do
    bytes = string.char(ms % 256) .. bytes
    ms = math.floor(ms / 256)
  end
  return bytes
end
local value = call('get', lock)
if value and value > bytesOf(now) then return 0 end
call('set', lock, bytesOf(now + lease), 'px', 2 * lease)
return granted())";

// The key never expires: a client that finds a past stamp takes over.
constexpr const char* kTakeStampForever = R"(
local value = call('get', lock)
if value and tonumber(value) > now then return 0 end
call('set', lock, string.format('%.0f', now + lease))
return granted())";

// The count of the free permits is no hold, and nothing may ever remove it. While one of two
// permits is out it reads "1", as a flag does.
constexpr const char* kTakeRedissonPermit = R"(
local permits = '{' .. lock .. '}:timeout'
if call('exists', lock) == 0 then call('set', lock, 2) end
local ended = call('zremrangebyscore', permits, '-inf', now)
if ended > 0 then call('incrby', lock, ended) end
if tonumber(call('get', lock)) < 1 then return 0 end
call('decr', lock)
call('zadd', permits, string.format('%.0f', now + lease), owner)
return granted())";
constexpr const char* kRenewRedissonPermit = R"(
local permits = '{' .. lock .. '}:timeout'
if not call('zscore', permits, owner) then return 0 end
call('zadd', permits, string.format('%.0f', now + lease), owner)
return 1)";
constexpr const char* kGiveRedissonPermit = R"(
if call('zrem', '{' .. lock .. '}:timeout', owner) == 0 then return 0 end
call('incr', lock)
return 1)";
constexpr const char* kLookRedissonPermits = R"(
for _, member in ipairs(call('zrange', '{' .. lock .. '}:timeout', 0, -1)) do seen(member) end
if call('exists', lock) == 1 then seen('the count', nil) end)";

constexpr const char* kTakeField = R"(
if call('hsetnx', lock, owner, '1') == 0 then return 0 end
call('hset', lock, 'the result of a task', '42')
return granted())";
constexpr const char* kGiveField = "return call('hdel', lock, owner)";
constexpr const char* kLookLockFields = R"(
for _, field in ipairs(call('hkeys', lock)) do
  if string.match(field, '%.lock%.') then seen(field, 'any') end
end)";

constexpr const char* kTakeRubyToken = R"(
local free = 'SEMAPHORE:race:AVAILABLE'
if call('hexists', lock, owner) == 1 then return 0 end
call('lrem', free, 0, owner)
call('hset', lock, owner, string.format('%d.%06d', time[1], time[2]))
call('hset', count, 'token ' .. owner, call('hincrby', count, 'holds', 1))
return 1)";
constexpr const char* kGiveRubyToken = R"(
if call('hdel', lock, owner) == 0 then return 0 end
return call('lpush', 'SEMAPHORE:race:AVAILABLE', owner))";
constexpr const char* kLookRubyTokens = R"(
for _, field in ipairs(call('hkeys', lock)) do
  local number = tonumber(call('hget', count, 'token ' .. field) or 0)
  holds[#holds + 1] = {field, 'any', number, -1}
end)";

} // namespace

std::span<const RaceFormat> raceFormats()
{
    // id, decoder, then as the members are declared.
    static constexpr std::array kFormats{
        RaceFormat{"token", "token", uuidOf, kTakeString, kRenewString, kGiveString, kLookToken},
        RaceFormat{"hex", "node-redlock", hexOf, kTakeString, kRenewString, kGiveString,
                   kLookToken},
        RaceFormat{"process", "token", processOf, kTakeString, kRenewString, kGiveString,
                   kLookProcess, true},
        RaceFormat{"list-handoff", "token", uuidOf, kTakeHandedOver, kRenewString, kHandOver,
                   kLookToken},
        RaceFormat{"token-stamp", "token-stamp", stampedUuidOf, kTakeString, kRenewString,
                   kGiveString, kLookToken},
        RaceFormat{"redis-py", "redis-py", timeUuidOf, kTakeString, kRenewString, kGiveString,
                   kLookToken},
        RaceFormat{"redlock", "redlock", uuidOf, kTakeString, kRenewString, kGiveString, kLookToken,
                   false, true, 3},
        RaceFormat{"reentrant-hash", "reentrant-hash", hexOf, kTakeHash, kRenewHash, kGiveHash,
                   kLookFields},
        RaceFormat{"redisson-lock", "redisson-lock", threadOf, kTakeHash, kRenewHash, kGiveHash,
                   kLookFields},
        RaceFormat{"redisson-fair", "redisson-lock", threadOf, kTakeRedissonFair, kRenewHash,
                   kGiveHash, kLookFields},
        RaceFormat{"redisson-read-write", "redisson-read-write", readingOrWritingThreadOf,
                   kTakeRedissonReadWrite, kRenewRedissonReadWrite, kGiveRedissonReadWrite,
                   kLookRedissonReadWrite},
        RaceFormat{"rw-hash-owners", "rw-hash-owners", workerOf, kTakeOwners, kRenewOwners,
                   kGiveOwners, kLookFields},
        RaceFormat{"rw-hash-stamps", "rw-hash-stamps", stampedSideOf, kTakeSideOfHash,
                   kRenewSideOfHash, kGiveSideOfHash, kLookSidesOfHash, true},
        RaceFormat{"rw-two-keys", "rw-two-keys", sideOf, kTakeSideOfPair, kRenewSideOfPair,
                   kGiveSideOfPair, kLookSidesOfPair, true},
        RaceFormat{"rw-two-keys-counted", "rw-two-keys", readerOrTokenOf, kTakeCounted,
                   kRenewCounted, kGiveCounted, kLookSidesOfPair, true},
        RaceFormat{"semaphore", "semaphore", workerOf, kTakePermit, kRenewPermit, kGivePermit,
                   kLookMembers},
        RaceFormat{"flag", "flag", nobody, kTakeString, kRenewString, kGiveString, kLookFlag, true},
        RaceFormat{"flag-for-ever", "flag", nobody, kTakeForever, kRenewNever, kGiveString,
                   kLookFlag, true, false},
        RaceFormat{"expiry-stamp", "expiry-stamp", nobody, kTakeStamp, kRenewNever, kGiveBlindly,
                   kLookFlag, true},
        RaceFormat{"expiry-stamp-taken-over", "expiry-stamp", nobody, kTakeOverStamp, kRenewNever,
                   kGiveBlindly, kLookFlag, true},
        RaceFormat{"expiry-stamp-for-ever", "expiry-stamp", nobody, kTakeStampForever, kRenewNever,
                   kGiveBlindly, kLookFlag, true, false},
        RaceFormat{"process-for-ever", "token", processOf, kTakeForever, kRenewNever, kGiveString,
                   kLookProcess, true, false},
        RaceFormat{"redisson-permits", "redisson-permit-semaphore", hexOf, kTakeRedissonPermit,
                   kRenewRedissonPermit, kGiveRedissonPermit, kLookRedissonPermits},
        RaceFormat{"huey", "huey", fieldOfHuey, kTakeField, kRenewNever, kGiveField,
                   kLookLockFields, true, false, 1, "huey.results.race"},
        RaceFormat{"ruby-semaphore", "ruby-semaphore", tokenOfRuby, kTakeRubyToken, kRenewNever,
                   kGiveRubyToken, kLookRubyTokens, true, false, 1, "SEMAPHORE:race:GRABBED"},
    };
    return kFormats;
}

std::span<const UnracedDecoder> unracedDecoders()
{
    static constexpr std::array kUnraced{
        UnracedDecoder{"named-key", "what its value means is not known, so no release is offered"},
        UnracedDecoder{"django-cache-add", "compared and deleted as a `flag` is, which is raced"},
        UnracedDecoder{"redis-semaphore", "compares members as `semaphore` does; its own client "
                                          "is in the interoperation suite"},
        UnracedDecoder{"symfony-lock", "compares members as `semaphore` does; its own client is "
                                       "in the interoperation suite"},
        UnracedDecoder{"redisson-faster-multi-lock", "compares fields with their values as "
                                                     "`rw-hash-stamps` does; its own client is in "
                                                     "the interoperation suite"},
        UnracedDecoder{"redisson-semaphore", "names no holder, and a release ends no hold: it "
                                             "adds a permit"},
        UnracedDecoder{"redisson-latch", "is no lock: there is no hold to race for"},
        UnracedDecoder{"spring-integration", "compared and deleted as a process of `token` is, "
                                             "which is raced"},
        UnracedDecoder{"rueidislock", "compares values as `token` does, of several keys; its own "
                                      "client is in the interoperation suite"},
        UnracedDecoder{"sidekiq-unique-jobs", "compares fields and their values as "
                                              "`rw-hash-stamps` does"},
        UnracedDecoder{"cache-add", "compared and deleted as a `flag` is, which is raced"},
        UnracedDecoder{"owner-hash", "compares fields and their values as `rw-hash-stamps` does"},
        UnracedDecoder{"redfour", "compares fields and their values as `rw-hash-stamps` does; its "
                                  "own client is in the interoperation suite"},
        UnracedDecoder{"redis-fifo-lock", "compares values as `token` does; its own client is in "
                                          "the interoperation suite"},
        UnracedDecoder{"symfony-semaphore", "compares members as `semaphore` does, of two keys; "
                                            "its own client is in the interoperation suite"},
        UnracedDecoder{"cm-redis-session", "its mark is a field of a session, compared as the "
                                           "fields of `rw-hash-stamps` are"},
        UnracedDecoder{"seata-row-lock", "no release is offered"},
        UnracedDecoder{"nextcloud-lock", "compared and deleted as a `flag` is, which is raced"},
        UnracedDecoder{"number", "compared and deleted as a `flag` is, which is raced"},
        UnracedDecoder{"holder-count", "read only by decision; compared as a `flag` is, which is "
                                       "raced, and counted down"},
        UnracedDecoder{"suo", "compares the whole value as `token` does"},
        UnracedDecoder{"jetcache-refresh", "compared and deleted as a `token` is"},
        UnracedDecoder{"gocraft-work", "only the counts of a dead pool are taken back, compared "
                                       "as the fields of `rw-hash-stamps` are"},
        UnracedDecoder{"mlanett-redis-lock", "compares values as `token` does, of two keys"},
        UnracedDecoder{"distributed-lock-rw", "compares values as `token` does, and members as "
                                              "`semaphore` does"},
        UnracedDecoder{"distributed-lock-semaphore", "compares members as `semaphore` does"},
        UnracedDecoder{"tasktiger-queue", "compares members as `semaphore` does"},
        UnracedDecoder{"asynq-lease", "no release is offered"},
    };
    return kUnraced;
}

std::span<const RacedProtocol> racedProtocols()
{
    static constexpr std::array kRaced{
        RacedProtocol{"exists-then-set", "flag-for-ever"},
        RacedProtocol{"setnx-no-expiry", "flag-for-ever"},
        RacedProtocol{"setnx-then-expire", "flag"},
        RacedProtocol{"setnx-getset", "expiry-stamp-taken-over"},
        RacedProtocol{"set-nx-ex", "flag"},
        RacedProtocol{"lua-setnx-expire", "flag"},
        RacedProtocol{"set-nx-px-token", "token"},
        RacedProtocol{"lua-token-heartbeat", "token"},
        RacedProtocol{"bounded-watchdog", "token"},
        RacedProtocol{"client-reentrant", "token"},
        RacedProtocol{"reentrant-hash", "reentrant-hash"},
        RacedProtocol{"redisson-lock", "redisson-lock"},
        RacedProtocol{"redisson-fair", "redisson-fair"},
        RacedProtocol{"redlock", "redlock"},
        RacedProtocol{"redlock-unchecked", "redlock"},
        RacedProtocol{"rw-two-keys", "rw-two-keys"},
        RacedProtocol{"rw-two-keys-counted", "rw-two-keys-counted"},
        RacedProtocol{"rw-hash-stamps", "rw-hash-stamps"},
        RacedProtocol{"rw-hash-fields", "rw-hash-stamps"},
        RacedProtocol{"rw-hash-owners", "rw-hash-owners"},
        RacedProtocol{"redisson-read-write", "redisson-read-write"},
        RacedProtocol{"fenced-token", "token"},
        RacedProtocol{"list-handoff", "list-handoff"},
        RacedProtocol{"semaphore", "semaphore"},
    };
    return kRaced;
}

store::Command RaceLock::run(Bytes script, const Bytes& owner, Duration lease) const
{
    return store::Command("EVAL", kPrologue + std::move(script), 2, name, "holds:" + name, owner,
                          toMs(lease));
}

store::Command RaceLock::takeCommand(const Bytes& owner, Duration lease) const
{
    return run(format->take, owner, lease);
}

store::Command RaceLock::renew(const Bytes& owner, Duration lease) const
{
    return run(format->renew, owner, lease);
}

store::Command RaceLock::give(const Bytes& owner) const
{
    using namespace std::chrono_literals;
    return run(format->give, owner, 10ms); // for how long a lock that is handed over may be fetched
}

store::Command RaceLock::look() const
{
    return run(Bytes(kLookPrologue) + format->look + kLookEpilogue, {}, Duration(0));
}

} // namespace lockscope::testing
