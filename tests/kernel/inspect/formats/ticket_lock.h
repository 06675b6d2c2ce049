#pragma once

#include <string_view>

namespace lockscope::testing {

/// A library that the program does not know.
inline constexpr std::string_view kTicketLock = R"({
  "id": "ticket-lock",
  "library": "ticketlock",
  "summary": "The lock of ticketlock.",
  "keys": ["ticket:*:held"],
  "values": ["{host=text}#{digits-4}"],
  "confidence": "high",
  "token": "process",
  "hazards": ["blind-delete"],
  "push": {"list": "ticket:*:wake", "element": "go", "expiry": "2s"}
})";

} // namespace lockscope::testing
