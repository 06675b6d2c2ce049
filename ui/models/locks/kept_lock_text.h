#pragma once

#include "core/service/lock_keeper.h"

#include <QString>

namespace lockscope::models {

/// How a lock taken by hand is doing, in words: its state, and what that means.
struct KeptLockText {
    enum class Tone { Quiet, Good, Warning, Bad };

    Tone tone = Tone::Quiet;
    QString state;  // a word or two: "held", "lost"
    QString detail; // a sentence: what it means, and what to do; may be empty
};

KeptLockText textOf(const service::KeptLock& lock, Instant now);

/// "28.4 s"; "no end" for a lock without expiry; empty while it is not held.
QString timeLeftText(const service::KeptLock& lock, Instant now);

/// Why a holder must not trust its lock any more: a sentence.
QString lossSentence(trace::LossReason reason);

} // namespace lockscope::models
