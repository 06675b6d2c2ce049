#include "core/kernel/protocol/json_places.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace lockscope::protocol {

using nlohmann::json;

namespace {

/// Walks through the text and tells how far the parser has read.
class CountingReader {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingReader(const char* at, std::size_t& readCount) : m_at(at), m_readCount(&readCount) {}

    reference operator*() const { return *m_at; }
    CountingReader& operator++()
    {
        ++m_at;
        ++*m_readCount;
        return *this;
    }
    friend bool operator==(const CountingReader& a, const CountingReader& b)
    {
        return a.m_at == b.m_at;
    }

private:
    const char* m_at;
    std::size_t* m_readCount;
};

bool isInWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.';
}

/// Whether the quote sign at `at` is one of the text's own, behind a backslash.
bool isEscaped(std::string_view text, std::size_t at)
{
    std::size_t backslashes = 0;
    while (backslashes < at && text[at - 1 - backslashes] == '\\') {
        ++backslashes;
    }
    return backslashes % 2 == 1;
}

/// Where the token begins of which `end` is just behind the last byte, or one further: of a number
/// the parser has to read what follows to know that it is over.
std::size_t beginOfToken(std::string_view text, std::size_t end)
{
    std::size_t at = end - 1;
    if (text[at] == '{' || text[at] == '[') {
        return at;
    }
    if (text[at] == '"') {
        do {
            at = text.rfind('"', at - 1);
        } while (isEscaped(text, at));
        return at;
    }
    while (!isInWord(text[at])) {
        --at;
    }
    while (at > 0 && isInWord(text[at - 1])) {
        --at;
    }
    return at;
}

} // namespace

/// Hears from the parser what it has found, and notes where.
class PlaceRecorder final : public nlohmann::json_sax<json> {
public:
    PlaceRecorder(JsonPlaces& places, const std::size_t& readCount)
        : m_places(places),
          m_readCount(readCount)
    {}

    bool null() override { return noteElement(); }
    bool boolean(bool) override { return noteElement(); }
    bool number_integer(number_integer_t) override { return noteElement(); }
    bool number_unsigned(number_unsigned_t) override { return noteElement(); }
    bool number_float(number_float_t, const string_t&) override { return noteElement(); }
    bool string(string_t&) override { return noteElement(); }
    bool binary(binary_t&) override { return noteElement(); }

    bool start_object(std::size_t) override { return open(false); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override
    {
        m_frames.back().current = name;
        note();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const json::exception&) override
    {
        return false;
    }

private:
    struct Frame {
        bool isArray = false;
        std::size_t nextIndex = 0;
        std::string current; // the member or element that is being read
    };

    bool open(bool isArray)
    {
        noteElement();
        Frame frame;
        frame.isArray = isArray;
        m_frames.push_back(std::move(frame));
        return true;
    }
    bool close()
    {
        m_frames.pop_back();
        return true;
    }

    bool noteElement()
    {
        if (!m_frames.empty() && m_frames.back().isArray) {
            Frame& array = m_frames.back();
            array.current = std::to_string(array.nextIndex++);
            note();
        }
        return true;
    }

    void note()
    {
        std::string path;
        for (const Frame& frame : m_frames) {
            path.append("/").append(frame.current);
        }
        const std::size_t offset = beginOfToken(m_places.m_text, m_readCount);
        const bool isNew = m_places.m_offsets.emplace(path, offset).second;
        if (!isNew && !m_places.m_repeated) {
            m_places.m_repeated = std::move(path);
            m_places.m_repeatedOffset = offset;
        }
    }

    JsonPlaces& m_places;
    const std::size_t& m_readCount;
    std::vector<Frame> m_frames;
};

TextPlace placeAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const std::size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0
    TextPlace place;
    place.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    place.column += static_cast<int>(before.size() - lineBegin);
    return place;
}

JsonPlaces::JsonPlaces(std::string_view text) : m_text(text)
{
    std::size_t readCount = 0;
    PlaceRecorder recorder(*this, readCount);
    json::sax_parse(CountingReader(text.data(), readCount),
                    CountingReader(text.data() + text.size(), readCount), &recorder);
}

TextPlace JsonPlaces::of(std::string path) const
{
    while (!path.empty()) {
        const auto found = m_offsets.find(path);
        if (found != m_offsets.end()) {
            return placeAt(m_text, found->second);
        }
        path.resize(path.rfind('/'));
    }
    return placeAt(m_text, std::min(m_text.find('{'), m_text.size()));
}

} // namespace lockscope::protocol
