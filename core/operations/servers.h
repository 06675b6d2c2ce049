#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/store.h"

#include <cstddef>
#include <memory>
#include <string>

namespace lockscope::operations {

/// The servers in use. Their numbers are those of LockId::server. Runs on one
/// executor.
class Servers {
public:
    virtual ~Servers() = default;

    virtual std::size_t count() const = 0;
    virtual const store::Endpoint& endpoint(std::size_t server) const = 0;

    /// Of a server that exists. It may still be connecting: see Store::whenSettled().
    virtual store::Store& store(std::size_t server) = 0;

    /// With Sentinels, the address of the master that store() is connected to; empty while it is
    /// not connected, and for a server that is named itself.
    virtual std::string node(std::size_t) const { return {}; }

    /// One more, for a single purpose.
    virtual std::shared_ptr<store::Store> connectAgain(std::size_t server) = 0;
};

} // namespace lockscope::operations
