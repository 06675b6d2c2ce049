#include "core/kernel/sim/stream_value.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace lockscope::sim {

namespace {

constexpr std::uint32_t kNodeEntriesMax = 100;

} // namespace

/// string2ull() in util.c: what is no number in the one spelling of Redis goes to strtoull(), but
/// for negative ones.
std::optional<std::uint64_t> parseIdPart(const Bytes& text)
{
    if (text.starts_with('-') || text.empty()) {
        return std::nullopt;
    }
    errno = 0;
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(text.c_str(), &end, 10);
    const bool isNumber = errno == 0 && end != text.c_str() && *end == '\0';
    return isNumber ? std::optional(number) : std::nullopt;
}

std::optional<StreamId> StreamId::parse(const Bytes& text, std::uint64_t missingSequence)
{
    const std::size_t dash = text.find('-');
    const auto ms = parseIdPart(text.substr(0, dash));
    const auto sequence = dash == Bytes::npos ? std::optional(missingSequence)
                                              : parseIdPart(text.substr(dash + 1));
    return ms && sequence ? std::optional(StreamId{*ms, *sequence}) : std::nullopt;
}

Bytes StreamId::text() const
{
    return std::to_string(ms) + '-' + std::to_string(sequence);
}

void StreamValue::append(StreamId id, std::vector<Bytes> words)
{
    const bool isFirst = length() == 0;
    const std::uint32_t place = isFirst ? 0 : m_entries.back().placeInNode + 1;
    if (isFirst) {
        m_entries.clear();
    }
    m_entries.push_back({id, std::move(words), place % kNodeEntriesMax});
}

/// Behind the last entry of the node to which the entry belongs.
std::size_t StreamValue::nodeEnd(std::size_t begin) const
{
    const std::size_t left = kNodeEntriesMax - m_entries[begin].placeInNode;
    return std::min(begin + left, m_entries.size());
}

std::size_t StreamValue::trim(const StreamTrim& trim)
{
    const std::size_t count = length();
    // May the first so many go?
    const auto mayGo = [&](std::size_t removed) {
        return trim.maxLength ? count - removed >= *trim.maxLength
                              : m_entries[removed - 1].id < *trim.minId;
    };
    std::size_t gone = 0;
    while (gone < count) {
        const std::size_t end = trim.isApproximate ? nodeEnd(gone) : gone + 1;
        const bool isOverLimit = trim.isApproximate && trim.limit != 0 && end > trim.limit;
        if (isOverLimit || !mayGo(end)) {
            break;
        }
        gone = end;
    }
    removeFirst(gone);
    return gone;
}

void StreamValue::removeFirst(std::size_t count)
{
    if (count > 0 && count == m_entries.size()) {
        m_entries.back().words.clear();
        --count;
    }
    m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(count));
}

std::vector<const StreamEntry*> StreamValue::between(StreamId first, StreamId last) const
{
    std::vector<const StreamEntry*> found;
    for (const StreamEntry& entry : m_entries) {
        if (!entry.words.empty() && entry.id >= first && entry.id <= last) {
            found.push_back(&entry);
        }
    }
    return found;
}

} // namespace lockscope::sim
