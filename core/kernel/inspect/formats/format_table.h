#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/formats/format_file.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

class FormatTable;
using FormatTablePtr = std::shared_ptr<const FormatTable>;

/// Every format that is recognised: the user's own, then those that are built in, and what the user
/// says of some names. Never changes; when the user changes a file, there is a new table. Locks
/// refer to the texts of the table they were read by, so a table keeps the one before it.
class FormatTable {
public:
    /// `previous` is null for the first one.
    FormatTable(std::vector<FormatFile> own, std::vector<Treatment> treatments,
                FormatTablePtr previous);
    FormatTable(const FormatTable&) = delete; // decoders refer to the formats
    FormatTable& operator=(const FormatTable&) = delete;

    std::span<const Decoder> decoders() const { return m_decoders; }
    Recognisers recognisers() const { return {m_decoders, m_treatments}; }

    /// This table, with one more thing that the user says, which comes first.
    FormatTablePtr treating(Treatment newest) const;

    /// A format with this id is the user's own, or was.
    bool isOwn(std::string_view formatId) const;
    /// The user's formats or treatments say that keys with this name may be locks. Called for a
    /// million names per sweep: allocates nothing.
    bool namesLock(std::string_view key) const;
    /// The user says that keys with this name are no locks. Called as often.
    bool isNoLock(std::string_view key) const;
    /// The names that namesLock() knows, as glob patterns.
    std::vector<std::string> lockNames() const;

private:
    std::vector<FormatFile> m_own;
    std::vector<Treatment> m_treatments;
    FormatTablePtr m_previous;
    std::vector<Decoder> m_decoders;
    std::vector<const KeyPattern*> m_ownNames; // those that are more than a form of the token
};

/// The formats that are built in, and nothing else.
const FormatTablePtr& builtinFormatTable();

} // namespace lockscope::inspect
