#pragma once

#include "core/kernel/store/problem.h"

namespace lockscope::protocol {

/// The server was reached, and answered with an error.
inline bool isErrorReply(const store::Problem& problem)
{
    using Kind = store::Problem::Kind;
    switch (problem.kind) {
    case Kind::PasswordWrong:
    case Kind::PasswordNeeded:
    case Kind::NoPermission:
    case Kind::NoSuchDatabase:
    case Kind::Loading:
    case Kind::ReplicaReadOnly:
    case Kind::ServerRefused: return true;
    default: return false;
    }
}

} // namespace lockscope::protocol
