#include "codec.h"

#include <hiredis.h>

#include <new>
#include <utility>

namespace lockscope::wire {

namespace {

using store::Reply;

/// More elements than any reply we ask for: a length beyond it is nonsense that must not allocate
/// memory.
constexpr long long kElementsMax = 1'000'000;

/// Where the reply under construction belongs: into its parent's array, or on the heap as the root.
void* place(const redisReadTask* task, Reply reply)
{
    if (task->parent == nullptr) {
        return new (std::nothrow) Reply(std::move(reply));
    }
    auto& parent = *static_cast<Reply*>(task->parent->obj);
    Reply& slot = std::get<Reply::Array>(parent.value())[static_cast<std::size_t>(task->idx)];
    slot = std::move(reply);
    return &slot;
}

void* createString(const redisReadTask* task, char* bytes, std::size_t length)
{
    std::string text(bytes, length);
    switch (task->type) {
    case REDIS_REPLY_ERROR: return place(task, Reply::ofError(std::move(text)));
    case REDIS_REPLY_STATUS: return place(task, Reply::ofStatus(std::move(text)));
    default: return place(task, Reply::ofBulk(std::move(text)));
    }
}

// The type of the element count differs between hiredis 0.14 (int) and 1.x (size_t).
template<class Count>
void* createArray(const redisReadTask* task, Count elements)
{
    if (static_cast<long long>(elements) > kElementsMax) {
        return nullptr;
    }
    return place(task, Reply::ofArray(Reply::Array(static_cast<std::size_t>(elements))));
}

void* createInteger(const redisReadTask* task, long long value)
{
    return place(task, Reply::ofInteger(value));
}

void* createNil(const redisReadTask* task)
{
    return place(task, Reply());
}

void freeReply(void* reply)
{
    delete static_cast<Reply*>(reply);
}

redisReplyObjectFunctions* replyFunctions()
{
    static redisReplyObjectFunctions functions = [] {
        redisReplyObjectFunctions f{};
        f.createString = createString;
        f.createArray = createArray;
        f.createInteger = createInteger;
        f.createNil = createNil;
        f.freeObject = freeReply;
#if HIREDIS_MAJOR >= 1
        // Types of RESP3, which nobody asked for: refused as hiredis 0.14 does, which does not know
        // them.
        f.createDouble = [](const redisReadTask*, double, char*, std::size_t) -> void* {
            return nullptr;
        };
        f.createBool = [](const redisReadTask*, int) -> void* { return nullptr; };
#endif
        return f;
    }();
    return &functions;
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
    const auto length = redisFormatCommandArgv(&encoded, static_cast<int>(words.size()),
                                               words.data(), lengths.data());
    if (length < 0) {
        throw std::bad_alloc();
    }
    out.append(encoded, static_cast<std::size_t>(length));
    redisFreeCommand(encoded);
}

struct ReplyReader::Reader {
    redisReader* raw = redisReaderCreateWithFunctions(replyFunctions());
    Reader()
    {
        if (raw == nullptr) {
            throw std::bad_alloc();
        }
    }
    ~Reader() { redisReaderFree(raw); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
};

ReplyReader::ReplyReader() : m_reader(std::make_unique<Reader>())
{}
ReplyReader::~ReplyReader() = default;
ReplyReader::ReplyReader(ReplyReader&&) noexcept = default;
ReplyReader& ReplyReader::operator=(ReplyReader&&) noexcept = default;

void ReplyReader::feed(std::string_view bytes)
{
    if (m_error.empty() && redisReaderFeed(m_reader->raw, bytes.data(), bytes.size()) != REDIS_OK) {
        m_error = m_reader->raw->errstr;
    }
}

std::optional<Reply> ReplyReader::next()
{
    if (!m_error.empty()) {
        return std::nullopt;
    }
    void* complete = nullptr;
    if (redisReaderGetReply(m_reader->raw, &complete) != REDIS_OK) {
        m_error = m_reader->raw->errstr;
        return std::nullopt;
    }
    if (complete == nullptr) {
        return std::nullopt;
    }
    const std::unique_ptr<Reply> reply(static_cast<Reply*>(complete));
    return std::move(*reply);
}

} // namespace lockscope::wire
