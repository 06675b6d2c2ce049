#include "ui/models/contend/contend_draft.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using workload::RunParameter;
using workload::Scenario;
using Kind = Scenario::Kind;

namespace {

constexpr int kThreads = 2;
constexpr int kThreadsMax = 32;
constexpr int kPrivateServersOfASet = 5;
constexpr int kPrivateServersMax = 15;

/// Numbers with which the scenario shows what it is about.
Scenario defaultScenario(const protocol::ProtocolInfo& info, Kind kind)
{
    Scenario scenario = Scenario::withDefaults(info);
    scenario.kind = kind;
    scenario.readShare = info.hasModes ? 0.5 : 0;
    scenario.permits = info.hasPermits ? 3 : 1;
    if (kind == Kind::HotStandby) {
        scenario.contenderCount = 5;
        scenario.hold = workload::Distribution::uniform(1s, 3s);
        scenario.lease = 2s;
        scenario.retry.interval = 250ms;
        scenario.duration = 30s;
        if (info.canRenew) { // the one that works keeps the lock until it dies
            scenario.renewal.period = 500ms;
        }
    } else if (kind == Kind::Draw) {
        scenario.contenderCount = 50;
    }
    return scenario;
}

/// Reads one field after the other and collects what is wrong with them.
class Reader {
public:
    Reader(const ContendDraft& draft, const protocol::ProtocolInfo& info, ContendPlace place,
           workload::RunPurpose purpose)
        : m_draft(draft),
          m_info(info),
          m_place(place),
          m_purpose(purpose)
    {
        m_parsed.scenario = Scenario::withDefaults(info);
        m_parsed.scenario.kind = draft.kind();
    }

    ParsedDraft read()
    {
        for (const RunParameter& parameter : workload::runParameters()) {
            if (parameter.applies(m_info, m_parsed.scenario)) {
                m_parsed.fields.insert(parameter.id);
                readParameter(parameter);
            }
        }
        readCount(kThreadsField, m_parsed.threadCount, kThreadsMax);
        if (m_place.isPrivate && m_info.keys == protocol::KeyUse::OnePerServer) {
            readCount(kPrivateServersField, m_parsed.privateServerCount, kPrivateServersMax);
        }
        if (m_parsed.complaints.empty()) {
            for (const std::string& sentence :
                 workload::complaintsAbout(m_parsed.scenario, m_info)) {
                m_parsed.complaints.push_back({{}, toQString(sentence)});
            }
        }
        return std::move(m_parsed);
    }

private:
    void readParameter(const RunParameter& parameter)
    {
        std::string text = typed(parameter.id);
        if (text.empty() && parameter.form.whenEmpty != nullptr) {
            text = parameter.form.whenEmpty(m_parsed.scenario);
        }
        complain(parameter.id, parameter.read(m_parsed.scenario, text, m_info, m_purpose));
    }

    void readCount(std::string_view field, int& count, int max)
    {
        m_parsed.fields.insert(field);
        auto number = std::uint64_t(count);
        complain(field, workload::readCount(typed(field), 1, std::uint64_t(max), number));
        count = static_cast<int>(number);
    }

    std::string typed(std::string_view field) const
    {
        return m_draft.text(field).trimmed().toStdString();
    }

    /// `complaint` is the end of a sentence that begins with what was typed.
    void complain(std::string_view field, const std::string& complaint)
    {
        if (complaint.empty()) {
            return;
        }
        const std::string text = typed(field);
        const QString end = toQString(complaint);
        m_parsed.complaints.push_back({field,
                                       text.empty()
                                           ? UiText::tr("An empty field %1.").arg(end)
                                           : UiText::tr("“%1” %2.").arg(toQString(text), end)});
    }

    const ContendDraft& m_draft;
    const protocol::ProtocolInfo& m_info;
    ContendPlace m_place;
    workload::RunPurpose m_purpose;
    ParsedDraft m_parsed;
};

} // namespace

ContendDraft ContendDraft::withDefaults(const protocol::ProtocolInfo& info, Kind kind)
{
    const Scenario scenario = defaultScenario(info, kind);
    ContendDraft draft;
    for (const RunParameter& parameter : workload::runParameters()) {
        const std::string text = parameter.text(scenario);
        const auto whenEmpty = parameter.form.whenEmpty;
        const bool isEmpty = whenEmpty != nullptr && text == whenEmpty(scenario);
        draft.setText(parameter.id, isEmpty ? QString() : toQString(text));
    }
    draft.setText(kThreadsField, QString::number(kThreads));
    draft.setText(kPrivateServersField, QString::number(kPrivateServersOfASet));
    return draft;
}

QString ContendDraft::text(std::string_view field) const
{
    const auto found = m_texts.find(field);
    return found != m_texts.end() ? found->second : QString();
}

void ContendDraft::setText(std::string_view field, const QString& text)
{
    m_texts.insert_or_assign(std::string(field), text);
}

void ContendDraft::adoptDefaults(const ContendDraft& before, const ContendDraft& after)
{
    for (auto& [field, text] : m_texts) {
        if (text == before.text(field)) {
            text = after.text(field);
        }
    }
}

KeptTexts ContendDraft::editsOf(const ContendDraft& usual) const
{
    KeptTexts edits;
    for (const auto& [field, text] : m_texts) {
        if (text != usual.text(field)) {
            edits[toQString(field)] = text;
        }
    }
    return edits;
}

void ContendDraft::apply(const KeptTexts& edits)
{
    for (auto& [field, text] : m_texts) {
        const auto found = edits.find(toQString(field));
        text = found != edits.end() ? found->second : text;
    }
}

Kind ContendDraft::kind() const
{
    return workload::scenarioKindOf(text("kind").toStdString()).value_or(Kind::Contention);
}

QString ParsedDraft::complaintAt(std::string_view field) const
{
    const auto found = std::ranges::find(complaints, field, &Complaint::field);
    return found != complaints.end() ? found->text : QString();
}

ParsedDraft readDraft(const ContendDraft& draft, const protocol::ProtocolInfo& info,
                      ContendPlace place, workload::RunPurpose purpose)
{
    return Reader(draft, info, place, purpose).read();
}

} // namespace lockscope::models
