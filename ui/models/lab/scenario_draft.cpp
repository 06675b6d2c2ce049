#include "ui/models/lab/scenario_draft.h"

#include "core/kernel/protocol/json_file.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/world/fault_info.h"
#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using world::FaultKind;
using world::FaultPlan;
using world::WorldPlan;

namespace {

constexpr int kFaultCountMax = 1000;
constexpr Duration kFaultAmountMax = 24h * 366;

QString noneAtAll()
{
    return UiText::tr("0 allows no faults: enter at least 1, or select no fault.");
}

/// Reads one field after the other and collects what is wrong with them.
class Reader {
public:
    Reader(const ScenarioDraft& draft, const FaultDrafts& faults,
           const protocol::ProtocolInfo& info)
        : m_draft(draft),
          m_faults(faults),
          m_info(info)
    {
        m_parsed.plan = draft.base();
    }

    ParsedScenario read()
    {
        readFields();
        readFaults();
        if (m_parsed.complaints.empty()) {
            fitUnreachable();
            if (const auto sentence = report::complaintAbout(m_parsed.plan, m_info)) {
                m_parsed.complaints.push_back({{}, {}, toQString(*sentence)});
            }
        }
        return std::move(m_parsed);
    }

private:
    void readFields()
    {
        ScenarioValues values{{}, m_draft.base()};
        forgetWhatDoesNotApply(values);
        for (const ScenarioFieldInfo& info : scenarioFields()) {
            const ScenarioField field = info.field;
            if (!appliesTo(field, m_draft, m_info)) {
                continue;
            }
            const QString complaint = info.read(values, m_draft.text(field));
            if (!complaint.isEmpty()) {
                m_parsed.complaints.push_back({field, {}, complaint});
            }
        }
        if (!m_draft.hasOwnClients() && m_parsed.complaints.empty()) {
            values.plan.clients = clientsOf(values.workload, values.plan.seed);
        }
        m_parsed.plan = std::move(values.plan);
    }

    /// The plan may have been made for another protocol.
    void forgetWhatDoesNotApply(ScenarioValues& values) const
    {
        for (const report::PlanMember& member : report::planMembers()) {
            if (!member.appliesToProtocol(m_info)) {
                member.setDefault(values.plan);
            }
        }
        values.plan.faults = FaultPlan();
    }

    void readFaults()
    {
        FaultPlan& faults = m_parsed.plan.faults;
        for (const auto& [kind, typed] : m_faults) {
            FaultPlan::Fault fault{1, world::usualAmount(kind, m_parsed.plan.leaseMax())};
            if (!typed.count.trimmed().isEmpty()) {
                readField(kind, fault.countMax, typedNumber(typed.count, 1, kFaultCountMax));
            }
            if (infoOf(kind).usualAmount != nullptr && !typed.amount.trimmed().isEmpty()) {
                readField(kind, fault.amount, typedSpan(typed.amount, 1ms, kFaultAmountMax));
            }
            faults.of(kind) = fault;
        }
        if (!m_faults.empty() && faults.totalMax == 0) {
            m_parsed.complaints.push_back({ScenarioField::kFaultTotal, {}, noneAtAll()});
        }
    }

    /// Of clients and servers that are there.
    void fitUnreachable()
    {
        WorldPlan& plan = m_parsed.plan;
        std::erase_if(plan.unreachable, [&plan](const std::pair<int, int>& pair) {
            return pair.first >= static_cast<int>(plan.clients.size())
                   || pair.second >= plan.nodeCount;
        });
    }

    template<class Value>
    void readField(FaultKind kind, Value& value, Typed<Value> typed)
    {
        if (const auto* const taken = std::get_if<Value>(&typed)) {
            value = *taken;
        } else {
            m_parsed.complaints.push_back({{}, kind, std::get<QString>(typed)});
        }
    }

    const ScenarioDraft& m_draft;
    const FaultDrafts& m_faults;
    const protocol::ProtocolInfo& m_info;
    ParsedScenario m_parsed;
};

/// The texts of the faults of a plan.
FaultDrafts faultDraftsOf(const WorldPlan& plan)
{
    FaultDrafts drafts;
    for (std::size_t i = 0; i < plan.faults.faults.size(); ++i) {
        const auto kind = static_cast<FaultKind>(i);
        const FaultPlan::Fault& fault = plan.faults.of(kind);
        if (fault.countMax > 0) {
            const bool isUsual = fault.amount == world::usualAmount(kind, plan.leaseMax());
            drafts[kind] = {isUsual ? QString() : spanWord(fault.amount),
                            fault.countMax == 1 ? QString() : QString::number(fault.countMax)};
        }
    }
    return drafts;
}

QString planText(const WorldPlan& plan)
{
    return QString::fromStdString(report::worldPlanJson(plan).dump());
}

std::optional<WorldPlan> planOf(const QString& text)
{
    std::optional<WorldPlan> plan;
    protocol::readJsonFile(text.toStdString(), [&plan](const nlohmann::json& json) {
        plan = report::readWorldPlan(json, {});
    });
    return plan;
}

} // namespace

ScenarioDraft ScenarioDraft::usual(const protocol::ProtocolInfo& info)
{
    WorldPlan plan = search::defaultShapes(info).front();
    SimulatedWorkload workload;
    workload.lease = plan.leaseMax();
    workload.clientCount = static_cast<int>(plan.clients.size());
    workload.readShare = info.hasModes ? std::optional(0.5) : std::nullopt;
    plan.name = UiText::tr("my scenario").toStdString();
    plan.clients = clientsOf(workload, plan.seed);
    plan.faults.totalMax = 1;
    ScenarioDraft draft;
    draft.m_base = plan;
    draft.write(workload);
    return draft;
}

ScenarioDraft ScenarioDraft::of(const WorldPlan& plan, FaultDrafts& faults)
{
    ScenarioDraft draft;
    draft.m_base = plan;
    const auto workload = workloadOf(plan.clients, plan.seed);
    draft.m_hasOwnClients = !workload;
    draft.write(workload.value_or(SimulatedWorkload()));
    faults = faultDraftsOf(plan);
    return draft;
}

QString ScenarioDraft::text(ScenarioField field) const
{
    const auto found = m_texts.find(field);
    return found != m_texts.end() ? found->second : QString();
}

void ScenarioDraft::write(const SimulatedWorkload& workload)
{
    const ScenarioValues values{workload, m_base};
    for (const ScenarioFieldInfo& field : scenarioFields()) {
        setText(field.field, field.text(values));
    }
}

void ScenarioDraft::adoptDefaults(const ScenarioDraft& before, const ScenarioDraft& after)
{
    for (auto& [field, text] : m_texts) {
        if (text == before.text(field)) {
            text = after.text(field);
        }
    }
    if (!m_hasOwnClients) {
        m_base = after.m_base;
    }
}

ScenarioEdits ScenarioDraft::editsOf(const ScenarioDraft& usual) const
{
    ScenarioEdits edits;
    for (const auto& [field, text] : m_texts) {
        if (text != usual.text(field)) {
            edits.texts[toQString(field.name)] = text;
        }
    }
    const QString plan = planText(m_base);
    edits.plan = plan != planText(usual.m_base) ? plan : QString();
    edits.hasOwnClients = m_hasOwnClients;
    return edits;
}

void ScenarioDraft::apply(const ScenarioEdits& edits)
{
    if (auto plan = planOf(edits.plan)) {
        m_base = *std::move(plan);
        m_hasOwnClients = edits.hasOwnClients;
    }
    for (const ScenarioFieldInfo& info : scenarioFields()) {
        const auto found = edits.texts.find(toQString(info.field.name));
        if (found != edits.texts.end()) {
            setText(info.field, found->second);
        }
    }
}

bool appliesTo(ScenarioField field, const ScenarioDraft& draft, const protocol::ProtocolInfo& info)
{
    const ScenarioFieldInfo& asked = infoOf(field);
    const bool isAboutClients = asked.group == ScenarioFieldInfo::Group::Clients
                                || field == ScenarioField::kLease;
    if (draft.hasOwnClients() && isAboutClients) {
        return false; // they do not all do the same
    }
    if (field == ScenarioField::kThink) { // between two rounds
        ScenarioValues values;
        const QString rounds = draft.text(ScenarioField::kRounds);
        return !infoOf(ScenarioField::kRounds).read(values, rounds).isEmpty()
               || values.workload.roundCount > 1;
    }
    return asked.appliesTo == nullptr || asked.appliesTo(info);
}

QString ParsedScenario::complaintAt(ScenarioField field) const
{
    const auto found = std::ranges::find(complaints, std::optional(field), &Complaint::field);
    return found != complaints.end() ? found->text : QString();
}

QString ParsedScenario::complaintAt(FaultKind fault) const
{
    const auto found = std::ranges::find(complaints, std::optional(fault), &Complaint::fault);
    return found != complaints.end() ? found->text : QString();
}

QString ParsedScenario::generalComplaints() const
{
    QStringList lines;
    for (const Complaint& complaint : complaints) {
        if (!complaint.field && !complaint.fault) {
            lines += complaint.text;
        }
    }
    return lines.join(u'\n');
}

ParsedScenario readScenarioDraft(const ScenarioDraft& draft, const FaultDrafts& faults,
                                 const protocol::ProtocolInfo& info)
{
    return Reader(draft, faults, info).read();
}

} // namespace lockscope::models
