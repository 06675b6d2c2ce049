#pragma once

#include "core/kernel/store/reply.h"

#include <cstdint>
#include <span>
#include <string>

namespace lockscope::store {

/// The version of the protocol in which a connection is spoken to.
enum class Protocol : std::uint8_t { Resp2 = 2, Resp3 = 3 };

/// What a reply means that RESP2 sends as an array, a text or nil like any other, and RESP3 as a
/// type of its own. It says nothing of numbers, statuses and errors, which are what they are.
enum class ReplyShape : std::uint8_t {
    Plain,
    Array,         // like Plain, but in place of nil comes an array that is none
    Map,           // names and values in turn
    Set,           // of whatever
    Push,          // comes without having been asked for
    Verbatim,      // a text for people
    Double,        // a number as a text
    Doubles,       // several of them
    ScoredMember,  // the last of the items is a Double
    ScoredMembers, // members and scores in turn; RESP3 has an array for each pair
    Commands,      // what COMMAND says: in every item, the arrays are sets
    Transaction,   // of replies that have a shape each
};

/// How a reply is sent.
struct ReplyForm {
    Protocol protocol = Protocol::Resp2;
    ReplyShape shape = ReplyShape::Plain;
    std::span<const ReplyShape> itemShapes = {}; // of a Transaction; Plain where they end
};

/// Appends the bytes with which a server sends the reply. A line feed inside a status or an error,
/// which would end it too early, becomes a space, as in Redis. A reply that was too long to be
/// taken is sent with what is left of it.
void appendEncoded(std::string& out, const Reply& reply, const ReplyForm& form);

/// The same in RESP2, and Plain.
void appendEncoded(std::string& out, const Reply& reply);

} // namespace lockscope::store
