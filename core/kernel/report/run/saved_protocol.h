#pragma once

#include "core/kernel/protocol/file_section.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/report/lock_json.h"

#include <memory>
#include <string>

namespace lockscope::report {

/// A protocol that can be written into a file so that the file needs nothing else; or, of a run
/// that is only looked at, the real client that it was.
struct SavedProtocol {
    std::shared_ptr<const protocol::LockProtocol> protocol; // built-in ones without owning
    std::string ownText; // the whole file of a user's protocol; empty: a built-in one

    /// From the catalogue; without a protocol when it has none of that id.
    static SavedProtocol builtin(std::string_view id);

    /// Somebody else's program, which has no protocol of ours. `command` started it.
    static SavedProtocol client(std::string command);

    const protocol::ProtocolInfo& info() const
    {
        return realClient ? *realClient : protocol->info();
    }

    /// nullptr: a protocol.
    std::shared_ptr<const protocol::ProtocolInfo> realClient = nullptr;
};

/// The id of a built-in one, or the object that a user's file is.
Json savedProtocolJson(const SavedProtocol& saved);

/// The member "protocol" of a file. Throws a protocol::FileFault.
SavedProtocol readSavedProtocol(const protocol::FileSection& file);
/// The same of a run, which may also be that of a real client.
SavedProtocol readSavedSubject(const protocol::FileSection& file);

} // namespace lockscope::report
