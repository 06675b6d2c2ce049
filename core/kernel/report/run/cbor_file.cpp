#include "core/kernel/report/run/cbor_file.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/json_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace lockscope::report {

using protocol::FileError;

namespace {

constexpr std::string_view kSelfDescription = "\xD9\xD9\xF7"; // RFC 8949, section 3.4.6
constexpr std::size_t kDepthMax = 16;

enum class MajorType : std::uint8_t {
    Unsigned,
    Negative,
    Bytes,
    Text,
    Array,
    Map,
    Tag,
    Simple,
};

/// What an item begins with.
struct ItemHead {
    MajorType type{};
    std::uint64_t argument = 0; // a number, a length, a count or a tag
};

/// Looks whether a file is sound before it is parsed, since the parser calls itself for every level
/// and believes what a length says about itself.
class SoundnessCheck {
public:
    explicit SoundnessCheck(std::string_view bytes) : m_bytes(bytes) {}

    /// One item, and nothing behind it.
    bool isSound()
    {
        while (!m_missing.empty()) {
            if (m_missing.back() == 0) {
                m_missing.pop_back();
                continue;
            }
            --m_missing.back();
            const std::optional<ItemHead> head = nextHead();
            if (!head || !accept(*head)) {
                return false;
            }
        }
        return m_place == m_bytes.size();
    }

    /// Behind everything that is sound.
    std::size_t place() const { return m_place; }

private:
    std::size_t left() const { return m_bytes.size() - m_place; }

    std::optional<ItemHead> nextHead()
    {
        constexpr unsigned kArgumentBits = 5;
        constexpr unsigned kLargestInline = 23;
        constexpr unsigned kLongest = 27; // in eight bytes
        if (left() == 0) {
            return std::nullopt;
        }
        const auto first = static_cast<std::uint8_t>(m_bytes[m_place]);
        const unsigned info = first & ((1U << kArgumentBits) - 1);
        const std::size_t width = info <= kLargestInline
                                      ? 0
                                      : std::size_t{1} << (info - kLargestInline - 1);
        if (info > kLongest || left() <= width) {
            return std::nullopt;
        }
        ItemHead head{static_cast<MajorType>(first >> kArgumentBits), width == 0 ? info : 0};
        for (std::size_t i = 1; i <= width; ++i) {
            head.argument = head.argument << 8 | static_cast<std::uint8_t>(m_bytes[m_place + i]);
        }
        m_place += 1 + width;
        return head;
    }

    bool accept(const ItemHead& head)
    {
        constexpr std::uint64_t kNegativeMax = std::numeric_limits<std::int64_t>::max();
        constexpr std::uint64_t kFalse = 20;
        constexpr std::uint64_t kNull = 22;
        switch (head.type) {
        case MajorType::Unsigned: return true;
        case MajorType::Negative: return head.argument <= kNegativeMax;
        case MajorType::Bytes: return skip(head.argument);
        case MajorType::Text: return skipText(head.argument);
        case MajorType::Array: return enter(head.argument, 1);
        case MajorType::Map: return enter(head.argument, 2);
        case MajorType::Tag: return skipTagged();
        case MajorType::Simple: return head.argument >= kFalse && head.argument <= kNull;
        }
        return false;
    }

    bool skip(std::uint64_t length)
    {
        const bool isThere = length <= left();
        m_place += isThere ? static_cast<std::size_t>(length) : 0;
        return isThere;
    }

    bool skipText(std::uint64_t length)
    {
        const std::size_t begin = m_place;
        return skip(length) && isUtf8(m_bytes.substr(begin, m_place - begin));
    }

    bool skipTagged()
    {
        const std::optional<ItemHead> tagged = nextHead();
        return tagged && tagged->type == MajorType::Bytes && skip(tagged->argument);
    }

    /// No item takes less than a byte.
    bool enter(std::uint64_t count, std::size_t itemsEach)
    {
        if (count > left() / itemsEach || m_missing.size() > kDepthMax) {
            return false;
        }
        m_missing.push_back(count * itemsEach);
        return true;
    }

    std::string_view m_bytes;
    std::size_t m_place = 0;
    std::vector<std::uint64_t> m_missing{1}; // items, per level that was begun
};

/// Columns 1 and up, as in texts.
FileError damagedAt(std::size_t place)
{
    constexpr std::size_t kColumnMax = std::numeric_limits<int>::max();
    return {0,
            static_cast<int>(std::min(place + 1, kColumnMax)),
            KernelText::tr("The file is damaged or ends too early."),
            {}};
}

void makeReadable(Json& value)
{
    if (value.is_string()) {
        value = readable(value.get_ref<const std::string&>());
    } else if (value.is_structured()) {
        for (Json& element : value) {
            makeReadable(element);
        }
    }
}

} // namespace

std::string cborText(Json content)
{
    makeReadable(content);
    std::string bytes(kSelfDescription);
    Json::to_cbor(content, bytes);
    return bytes;
}

bool isCbor(std::string_view bytes)
{
    return bytes.starts_with(kSelfDescription);
}

std::optional<FileError> readCborFile(std::string_view bytes,
                                      const std::function<void(const nlohmann::json&)>& read)
{
    if (!isCbor(bytes)) {
        return damagedAt(0);
    }
    const std::string_view content = bytes.substr(kSelfDescription.size());
    SoundnessCheck check(content);
    if (!check.isSound()) {
        return damagedAt(kSelfDescription.size() + check.place());
    }
    try {
        read(nlohmann::json::from_cbor(content, true, true,
                                       nlohmann::json::cbor_tag_handler_t::store));
    } catch (const nlohmann::json::parse_error& error) { // a member whose name is no text
        return damagedAt(kSelfDescription.size() + error.byte);
    } catch (const protocol::FileFault& fault) {
        return FileError{0, 0, fault.reason, fault.path};
    }
    return std::nullopt;
}

} // namespace lockscope::report
