#pragma once

#include "core/kernel/protocol/lock_protocol.h"

// The protocols that come with the program, one file each. Each has a page in docs/protocols and a
// line in catalogue.cpp.
namespace lockscope::protocol::builtin {

// Simple locks, most of them flawed: they are how people learn.
const LockProtocol& existsThenSet();
const LockProtocol& setnxNoExpiry();
const LockProtocol& setnxThenExpire();
const LockProtocol& setnxGetset();
const LockProtocol& setNxEx();
const LockProtocol& luaSetnxExpire();
const LockProtocol& setNxPxToken();
const LockProtocol& luaTokenHeartbeat();
const LockProtocol& boundedWatchdog();

// Reentrant ones.
const LockProtocol& clientReentrant();
const LockProtocol& reentrantHash();
const LockProtocol& redissonLock();
const LockProtocol& redissonFair();

// Several servers.
const LockProtocol& redlock();
const LockProtocol& redlockUnchecked();

// Readers and writers.
const LockProtocol& rwTwoKeys();
const LockProtocol& rwTwoKeysCounted();
const LockProtocol& rwHashStamps();
const LockProtocol& rwHashFields();
const LockProtocol& rwHashOwners();
const LockProtocol& redissonReadWrite();

// Others.
const LockProtocol& fencedToken();
const LockProtocol& listHandoff();
const LockProtocol& semaphore();

} // namespace lockscope::protocol::builtin
