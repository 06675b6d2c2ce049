#pragma once

#include "core/kernel/base/rng.h"
#include "tests/support/seen_keys.h"

#include <functional>
#include <string_view>
#include <vector>

// The tokens of lock libraries as they draw them, and the keys in which they are kept.
namespace lockscope::testing {

inline constexpr std::string_view kAlnum =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
inline constexpr std::string_view kHexDigits = "0123456789abcdef";

inline Bytes drawn(Rng& rng, std::string_view alphabet, std::size_t count)
{
    Bytes text(count, ' ');
    for (char& c : text) {
        c = alphabet[rng.below(alphabet.size())];
    }
    return text;
}

inline Bytes drawnBytes(Rng& rng, std::size_t count)
{
    Bytes bytes(count, ' ');
    for (char& c : bytes) {
        c = static_cast<char>(rng.below(256));
    }
    return bytes;
}

inline Bytes drawnUuid4(Rng& rng)
{
    Bytes uuid = drawn(rng, kHexDigits, 36);
    for (const std::size_t dash : {8U, 13U, 18U, 23U}) {
        uuid[dash] = '-';
    }
    uuid[14] = '4';
    uuid[19] = "89ab"[rng.below(4)];
    return uuid;
}

/// 32 digits of a UUID of version 1 from within the last hour.
inline Bytes drawnUuid1(Rng& rng)
{
    constexpr std::uint64_t kStepsUntil1970 = 0x01b21dd213814000;
    const auto now = static_cast<std::uint64_t>(toEpochMs(kServerTime)) * 10'000 + kStepsUntil1970;
    const std::uint64_t steps = now - rng.below(36'000'000'000);
    const auto digits = [steps](unsigned first, std::size_t count) {
        Bytes text;
        for (std::size_t i = 0; i < count; ++i) {
            text += kHexDigits[steps >> (first - 4 * i) & 0xf];
        }
        return text;
    };
    return digits(28, 8) + digits(44, 4) + '1' + digits(56, 3) + drawn(rng, "89ab", 1)
           + drawn(rng, kHexDigits, 15);
}

inline Bytes drawnUuid4Hex(Rng& rng)
{
    Bytes uuid = drawnUuid4(rng);
    std::erase(uuid, '-');
    return uuid;
}

/// 16 bytes, given in hexadecimal.
inline Bytes base64OfHex(const Bytes& hex)
{
    Bytes text;
    std::uint64_t bits = 0;
    unsigned count = 0;
    for (const char c : hex) {
        bits = bits << 4 | kHexDigits.find(c);
        for (count += 4; count >= 6; count -= 6) {
            text += kBase64[bits >> (count - 6) & 0x3f];
        }
    }
    return text + kBase64[bits << (6 - count) & 0x3f] + "==";
}

inline Bytes numberFrom(Rng& rng, std::uint64_t first, std::uint64_t count)
{
    return std::to_string(first + rng.below(count));
}

inline inspect::LockSnapshot inString(const Bytes& key, const Bytes& token)
{
    return of(stringKey(key, token));
}

inline inspect::LockSnapshot inHash(const Bytes& key, const Bytes& token)
{
    return of(hashKey(key, {{token, "1"}}));
}

inline inspect::Observation sortedSetKey(const Bytes& key, const Bytes& member, const Bytes& score)
{
    inspect::Observation seen = hashKey(key, {{member, score}});
    seen.type = inspect::ValueType::SortedSet;
    return seen;
}

/// Scored with the end of its hold, which is that of the key.
inline inspect::LockSnapshot inSortedSet(const Bytes& key, const Bytes& token)
{
    return of(sortedSetKey(key, token, "1795000030000"));
}

/// A permit that is out, beside the count of the free ones.
inline inspect::LockSnapshot besideACount(const Bytes& key, const Bytes& token)
{
    inspect::LockSnapshot snapshot = of(stringKey(key, "3", std::nullopt));
    snapshot.companions.push_back(sortedSetKey("{" + key + "}:timeout", token, "1795000030000"));
    return snapshot;
}

/// The key of a library, and how it draws a token.
struct Library {
    const char* name;
    Bytes key;
    std::function<Bytes(Rng&)> token;
    std::string_view format; // all of them are read as
    std::function<inspect::LockSnapshot(const Bytes& key, const Bytes& token)> seen = inString;
    bool hasStructure = false;
};

/// Tokens that are the whole value of a string.
inline const std::vector<Library>& librariesOfStrings()
{
    static const std::vector<Library> kLibraries{
        {"bsm-redislock", "lock:stock", [](Rng& r) { return drawn(r, kBase64Url, 22); },
         "bsm-redislock"},
        {"redlock-py", "lock:stock", [](Rng& r) { return drawn(r, kAlnum, 22); }, "bsm-redislock"},
        {"@redis-kit/lock", "lock:stock", [](Rng& r) { return drawn(r, kBase64, 22); },
         "bsm-redislock"},
        {"Math.random().toString(36)", "lock:stock",
         [](Rng& r) { return drawn(r, "abcdefghijklmnopqrstuvwxyz0123456789", 11); }, "token"},
        {"python-redilock", "lock:stock",
         [](Rng& r) { return "_LOCK:stock:" + drawn(r, kHexDigits, 32); }, "token"},
        {"simple-redis-mutex", "@simple-redis-mutex:lock-stock",
         [](Rng& r) { return "0." + drawn(r, "0123456789", 16); }, "simple-redis-mutex"},
        {"bsm-redislock with metadata", "lock:stock",
         [](Rng& r) { return drawn(r, kBase64Url, 21) + drawn(r, "AQgw", 1) + "my data"; },
         "bsm-redislock"},
        {"redlock-php", "lock:stock", [](Rng& r) { return "6afd7740" + drawn(r, kHexDigits, 5); },
         "redlock-php"},
        {"yii2-redis", "a1b2c9f31a05c9f31a05c9f31a05c9f31a0ff",
         [](Rng& r) { return drawn(r, kBase64Url, 20); }, "yii-mutex"},
        {"redsync", "lock:stock",
         [](Rng& r) { return drawn(r, kBase64, 21) + drawn(r, "AQgw", 1) + "=="; }, "redsync"},
        {"redsync, as warlock names its keys", "stock:lock",
         [](Rng& r) { return drawn(r, kBase64, 21) + drawn(r, "AQgw", 1) + "=="; }, "redsync"},
        {"rslock", "lock:stock", [](Rng& r) { return drawnBytes(r, 20); }, "rslock"},
        {"walrus", "lock:stock", [](Rng& r) { return drawnBytes(r, 32); }, "walrus"},
        {"rueidislock", "rueidislock:0:stock", [](Rng& r) { return drawnBytes(r, 24); },
         "rueidislock"},
        {"python-redis-lock", "lock:stock", [](Rng& r) { return drawn(r, kBase64, 24); },
         "python-redis-lock"},
        {"Laravel", "app-cache-laravel_unique_job:Report:7",
         [](Rng& r) { return drawn(r, kAlnum, 16); }, "laravel-lock"},
        {"Laravel funnel", "laravel_database_report2", [](Rng& r) { return drawn(r, kAlnum, 20); },
         "laravel-funnel"},
        {"Foundatio, go-zero", "lock:stock", [](Rng& r) { return drawn(r, kAlnum, 16); }, "token"},
        {"redis-plus-plus", "lock:stock", [](Rng& r) { return drawn(r, kAlnum, 20); }, "token"},
        {"Redlock.net", "redlock:stock", drawnUuid4, "redlock-prefix"},
        {"Mastodon", "lock:stock", drawnUuid4, "token"},
        {"php-lock", "php-malkusch-lock:stock", [](Rng& r) { return drawn(r, kHexDigits, 64); },
         "php-lock"},
        {"redis-semaphore", "mutex:stock", drawnUuid4, "redis-semaphore-mutex"},
        {"node-redlock", "lock:stock", [](Rng& r) { return drawn(r, kHexDigits, 32); },
         "node-redlock"},
        {"Yii", "lock:stock", [](Rng& r) { return drawn(r, kBase64Url, 20); }, "token"},
        {"nanoid", "lock:stock", [](Rng& r) { return drawn(r, kBase64Url, 21); }, "token"},
        {"Symfony, old form", "lock:stock", [](Rng& r) { return drawn(r, kBase64, 43) + "="; },
         "token"},
        {"BullMQ", "lock:stock", [](Rng& r) { return drawnUuid4(r) + ":3"; }, "token"},
        {"Magento", "lock:stock", [](Rng& r) { return "4711-12-" + drawn(r, kHexDigits, 8); },
         "token"},
        {"host and process", "lock:stock",
         [](Rng& r) { return "web-3:" + drawn(r, "123456789", 4); }, "token"},
    };
    return kLibraries;
}

/// Strings that say more than a random token, and those that are told by their names.
inline const std::vector<Library>& librariesOfMore()
{
    static const std::vector<Library> kLibraries{
        {"ShedLock", "job-lock:mail",
         [](Rng& r) {
             return "ADDED:2026-11-18T11:0" + drawn(r, "0123456", 1) + ":0" + drawn(r, "012345", 1)
                    + "." + drawn(r, "0123456789", 3) + "Z@web-3:" + drawnUuid4(r);
         },
         "shedlock"},
        {"Moodle", "mdl.lock",
         [](Rng& r) { return "[pid " + numberFrom(r, 1, 32768) + "] web:/a"; }, "moodle-session"},
        {"DistributedLock", "stock-lock",
         [](Rng& r) { return "WEB_" + numberFrom(r, 1, 32768) + "_" + drawnUuid4Hex(r); },
         "distributed-lock"},
        {"BullMQ, a job", "bull:mail:7:lock",
         [](Rng& r) { return drawnUuid4(r) + ":" + numberFrom(r, 0, 999); }, "bullmq-job"},
        {"Bull, a job", "bull:mail:7:lock", drawnUuid4, "bull-job"},
        {"jedis-lock", "lock:stock",
         [](Rng& r) { return drawnUuid4(r) + ":" + numberFrom(r, 1'795'000'020'000, 20'000); },
         "jedis-lock"},
        {"phpredis", "PHPREDIS_SESSION:ab_LOCK",
         [](Rng& r) { return "web-3|" + numberFrom(r, 1, 32768); }, "phpredis-session"},
        {"resque-scheduler", "resque:resque_scheduler_master_lock",
         [](Rng& r) { return "web-3:" + numberFrom(r, 1, 32768); }, "resque-scheduler"},
        {"Magento, its key", "zc:k:LOCKED_RECORD_INFO_A",
         [](Rng& r) { return numberFrom(r, 1, 32768) + "-12-" + drawn(r, kHexDigits, 8); },
         "magento-lock"},
        {"redis-py", "lock:stock", drawnUuid1, "redis-py"},
        {"celery-once", "qo_report", drawnUuid1, "celery-once"},
        {"celery-redbeat", "redbeat::lock", drawnUuid1, "celery-redbeat"},
        {"TaskTiger", "t:lockv2:mail", drawnUuid1, "tasktiger"},
        {"tooz", "_tooz_stock_lock", drawnUuid1, "tooz"},
        {"lock4j", "lock4j:stock", drawnUuid4Hex, "lock4j"},
        {"Sentry", "l:stock", drawnUuid4Hex, "sentry"},
        {"RQ", "rq:scheduler-lock:mail", drawnUuid4Hex, "rq-scheduler"},
        {"GitLab", "gitlab:exclusive_lease:a", drawnUuid4, "gitlab-lease"},
        {"CSRedis", "CSRedisClientLock:stock", drawnUuid4, "csredis"},
        {"Hangfire", "{hangfire}:mail:lock", drawnUuid4, "hangfire"},
        {"activejob-uniqueness", "activejob_uniqueness:mail", drawnUuid4, "activejob-uniqueness"},
        {"celery-singleton", "SINGLETONLOCK_mail", drawnUuid4, "celery-singleton"},
        {"Caddy", "caddy/locks/site", [](Rng& r) { return drawn(r, kBase64Url, 22); }, "caddy"},
        {"huey, with an expiry", "huey.r.shop.lock.mail", [](Rng& r) { return drawnBytes(r, 16); },
         "huey-expire"},
        {"ASP.NET", "{app}_WriteLock",
         [](Rng& r) { return numberFrom(r, 638'000'000'000'000'000, 1'000'000'000'000'000); },
         "asp-net-session"},
        {"errorception", "lock.stock",
         [](Rng& r) { return numberFrom(r, 1'795'000'029'000, 2'000); }, "errorception-redis-lock"},
        {"Discourse", "lock:stock", [](Rng& r) { return numberFrom(r, 1'795'000'029, 3); },
         "discourse-mutex"},
        {"redis-mutex", "RedisMutex:stock",
         [](Rng& r) { return "1795000030." + drawn(r, "0123456789", 6); }, "redis-mutex"},
        {"warlock", "stock:lock", [](Rng& r) { return base64OfHex(drawnUuid1(r)); }, "warlock"},
    };
    return kLibraries;
}

/// Hashes and sorted sets.
inline const std::vector<Library>& librariesOfStructures()
{
    const auto redisson = [](Rng& r) { return drawnUuid4(r) + ":" + numberFrom(r, 1, 99'999); };
    static const std::vector<Library> kLibraries{
        {"Redisson", "order:42", redisson, "redisson-lock", inHash, true},
        {"Redisson, write", "order:42", [redisson](Rng& r) { return redisson(r) + ":write"; },
         "redisson-read-write",
         [](const Bytes& key, const Bytes& token) {
             return of(hashKey(key, {{"mode", "write"}, {token, "1"}}));
         },
         true},
        {"Redisson, several values", "order:42", [](Rng& r) { return drawn(r, kBase64, 22); },
         "redisson-faster-multi-lock",
         [](const Bytes& key, const Bytes& token) {
             const Bytes owner = kAlice + ":7";
             return of(hashKey(key, {{token, owner},
                                     {token + ":" + owner + ":expire_time", "1795000030000"},
                                     {token + ":" + owner + ":lock_count", "1"}}));
         },
         true},
        {"Redisson, permits", "order:42", [](Rng& r) { return drawnBytes(r, 16); },
         "redisson-permit-semaphore", besideACount, true},
        {"Redisson, older permits", "order:42", [](Rng& r) { return drawn(r, kHexDigits, 32); },
         "redisson-permit-semaphore", besideACount, true},
        {"Symfony", "order:42", [](Rng& r) { return drawn(r, kBase64, 43) + "="; }, "symfony-lock",
         inSortedSet, true},
        {"redis-semaphore, permits", "semaphore:stock", drawnUuid4, "redis-semaphore", inSortedSet,
         true},
        {"DistributedLock, permits", "order:42",
         [](Rng& r) { return "WEB_" + numberFrom(r, 1, 32768) + "_" + drawnUuid4Hex(r); },
         "distributed-lock-semaphore", inSortedSet, true},
        {"sidekiq-unique-jobs", "uniquejobs:0e2b6bd2a9c94d5f8f5d7c1a6b3e4f50:LOCKED",
         [](Rng& r) { return drawn(r, kHexDigits, 24); }, "sidekiq-unique-jobs",
         [](const Bytes& key, const Bytes& token) {
             return of(hashKey(key, {{token, "1795000000.5"}}));
         },
         true},
        {"asynq, a task", "asynq:{mail}:lease", drawnUuid4, "asynq-lease",
         [](const Bytes& key, const Bytes& token) {
             return of(sortedSetKey(key, token, "1795000030"));
         },
         true},
        {"a reentrant hash", "lock:stock", drawnUuid4, "reentrant-hash", inHash, true},
        {"a semaphore", "lock:stock", drawnUuid4, "semaphore", inSortedSet, true},
    };
    return kLibraries;
}

inline const std::vector<Library>& libraries()
{
    static const std::vector<Library> kLibraries = [] {
        std::vector<Library> all = librariesOfStrings();
        for (const auto* more : {&librariesOfMore(), &librariesOfStructures()}) {
            all.insert(all.end(), more->begin(), more->end());
        }
        return all;
    }();
    return kLibraries;
}

} // namespace lockscope::testing
