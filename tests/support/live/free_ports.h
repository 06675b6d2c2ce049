#pragma once

#include <QHostAddress>
#include <QTcpServer>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lockscope::testing {

/// Ports of the loopback interface that were free a moment ago, all different: a port asked for
/// after another may be the same one as long as nothing listens on that.
inline std::vector<std::uint16_t> freePorts(std::size_t count)
{
    std::vector<std::unique_ptr<QTcpServer>> probes;
    std::vector<std::uint16_t> ports;
    for (std::size_t i = 0; i < count; ++i) {
        probes.push_back(std::make_unique<QTcpServer>());
        probes.back()->listen(QHostAddress::LocalHost, 0);
        ports.push_back(probes.back()->serverPort());
    }
    return ports;
}

inline std::uint16_t freePort()
{
    return freePorts(1).front();
}

} // namespace lockscope::testing
