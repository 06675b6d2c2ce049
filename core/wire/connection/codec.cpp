#include "core/wire/connection/codec.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/store/limits.h"

#include <hiredis.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <utility>

namespace lockscope::wire {

using store::Reply;
namespace limits = store::limits;

namespace {

constexpr std::string_view kLineEnd = "\r\n";
/// Kept from one feeding to the next; what a large reply left behind is given back.
constexpr std::size_t kIdleInputBytes = 16 * limits::kKiB;
/// Reserved before the elements come: an announcement costs its sender nothing.
constexpr std::size_t kElementsReserved = 1024;

std::optional<std::int64_t> numberIn(std::string_view digits)
{
    std::int64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

} // namespace

void appendEncoded(std::string& out, const store::Command& command)
{
    std::vector<const char*> words;
    std::vector<std::size_t> lengths;
    words.reserve(command.words.size());
    lengths.reserve(command.words.size());
    for (const Bytes& word : command.words) {
        words.push_back(word.data());
        lengths.push_back(word.size());
    }
    char* encoded = nullptr;
    // redisFormatCommandArgv() says the same, with a sprintf() for every word.
    const auto length = redisFormatSdsCommandArgv(&encoded, static_cast<int>(words.size()),
                                                  words.data(), lengths.data());
    if (length < 0) {
        throw std::bad_alloc();
    }
    out.append(encoded, static_cast<std::size_t>(length));
    redisFreeSdsCommand(encoded);
}

void ReplyReader::feed(std::string_view bytes)
{
    if (!m_error.empty()) {
        return;
    }
    m_input.erase(0, std::exchange(m_readCount, 0));
    if (m_input.empty() && m_input.capacity() > kIdleInputBytes) {
        m_input = {};
    }
    m_input += bytes;
}

std::optional<Reply> ReplyReader::next()
{
    while (m_error.empty() && (m_string ? takeString() : takeLine())) {
        if (m_finished) {
            m_lastReplyBytes = std::exchange(m_replyBytes, 0);
            return std::exchange(m_finished, std::nullopt);
        }
    }
    return std::nullopt;
}

bool ReplyReader::takeLine()
{
    const std::string_view input = unread();
    if (input.empty()) {
        return false;
    }
    const char type = input.front();
    if (std::string_view("+-:$*").find(type) == std::string_view::npos) {
        return fail("no reply begins with \"" + escaped(input.substr(0, 1)) + '"');
    }
    const std::size_t end = input.substr(0, limits::kLineBytesMax).find(kLineEnd);
    if (end == std::string_view::npos) {
        return input.size() >= limits::kLineBytesMax
               && failByLimit("a line of more than " + limits::sizeText(limits::kLineBytesMax));
    }
    const std::string_view text = input.substr(1, end - 1);
    m_readCount += end + kLineEnd.size();
    switch (type) {
    case '+': return finish(Reply::ofStatus(std::string(text)), text.size());
    case '-':
        return finish(Reply::ofError(std::string(text.substr(0, limits::kErrorTextBytesMax))),
                      text.size());
    default: return takeHeader(type, text);
    }
}

bool ReplyReader::takeHeader(char type, std::string_view digits)
{
    const std::optional<std::int64_t> number = numberIn(digits);
    if (!number) {
        return fail("a number was expected instead of \"" + escaped(digits.substr(0, 20)) + '"');
    }
    if (type == ':') {
        return finish(Reply::ofInteger(*number), 0);
    }
    if (*number == -1) {
        return finish(Reply(), 0);
    }
    if (*number < 0) {
        return fail("the length " + std::to_string(*number));
    }
    return type == '$' ? openString(*number) : openArray(*number);
}

bool ReplyReader::openString(std::int64_t size)
{
    OpenString string;
    string.size = string.missing = static_cast<std::uint64_t>(size);
    if (string.size > limits::kStringBytesMax) {
        return failByLimit("a string of more than " + limits::sizeText(limits::kStringBytesMax));
    }
    const std::size_t whole = m_arrays.empty() ? limits::kReplyBytesMax : limits::kElementBytesMax;
    string.keptMax = string.size <= whole ? whole : limits::kBeginningBytes;
    const std::string_view input = unread();
    const bool isWhole = string.size <= string.keptMax
                         && input.size() >= string.size + kLineEnd.size();
    if (isWhole && input.substr(string.size, kLineEnd.size()) == kLineEnd) {
        // As nearly all are: there is nothing to gather.
        m_readCount += string.size + kLineEnd.size();
        return finish(Reply::ofBulk(Bytes(input.substr(0, string.size))), string.size);
    }
    m_string = std::move(string);
    return true;
}

bool ReplyReader::takeString()
{
    OpenString& string = *m_string;
    const std::string_view input = unread();
    const std::size_t taken = std::min<std::uint64_t>(input.size(), string.missing);
    string.bytes += input.substr(0, std::min(taken, string.keptMax - string.bytes.size()));
    string.missing -= taken;
    m_readCount += taken;
    const std::string_view end = input.substr(taken, kLineEnd.size());
    if (string.missing > 0 || end.size() < kLineEnd.size()) {
        return false;
    }
    if (end != kLineEnd) {
        return fail("a string is longer than announced");
    }
    m_readCount += kLineEnd.size();
    OpenString whole = std::move(*m_string);
    m_string.reset();
    const std::size_t byteCount = whole.bytes.size();
    return finish(whole.size > whole.keptMax
                      ? Reply::ofOversized(whole.size, std::move(whole.bytes))
                      : Reply::ofBulk(std::move(whole.bytes)),
                  byteCount);
}

bool ReplyReader::openArray(std::int64_t count)
{
    const auto size = static_cast<std::size_t>(count);
    if (size > limits::kElementsMax) {
        return failByLimit("an array of more than " + std::to_string(limits::kElementsMax)
                           + " elements");
    }
    if (size == 0) {
        return finish(Reply::ofArray({}), 0);
    }
    if (m_arrays.size() == limits::kNestingMax) {
        return failByLimit("arrays nested more than " + std::to_string(limits::kNestingMax)
                           + " deep");
    }
    m_replyBytes += sizeof(Reply);
    m_arrays.push_back({size, {}});
    m_arrays.back().items.reserve(std::min(size, kElementsReserved));
    return true;
}

bool ReplyReader::finish(Reply&& item, std::size_t byteCount)
{
    m_replyBytes += sizeof(Reply) + byteCount;
    if (m_replyBytes > limits::kReplyBytesMax + sizeof(Reply)) {
        return failByLimit("a reply of more than " + limits::sizeText(limits::kReplyBytesMax));
    }
    if (m_arrays.empty()) {
        m_finished = std::move(item);
        return true;
    }
    m_arrays.back().items.push_back(std::move(item));
    closeFullArrays();
    return true;
}

void ReplyReader::closeFullArrays()
{
    while (!m_arrays.empty() && m_arrays.back().items.size() == m_arrays.back().count) {
        Reply whole = Reply::ofArray(std::move(m_arrays.back().items));
        m_arrays.pop_back();
        if (m_arrays.empty()) {
            m_finished = std::move(whole);
        } else {
            m_arrays.back().items.push_back(std::move(whole));
        }
    }
}

/// Always false. What was gathered of the reply is of no use any more.
bool ReplyReader::fail(std::string error)
{
    *this = ReplyReader();
    m_error = std::move(error);
    return false;
}

bool ReplyReader::failByLimit(std::string error)
{
    fail(std::move(error));
    m_isOverLimit = true;
    return false;
}

} // namespace lockscope::wire
