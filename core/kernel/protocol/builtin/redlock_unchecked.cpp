#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/builtin/quorum.h"

// Redlock as it is often written: a client with the votes believes in the whole lease, however long
// the votes took.
namespace lockscope::protocol::builtin {

const LockProtocol& redlockUnchecked()
{
    static const auto kProtocol = redlockWith("redlock-unchecked", Elapsed::Forgotten);
    return *kProtocol;
}

} // namespace lockscope::protocol::builtin
