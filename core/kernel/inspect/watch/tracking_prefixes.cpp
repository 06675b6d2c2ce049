#include "core/kernel/inspect/watch/tracking_prefixes.h"

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_names.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

namespace lockscope::inspect {

namespace {

/// Where names are cut. Not at '{': what follows it belongs to the cluster tag.
constexpr std::string_view kSeparators = ":./|#~-_";

bool hasDigit(std::string_view text)
{
    return text.find_first_of("0123456789") != std::string_view::npos;
}

/// The part of a name that its relatives are likely to share, separator included.
std::string_view stemOf(std::string_view name)
{
    std::size_t stem = 0; // the end of the leading segments that neither vary nor name the lock
    while (stem < name.size()) {
        const std::size_t end = name.find_first_of(kSeparators, stem);
        if (end == std::string_view::npos) {
            break;
        }
        const std::string_view segment = name.substr(stem, end - stem);
        if (soundsLikeLock(segment)) {
            return name.substr(0, end + 1);
        }
        if (hasDigit(segment)) {
            break;
        }
        stem = end + 1;
    }
    return stem > 0 ? name.substr(0, stem) : name;
}

/// Sorts and drops what a shorter prefix already covers.
void dropCovered(std::vector<std::string_view>& prefixes)
{
    std::ranges::sort(prefixes);
    std::vector<std::string_view> kept;
    for (const std::string_view prefix : prefixes) {
        if (kept.empty() || !prefix.starts_with(kept.back())) {
            kept.push_back(prefix);
        }
    }
    prefixes = std::move(kept);
}

std::size_t commonLength(std::string_view a, std::string_view b)
{
    return static_cast<std::size_t>(std::distance(a.begin(), std::ranges::mismatch(a, b).in1));
}

/// At most `maxCount` groups of neighbours, each replaced by what its members have in common. The
/// borders between groups run where neighbours have least in common.
std::vector<std::string_view> merged(std::span<const std::string_view> sorted, std::size_t maxCount)
{
    std::vector<std::pair<std::size_t, std::size_t>> borders; // what is common across, index of the
                                                              // first behind
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        borders.emplace_back(commonLength(sorted[i - 1], sorted[i]), i);
    }
    std::ranges::sort(borders);
    borders.resize(maxCount - 1);
    std::ranges::sort(borders, {}, &std::pair<std::size_t, std::size_t>::second);
    borders.emplace_back(0, sorted.size());

    std::vector<std::string_view> prefixes;
    std::size_t begin = 0;
    for (const auto& [ignored, end] : borders) {
        // In a sorted range, what the first and the last have in common, all have.
        prefixes.push_back(sorted[begin].substr(0, commonLength(sorted[begin], sorted[end - 1])));
        begin = end;
    }
    return prefixes;
}

bool overlapsAny(std::string_view prefix, std::span<const std::string_view> others)
{
    return std::ranges::any_of(others, [prefix](std::string_view other) {
        return other.starts_with(prefix) || prefix.starts_with(other);
    });
}

const std::string kAnyLock = "*[lL][oO][cC][kK]*";
constexpr std::string_view kGlobSigns = "*?[\\";

bool saysLock(std::string_view name)
{
    return matchesGlob(kAnyLock, name);
}

std::string globOfPrefix(std::string_view prefix)
{
    std::string glob;
    for (const char c : prefix) {
        if (kGlobSigns.find(c) != std::string_view::npos) {
            glob += '\\';
        }
        glob += c;
    }
    return glob + '*';
}

} // namespace

std::vector<Bytes> trackingPrefixes(std::span<const Bytes> lockNames, std::size_t maxCount)
{
    if (maxCount == 0) {
        return {};
    }
    std::vector<std::string_view> prefixes;
    prefixes.reserve(lockNames.size());
    for (const Bytes& name : lockNames) {
        prefixes.push_back(stemOf(name));
    }
    dropCovered(prefixes);
    if (prefixes.size() > maxCount) {
        prefixes = merged(prefixes, maxCount);
        dropCovered(prefixes);
    }
    if (!prefixes.empty() && prefixes.front().empty()) {
        return {};
    }
    const auto addIfRoom = [&prefixes, maxCount](std::string_view prefix) {
        if (prefixes.size() < maxCount && !overlapsAny(prefix, prefixes)) {
            prefixes.push_back(prefix);
        }
    };
    for (const Decoder& decoder : builtinDecoders()) {
        if (!decoder.waiterQueues.prefix.empty()) {
            addIfRoom(decoder.waiterQueues.prefix); // who waits is seen there alone
        }
    }
    std::ranges::for_each(knownLockPrefixes(), addIfRoom);
    std::ranges::sort(prefixes);
    return {prefixes.begin(), prefixes.end()};
}

std::vector<std::string> keyspacePatterns(std::span<const Bytes> lockNames,
                                          std::span<const std::string> userPatterns,
                                          std::size_t maxCount)
{
    std::vector<Bytes> others;
    std::ranges::copy_if(lockNames, std::back_inserter(others), std::not_fn(saysLock));
    const std::size_t taken = 1 + userPatterns.size();
    std::vector<Bytes> prefixes = trackingPrefixes(others, maxCount > taken ? maxCount - taken : 1);
    if (prefixes.empty()) {
        return {};
    }
    std::erase_if(prefixes, saysLock);
    std::vector<std::string> patterns{kAnyLock};
    patterns.insert(patterns.end(), userPatterns.begin(), userPatterns.end());
    for (const Bytes& prefix : prefixes) {
        patterns.push_back(globOfPrefix(prefix));
    }
    return patterns;
}

Bytes literalBeginningOf(std::string_view globPattern)
{
    Bytes beginning;
    for (std::size_t i = 0; i < globPattern.size(); ++i) {
        if (kGlobSigns.find(globPattern[i]) == std::string_view::npos) {
            beginning += globPattern[i];
        } else if (globPattern[i] == '\\' && i + 1 < globPattern.size()) {
            beginning += globPattern[++i];
        } else {
            break;
        }
    }
    return beginning;
}

} // namespace lockscope::inspect
