#pragma once

#include "core/kernel/inspect/decoder.h"

#include <QString>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace lockscope::testing {

/// One file of tests/data: what a server really held, and what should be made of it.
/// docs/decoders.md has the format.
struct Capture {
    QString path; // relative to tests/data
    inspect::LockSnapshot snapshot;
    std::vector<inspect::Treatment> treatments; // what the user decided that the key is
    nlohmann::json expected; // the best decoded locks, best first; an empty array: not a lock
    bool isBookkeeping = false;
    std::string provenWith; // the library and version that wrote it; empty: no client did
};

/// All captures, sorted by path. Malformed files throw.
std::vector<Capture> allCaptures();

/// What the decoded lock says, in the words of the corpus.
nlohmann::json describe(const inspect::DecodedLock& decoded);

} // namespace lockscope::testing
