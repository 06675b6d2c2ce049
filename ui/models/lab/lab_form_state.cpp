#include "ui/models/lab/lab_form_state.h"

#include "ui/models/formatting.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockscope::models {

using namespace Qt::StringLiterals;

namespace {

QJsonArray draftJson(const ProtocolDraft& draft)
{
    QJsonArray parts;
    for (std::size_t i = 0; i < kProtocolPartCount; ++i) {
        parts.append(draft.text(static_cast<ProtocolPart>(i)));
    }
    return parts;
}

ProtocolDraft readDraft(const QJsonValue& json)
{
    ProtocolDraft draft;
    const QJsonArray parts = json.toArray();
    for (std::size_t i = 0; i < kProtocolPartCount; ++i) {
        draft.setText(static_cast<ProtocolPart>(i), parts.at(static_cast<qsizetype>(i)).toString());
    }
    return draft;
}

QJsonArray editedJson(const QList<EditedProtocol>& edited)
{
    QJsonArray list;
    for (const EditedProtocol& each : edited) {
        list.append(QJsonObject{{u"file"_s, each.file},
                                {u"typed"_s, draftJson(each.typed)},
                                {u"saved"_s, draftJson(each.saved)}});
    }
    return list;
}

QList<EditedProtocol> readEdited(const QJsonValue& json)
{
    QList<EditedProtocol> edited;
    for (const QJsonValue each : json.toArray()) {
        edited.append({each[u"file"_s].toString(), readDraft(each[u"typed"_s]),
                       readDraft(each[u"saved"_s])});
    }
    return edited;
}

QJsonObject faultsJson(const std::map<world::FaultKind, LabFormState::Fault>& faults)
{
    QJsonObject json;
    for (const auto& [kind, fault] : faults) {
        json.insert(toQString(world::idOf(kind)), QJsonObject{{u"on"_s, fault.isOn},
                                                              {u"amount"_s, fault.typed.amount},
                                                              {u"count"_s, fault.typed.count}});
    }
    return json;
}

std::map<world::FaultKind, LabFormState::Fault> readFaults(const QJsonValue& json)
{
    std::map<world::FaultKind, LabFormState::Fault> faults;
    const QJsonObject object = json.toObject();
    for (auto member = object.begin(); member != object.end(); ++member) {
        const QJsonValue fault = member.value();
        if (const auto kind = world::faultKindOf(member.key().toStdString())) {
            faults[*kind] = {fault[u"on"_s].toBool(),
                             {fault[u"amount"_s].toString(), fault[u"count"_s].toString()}};
        }
    }
    return faults;
}

} // namespace

QByteArray LabFormState::text() const
{
    const QJsonObject json{{u"protocol"_s, protocol},
                           {u"ownScenario"_s, isOwnScenario},
                           {u"fields"_s, toJson(scenario.texts)},
                           {u"plan"_s, scenario.plan},
                           {u"ownClients"_s, scenario.hasOwnClients},
                           {u"scenarioFile"_s, scenarioFile},
                           {u"savedScenario"_s, savedScenario},
                           {u"faults"_s, faultsJson(faults)},
                           {u"clients"_s, clientCount},
                           {u"schedules"_s, schedulesMax},
                           {u"runs"_s, runCount},
                           {u"edited"_s, editedJson(edited)}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

LabFormState LabFormState::of(const QByteArray& text)
{
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    LabFormState state;
    state.protocol = json[u"protocol"_s].toString();
    state.isOwnScenario = json[u"ownScenario"_s].toBool();
    state.scenario = {keptTexts(json[u"fields"_s]), json[u"plan"_s].toString(),
                      json[u"ownClients"_s].toBool()};
    state.scenarioFile = json[u"scenarioFile"_s].toString();
    state.savedScenario = json[u"savedScenario"_s].toString();
    state.faults = readFaults(json[u"faults"_s]);
    state.clientCount = json[u"clients"_s].toInt();
    state.schedulesMax = json[u"schedules"_s].toInt();
    state.runCount = json[u"runs"_s].toInt();
    state.edited = readEdited(json[u"edited"_s]);
    return state;
}

} // namespace lockscope::models
