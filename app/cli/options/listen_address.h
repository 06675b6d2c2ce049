#pragma once

#include <QHostAddress>

#include <cstdint>
#include <string>

namespace lockscope::cli {

/// Where a program waits for connections.
struct ListenAddress {
    QHostAddress host = QHostAddress(QHostAddress::LocalHost);
    std::uint16_t port = 0; // 0: one that is free

    /// "127.0.0.1:9469", "[::1]:9469"
    std::string text() const;
};

/// Reads "127.0.0.1:9469", "[::1]:9469" or "localhost:9469". Other names are not looked up: what is
/// reachable from outside is written as the address that it is. What is wrong, for the user; empty:
/// nothing, and `address` was set.
std::string readListenAddress(const std::string& text, ListenAddress& address);

} // namespace lockscope::cli
