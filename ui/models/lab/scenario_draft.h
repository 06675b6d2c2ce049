#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/world/world_plan.h"
#include "ui/models/kept_texts.h"
#include "ui/models/lab/scenario_fields.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace lockscope::models {

/// A kind of fault that is switched on, as it was typed.
struct FaultDraft {
    QString amount; // empty: what is usual for the lease
    QString count;  // in one run; empty: one

    friend bool operator==(const FaultDraft&, const FaultDraft&) = default;
};

using FaultDrafts = std::map<world::FaultKind, FaultDraft>;

/// What of a draft is not as usual: what has to be kept to have it again.
struct ScenarioEdits {
    KeptTexts texts; // of the fields, by their names
    QString plan;    // JSON, for what no field says; empty: as usual
    bool hasOwnClients = false;

    friend bool operator==(const ScenarioEdits&, const ScenarioEdits&) = default;
};

/// A scenario as it was typed. What the form does not ask for (who cannot reach which server, how
/// renewals behave) is as in the plan that the draft began with.
class ScenarioDraft {
public:
    /// Two clients at once, or what the simplest usual shape of the protocol is.
    static ScenarioDraft usual(const protocol::ProtocolInfo& info);
    /// As the plan has it. `faults` receives what the plan lets go wrong.
    static ScenarioDraft of(const world::WorldPlan& plan, FaultDrafts& faults);

    QString text(ScenarioField field) const;
    void setText(ScenarioField field, const QString& text) { m_texts[field] = text; }

    /// Turns what `before` had into what `after` has; what was typed by hand stays.
    void adoptDefaults(const ScenarioDraft& before, const ScenarioDraft& after);

    /// What apply() on `usual` makes this draft of.
    ScenarioEdits editsOf(const ScenarioDraft& usual) const;
    /// What cannot be understood stays as it is.
    void apply(const ScenarioEdits& edits);

    const world::WorldPlan& base() const { return m_base; }
    void setName(const QString& name) { m_base.name = name.toStdString(); }

    /// Whether the clients do what no fields can say: they are kept as the plan has them.
    bool hasOwnClients() const { return m_hasOwnClients; }
    void forgetOwnClients() { m_hasOwnClients = false; }

private:
    void write(const SimulatedWorkload& workload);

    std::map<ScenarioField, QString> m_texts;
    world::WorldPlan m_base;
    bool m_hasOwnClients = false;
};

/// Whether a field means anything for this protocol and the rest of the draft.
bool appliesTo(ScenarioField field, const ScenarioDraft& draft, const protocol::ProtocolInfo& info);

/// A draft that was read.
struct ParsedScenario {
    struct Complaint {
        std::optional<ScenarioField> field;    // nullopt: about a fault, or about the whole
        std::optional<world::FaultKind> fault; // likewise
        QString text;
    };

    world::WorldPlan plan;
    std::vector<Complaint> complaints; // empty: it can be searched

    /// What is wrong with one field or fault; empty when nothing is.
    QString complaintAt(ScenarioField field) const;
    QString complaintAt(world::FaultKind fault) const;
    /// What is wrong with the whole, a line each.
    QString generalComplaints() const;
};

/// `faults`: what is switched on.
ParsedScenario readScenarioDraft(const ScenarioDraft& draft, const FaultDrafts& faults,
                                 const protocol::ProtocolInfo& info);

} // namespace lockscope::models
