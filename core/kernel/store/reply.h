#pragma once

#include "core/kernel/base/bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::store {

/// A simple string such as OK.
struct Status {
    std::string text;
    friend bool operator==(const Status&, const Status&) = default;
};

/// What the server answered instead of a result: "NOPERM …", "WRONGTYPE …".
struct ServerError {
    std::string text;

    /// The first word, which Redis uses as the kind of error: "NOPERM", "ERR", "READONLY".
    std::string_view code() const;
    friend bool operator==(const ServerError&, const ServerError&) = default;
};

struct Nil {
    friend bool operator==(const Nil&, const Nil&) = default;
};

/// A string that was too long to be taken (see limits.h): it was read past. Code that wants a text
/// treats it as none.
struct Oversized {
    std::uint64_t size = 0; // bytes
    Bytes beginning;        // the first of them
    friend bool operator==(const Oversized&, const Oversized&) = default;
};

/// One RESP2 reply.
class Reply {
public:
    using Array = std::vector<Reply>;
    using Value = std::variant<Nil, std::int64_t, Bytes, Status, ServerError, Array, Oversized>;

    Reply() = default;
    explicit Reply(Value value) : m_value(std::move(value)) {}

    static Reply ofInteger(std::int64_t n) { return Reply(Value(n)); }
    static Reply ofBulk(Bytes bytes) { return Reply(Value(std::move(bytes))); }
    static Reply ofStatus(std::string text) { return Reply(Value(Status{std::move(text)})); }
    static Reply ofError(std::string text) { return Reply(Value(ServerError{std::move(text)})); }
    static Reply ofArray(Array items) { return Reply(Value(std::move(items))); }

    static Reply ofOversized(std::uint64_t size, Bytes beginning)
    {
        return Reply(Value(Oversized{size, std::move(beginning)}));
    }

    const Value& value() const { return m_value; }
    Value& value() { return m_value; }

    bool isNil() const { return std::holds_alternative<Nil>(m_value); }
    bool isError() const { return std::holds_alternative<ServerError>(m_value); }
    const ServerError* error() const { return std::get_if<ServerError>(&m_value); }
    const Oversized* oversized() const { return std::get_if<Oversized>(&m_value); }
    const Array* array() const { return std::get_if<Array>(&m_value); }

    /// The number, or nullopt when the reply is none. A bulk string of digits is not a number here.
    std::optional<std::int64_t> integer() const;

    /// The bytes of a bulk or simple string; nullptr for everything else.
    const std::string* text() const;

    friend bool operator==(const Reply&, const Reply&) = default;

private:
    Value m_value;
};

/// Equal for equal replies. See ContentHash.
std::uint64_t contentHashOf(const Reply& reply);

} // namespace lockscope::store
