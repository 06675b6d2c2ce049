#pragma once

#include "core/kernel/workload/run_parameters.h"
#include "ui/models/kept_texts.h"

#include <QString>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::models {

/// Fields of the form that are not a parameter of the scenario, but of how it is run.
constexpr std::string_view kThreadsField = "threads";
constexpr std::string_view kPrivateServersField = "private";

/// The form of a live run as it was typed: every field is a text, the way the command line takes
/// it. Fields are named like the options of the command line.
class ContendDraft {
public:
    /// What suits a protocol and a kind of scenario. Hot standby and draw begin with numbers that
    /// show something: many takeovers in one run, a crowd at the draw.
    static ContendDraft withDefaults(const protocol::ProtocolInfo& info,
                                     workload::Scenario::Kind kind);

    QString text(std::string_view field) const;
    void setText(std::string_view field, const QString& text);

    /// Turns the defaults of `before` into those of `after`; what was typed by hand stays.
    void adoptDefaults(const ContendDraft& before, const ContendDraft& after);

    /// The texts that differ from those of `usual`.
    KeptTexts editsOf(const ContendDraft& usual) const;
    /// Those of the fields that are known.
    void apply(const KeptTexts& edits);

    /// Contention when the text is none of the kinds.
    workload::Scenario::Kind kind() const;

private:
    std::map<std::string, QString, std::less<>> m_texts;
};

/// Where a run is to take place, as far as the form needs to know.
struct ContendPlace {
    bool isPrivate = true;
};

/// A draft that was read. What does not apply has its default in the scenario.
struct ParsedDraft {
    struct Complaint {
        std::string_view field; // empty: about the whole
        QString text;
    };

    workload::Scenario scenario;
    int threadCount = 2;
    int privateServerCount = 1;
    std::set<std::string_view> fields; // that mean anything for the protocol and the scenario
    std::vector<Complaint> complaints; // empty: it can run

    /// What is wrong with one field; empty when nothing is.
    QString complaintAt(std::string_view field) const;
};

ParsedDraft readDraft(const ContendDraft& draft, const protocol::ProtocolInfo& info,
                      ContendPlace place, workload::RunPurpose purpose = workload::RunPurpose::Run);

} // namespace lockscope::models
