#pragma once

#include "app/cli/session/search_call.h"
#include "core/pool/search_part.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// What --shard prints and merge reads: docs/json/shard.schema.json.
namespace lockscope::cli {

/// The whole call, so that merge needs no other file, and what the parts of the shard came to.
/// `results` has one for every part of the search.
std::string shardFileText(const pool::Shard& shard, const SearchCall& call,
                          std::vector<pool::PartResult> results);

/// A file with its name, for messages.
struct NamedText {
    std::string name;
    std::string text;
};

/// A search all of whose parts are done.
struct MergedSearch {
    SearchCall call; // without a shard, and without what only concerns the output
    std::vector<pool::PartResult> results;
};

/// Throws an ArgumentError if a file is no shard, or was made by another version, or if they are
/// not exactly all shards of one search.
MergedSearch mergedShards(std::span<const NamedText> files);

} // namespace lockscope::cli
