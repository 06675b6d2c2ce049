#pragma once

#include "core/kernel/inspect/decoder.h"

// The decoders that are built in, each in a file of its own. Their order is in inspect/decoder.cpp.
namespace lockscope::inspect::decoders {

extern const Decoder kExpiryStamp;
extern const Decoder kFlag;
extern const Decoder kNamedKey;
extern const Decoder kRedisPy;
extern const Decoder kRedissonLock;
extern const Decoder kRedissonReadWrite;
extern const Decoder kRedlock;
extern const Decoder kReentrantHash;
extern const Decoder kRwHashOwners;
extern const Decoder kRwHashStamps;
extern const Decoder kRwTwoKeys;
extern const Decoder kSemaphore;
extern const Decoder kToken;
extern const Decoder kTokenStamp;

} // namespace lockscope::inspect::decoders
