#include "tests/support/reply_text.h"

namespace lockscope::testing {

std::string replyText(const store::Reply& reply)
{
    if (const store::Reply::Array* const items = reply.array()) {
        std::string text = "[";
        for (const store::Reply& item : *items) {
            text += (text.size() > 1 ? ", " : "") + replyText(item);
        }
        return text + "]";
    }
    if (const auto number = reply.integer()) {
        return std::to_string(*number);
    }
    if (const store::ServerError* const error = reply.error()) {
        return "-" + escaped(error->text);
    }
    if (const auto* const status = std::get_if<store::Status>(&reply.value())) {
        return "+" + escaped(status->text);
    }
    if (const store::Oversized* const oversized = reply.oversized()) {
        return '"' + escaped(oversized->beginning) + "…\" of " + std::to_string(oversized->size);
    }
    return reply.isNil() ? "nil" : '"' + escaped(*reply.text()) + '"';
}

} // namespace lockscope::testing
