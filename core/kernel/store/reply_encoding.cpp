#include "core/kernel/store/reply_encoding.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <variant>

namespace lockscope::store {

namespace {

constexpr std::string_view kEndOfLine = "\r\n";

/// A type, its number and the end of the line.
void appendHead(std::string& out, char type, std::size_t number)
{
    out += type;
    out += std::to_string(number);
    out += kEndOfLine;
}

/// As addReplyErrorFormat() in Redis' networking.c.
void appendLine(std::string& out, char type, std::string_view text)
{
    out += type;
    std::ranges::transform(text, std::back_inserter(out),
                           [](char c) { return c == '\r' || c == '\n' ? ' ' : c; });
    out += kEndOfLine;
}

void appendBulk(std::string& out, std::string_view bytes)
{
    appendHead(out, '$', bytes.size());
    out += bytes;
    out += kEndOfLine;
}

bool isOfItems(ReplyShape shape)
{
    switch (shape) {
    case ReplyShape::Plain:
    case ReplyShape::Verbatim:
    case ReplyShape::Double: return false;
    default: return true;
    }
}

/// Sends one reply, and through others what is inside.
class Encoder {
public:
    Encoder(std::string& out, const ReplyForm& form) : m_out(out), m_form(form) {}

    void operator()(const Nil&) const;
    void operator()(std::int64_t number) const;
    void operator()(const Bytes& bytes) const;
    void operator()(const Status& status) const { appendLine(m_out, '+', status.text); }
    void operator()(const ServerError& error) const { appendLine(m_out, '-', error.text); }
    void operator()(const Oversized& oversized) const { (*this)(oversized.beginning); }
    void operator()(const Reply::Array& items) const;

private:
    bool isResp3() const { return m_form.protocol == Protocol::Resp3; }
    void appendItem(const Reply& item, ReplyShape shape) const
    {
        appendEncoded(m_out, item, {m_form.protocol, shape});
    }
    void appendHeadOf(std::size_t itemCount) const;
    ReplyShape shapeOfItem(std::size_t index, std::size_t count) const;
    void appendPairs(const Reply::Array& items) const;
    void appendCommand(const Reply& command) const;

    std::string& m_out;
    const ReplyForm& m_form;
};

void Encoder::operator()(const Nil&) const
{
    if (isResp3()) {
        m_out += "_\r\n";
    } else {
        m_out += isOfItems(m_form.shape) ? "*-1\r\n" : "$-1\r\n";
    }
}

void Encoder::operator()(std::int64_t number) const
{
    m_out += ':';
    m_out += std::to_string(number);
    m_out += kEndOfLine;
}

void Encoder::operator()(const Bytes& bytes) const
{
    if (isResp3() && m_form.shape == ReplyShape::Double) {
        appendLine(m_out, ',', bytes);
    } else if (isResp3() && m_form.shape == ReplyShape::Verbatim) {
        constexpr std::string_view kFormat = "txt:";
        appendHead(m_out, '=', kFormat.size() + bytes.size());
        m_out += kFormat;
        m_out += bytes;
        m_out += kEndOfLine;
    } else {
        appendBulk(m_out, bytes);
    }
}

void Encoder::operator()(const Reply::Array& items) const
{
    if (isResp3() && m_form.shape == ReplyShape::ScoredMembers) {
        appendPairs(items);
        return;
    }
    appendHeadOf(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (m_form.shape == ReplyShape::Commands) {
            appendCommand(items[i]);
        } else {
            appendItem(items[i], shapeOfItem(i, items.size()));
        }
    }
}

void Encoder::appendHeadOf(std::size_t itemCount) const
{
    if (isResp3() && m_form.shape == ReplyShape::Map) {
        appendHead(m_out, '%', itemCount / 2);
    } else if (isResp3() && m_form.shape == ReplyShape::Set) {
        appendHead(m_out, '~', itemCount);
    } else {
        appendHead(m_out, isResp3() && m_form.shape == ReplyShape::Push ? '>' : '*', itemCount);
    }
}

ReplyShape Encoder::shapeOfItem(std::size_t index, std::size_t count) const
{
    switch (m_form.shape) {
    case ReplyShape::Doubles: return ReplyShape::Double;
    case ReplyShape::ScoredMember:
        return index + 1 == count ? ReplyShape::Double : ReplyShape::Plain;
    case ReplyShape::Transaction:
        return index < m_form.itemShapes.size() ? m_form.itemShapes[index] : ReplyShape::Plain;
    default: return ReplyShape::Plain;
    }
}

void Encoder::appendPairs(const Reply::Array& items) const
{
    appendHead(m_out, '*', items.size() / 2);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        appendHead(m_out, '*', 2);
        appendItem(items[i], ReplyShape::Plain);
        appendItem(items[i + 1], ReplyShape::Double);
    }
}

void Encoder::appendCommand(const Reply& command) const
{
    const Reply::Array* const facts = command.array();
    if (facts == nullptr) {
        appendItem(command, ReplyShape::Plain);
        return;
    }
    appendHead(m_out, '*', facts->size());
    for (const Reply& fact : *facts) {
        appendItem(fact, fact.array() != nullptr ? ReplyShape::Set : ReplyShape::Plain);
    }
}

} // namespace

void appendEncoded(std::string& out, const Reply& reply, const ReplyForm& form)
{
    std::visit(Encoder(out, form), reply.value());
}

void appendEncoded(std::string& out, const Reply& reply)
{
    appendEncoded(out, reply, ReplyForm());
}

} // namespace lockscope::store
