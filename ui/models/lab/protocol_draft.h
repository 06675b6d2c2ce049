#pragma once

#include "core/kernel/sim/lua_engine.h"
#include "ui/models/protocol_list_model.h"

#include <QString>

#include <array>
#include <vector>

namespace lockscope::models {

/// What the editor of a lock protocol asks for. The steps are those of docs/own-protocols.md.
enum class ProtocolPart {
    Id,
    Title,
    Summary,
    Settings, // all other members, as they stand in the file
    AcquireScript,
    AcquireMapping, // the members of the step besides its script, as they stand in the file
    RenewScript,
    RenewMapping,
    ReleaseScript,
    ReleaseMapping,
    PartCount
};

constexpr auto kProtocolPartCount = static_cast<std::size_t>(ProtocolPart::PartCount);

/// A lock protocol as it is typed.
class ProtocolDraft {
public:
    /// Of a file that can be read; empty for anything else.
    static ProtocolDraft of(const QString& fileText);

    const QString& text(ProtocolPart part) const { return m_texts[indexOf(part)]; }
    void setText(ProtocolPart part, const QString& text) { m_texts[indexOf(part)] = text; }

    friend bool operator==(const ProtocolDraft&, const ProtocolDraft&) = default;

private:
    static std::size_t indexOf(ProtocolPart part) { return static_cast<std::size_t>(part); }

    std::array<QString, kProtocolPartCount> m_texts;
};

/// Something that is wrong.
struct ProtocolComplaint {
    ProtocolPart part = ProtocolPart::Id;
    int line = 1; // of its text, from 1
    QString text; // one sentence
};

/// A draft that was read.
struct ParsedProtocol {
    ProtocolPtr protocol; // nullptr while something is wrong
    QString fileText;     // of the file that the command line reads
    std::vector<ProtocolComplaint> complaints;

    /// The first thing that is wrong with the part; nullptr: nothing is.
    const ProtocolComplaint* complaintAt(ProtocolPart part) const;
};

/// `lua` looks at the scripts without running them.
ParsedProtocol readProtocolDraft(const ProtocolDraft& draft, sim::LuaEngine& lua);

} // namespace lockscope::models
