#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/workload/scenario.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace lockscope::models {

/// What the form of a live run asks for, besides the protocol and the server.
enum class ContendField {
    Kind, // "contention", "hot-standby", "draw"
    Contenders,
    Keys,
    Think, // a distribution: "10ms", "5ms..20ms", "~20ms"
    Hold,  // likewise
    Duration,
    ReadShare, // "20%"
    ReentryDepth,
    Permits,
    Lease,
    WaitLimit,
    Renewal, // "off", or how often
    CrashShare,
    PauseShare,
    PauseLength, // empty: one and a half leases
    RetryKind,   // "fixed", "exponential"
    RetryInterval,
    RetryIntervalMax,
    RetryJitter,
    RetryTries, // empty: until the wait limit
    Threads,
    PrivateServers,
    Seed,
    FieldCount
};

constexpr auto kContendFieldCount = static_cast<std::size_t>(ContendField::FieldCount);

/// The form of a live run as it was typed: every field is a text, the way the command line takes
/// it.
class ContendDraft {
public:
    /// What suits a protocol and a kind of scenario. Hot standby and draw begin with numbers that
    /// show something: many takeovers in one run, a crowd at the draw.
    static ContendDraft withDefaults(const protocol::ProtocolInfo& info,
                                     workload::Scenario::Kind kind);

    const QString& text(ContendField field) const { return m_texts[indexOf(field)]; }
    void setText(ContendField field, const QString& text) { m_texts[indexOf(field)] = text; }

    /// Turns the defaults of `before` into those of `after`; what was typed by hand stays.
    void adoptDefaults(const ContendDraft& before, const ContendDraft& after);

    /// Contention when the text is none of the kinds.
    workload::Scenario::Kind kind() const;

private:
    static std::size_t indexOf(ContendField field) { return static_cast<std::size_t>(field); }

    std::array<QString, kContendFieldCount> m_texts;
};

/// Where a run is to take place, as far as the form needs to know.
struct ContendPlace {
    bool isPrivate = true;
};

/// Whether a field means anything for this protocol and the rest of the draft.
bool appliesTo(ContendField field, const ContendDraft& draft, const protocol::ProtocolInfo& info,
               ContendPlace place);

/// A draft that was read. What does not apply has its default in the scenario.
struct ParsedDraft {
    struct Complaint {
        std::optional<ContendField> field; // nullopt: about the whole
        QString text;
    };

    workload::Scenario scenario;
    int threadCount = 2;
    int privateServerCount = 1;
    std::vector<Complaint> complaints; // empty: it can run

    /// What is wrong with one field; empty when nothing is.
    QString complaintAt(ContendField field) const;
};

ParsedDraft readDraft(const ContendDraft& draft, const protocol::ProtocolInfo& info,
                      ContendPlace place);

} // namespace lockscope::models
