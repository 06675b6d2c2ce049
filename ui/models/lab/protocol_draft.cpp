#include "ui/models/lab/protocol_draft.h"

#include "core/kernel/lint/script_mistakes.h"
#include "core/kernel/protocol/own_protocol.h"
#include "ui/models/formatting.h"

#include <QCoreApplication>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json; // members stay where their author put them

namespace {

struct StepParts {
    const char* name;
    ProtocolPart script;
    ProtocolPart mapping;
};

constexpr std::array<StepParts, 3> kSteps{
    {{"acquire", ProtocolPart::AcquireScript, ProtocolPart::AcquireMapping},
     {"renew", ProtocolPart::RenewScript, ProtocolPart::RenewMapping},
     {"release", ProtocolPart::ReleaseScript, ProtocolPart::ReleaseMapping}}};

constexpr std::array<std::pair<const char*, ProtocolPart>, 3> kHead{
    {{"id", ProtocolPart::Id}, {"title", ProtocolPart::Title}, {"summary", ProtocolPart::Summary}}};

QString quotedText(const QString& text)
{
    return toQString(Json(text.toStdString()).dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// The lines of a file that is put together from its parts, each with its place there: a mistake is
/// found in the whole, and belongs to a part.
class Assembly {
public:
    explicit Assembly(const ProtocolDraft& draft) : m_draft(draft)
    {
        add(u"{"_s, ProtocolPart::Id, 1);
        for (const auto& [name, part] : kHead) {
            add(member(name, draft.text(part)) + u',', part, 1);
        }
        addMembers(ProtocolPart::Settings, true);
        bool isFirst = true;
        for (const StepParts& step : kSteps) {
            addStep(step, isFirst);
            isFirst = false;
        }
        add(u"}"_s, ProtocolPart::ReleaseMapping, lineCount(ProtocolPart::ReleaseMapping));
    }

    std::string text() const { return m_lines.join(u'\n').toStdString(); }

    ProtocolComplaint complaint(const protocol::FileError& error) const
    {
        const auto last = static_cast<int>(m_places.size());
        const auto index = static_cast<std::size_t>(std::clamp(error.line, 1, last) - 1);
        return {m_places[index].first, m_places[index].second, toQString(error.reason)};
    }

private:
    static QString member(const char* name, const QString& value)
    {
        return u'"' + QString::fromLatin1(name) + u"\": "_s + quotedText(value);
    }

    int lineCount(ProtocolPart part) const
    {
        return static_cast<int>(m_draft.text(part).count(u'\n')) + 1;
    }

    void add(const QString& line, ProtocolPart part, int lineOfPart)
    {
        m_lines += line;
        m_places.emplace_back(part, lineOfPart);
    }

    /// What was typed as members of an object.
    void addMembers(ProtocolPart part, bool isFollowed)
    {
        const QStringList lines = m_draft.text(part).split(u'\n');
        if (m_draft.text(part).trimmed().isEmpty()) {
            return;
        }
        for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
            add(lines[i], part, i + 1);
        }
        if (isFollowed) {
            add(u","_s, part, static_cast<int>(lines.size()));
        }
    }

    /// A renewal that is not there at all is none.
    void addStep(const StepParts& step, bool isFirst)
    {
        const bool hasMapping = !m_draft.text(step.mapping).trimmed().isEmpty();
        const bool isThere = hasMapping || !m_draft.text(step.script).trimmed().isEmpty();
        if (step.script == ProtocolPart::RenewScript && !isThere) {
            return;
        }
        const QString comma = isFirst ? QString() : u","_s;
        add(comma + u'"' + QString::fromLatin1(step.name) + u"\": {"_s, step.mapping, 1);
        add(member("script", m_draft.text(step.script)) + (hasMapping ? u"," : u""), step.script,
            1);
        addMembers(step.mapping, false);
        add(u"}"_s, step.mapping, lineCount(step.mapping));
    }

    const ProtocolDraft& m_draft;
    QStringList m_lines;
    std::vector<std::pair<ProtocolPart, int>> m_places;
};

void checkScripts(const ProtocolDraft& draft, sim::LuaEngine& lua, ParsedProtocol& parsed)
{
    for (const StepParts& step : kSteps) {
        const std::string script = draft.text(step.script).toStdString();
        if (const auto problem = lua.compile(lua.digestOf(script), script)) {
            const lint::ScriptMistake mistake = lint::mistakeIn(*problem);
            parsed.complaints.push_back({step.script, mistake.line, toQString(mistake.reason)});
        }
    }
}

/// Scripts of the checks are among the members of their steps; those of the steps are right by now.
void checkChecks(const std::string& text, const Assembly& assembly, sim::LuaEngine& lua,
                 ParsedProtocol& parsed)
{
    const auto read = protocol::readOwnLockPlan(text);
    const auto& plan = std::get<protocol::OwnLockPlan>(read);
    for (const protocol::FileError& mistake : lint::scriptMistakesIn(plan, text, lua)) {
        parsed.complaints.push_back(assembly.complaint(mistake));
    }
}

Json linesOf(const std::string& script)
{
    Json lines = Json::array();
    for (const QString& line : toQString(script).split(u'\n')) {
        lines.push_back(line.toStdString());
    }
    return lines;
}

/// As people write such files: a script is a list of its lines.
QString tidied(const std::string& text)
{
    Json file = Json::parse(text);
    for (const StepParts& step : kSteps) {
        if (file.contains(step.name)) {
            Json& script = file[step.name]["script"];
            script = linesOf(script.get<std::string>());
        }
    }
    return toQString(file.dump(2)) + u'\n';
}

QString scriptText(const Json& script)
{
    if (script.is_string()) {
        return toQString(script.get<std::string>());
    }
    QStringList lines;
    for (const Json& line : script) {
        lines += toQString(line.get<std::string>());
    }
    return lines.join(u'\n');
}

QString membersBesides(const Json& object, const QStringList& names);

/// A check is a step of its own, and shown like one.
QString valueText(const std::string& name, const Json& value)
{
    if (name != "check") {
        return toQString(value.dump());
    }
    QString members = membersBesides(value, {});
    return u"{\n  "_s + members.replace(u'\n', u"\n  "_s) + u"\n}"_s;
}

/// The members besides those, each in a line of its own.
QString membersBesides(const Json& object, const QStringList& names)
{
    QStringList lines;
    for (const auto& [name, value] : object.items()) {
        if (!names.contains(toQString(name))) {
            lines += quotedText(toQString(name)) + u": "_s + valueText(name, value);
        }
    }
    return lines.join(u",\n"_s);
}

} // namespace

ProtocolDraft ProtocolDraft::of(const QString& fileText)
{
    ProtocolDraft draft;
    const std::string text = fileText.toStdString();
    if (!std::holds_alternative<std::unique_ptr<protocol::LockProtocol>>(
            protocol::readProtocol(text))) {
        return draft;
    }
    const Json file = Json::parse(text);
    QStringList told;
    for (const auto& [name, part] : kHead) {
        draft.setText(part, toQString(file[name].get<std::string>()));
        told += QString::fromLatin1(name);
    }
    for (const StepParts& step : kSteps) {
        told += QString::fromLatin1(step.name);
        if (file.contains(step.name)) {
            draft.setText(step.script, scriptText(file[step.name]["script"]));
            draft.setText(step.mapping, membersBesides(file[step.name], {u"script"_s}));
        }
    }
    draft.setText(ProtocolPart::Settings, membersBesides(file, told));
    return draft;
}

const ProtocolComplaint* ParsedProtocol::complaintAt(ProtocolPart part) const
{
    const auto found = std::ranges::find(complaints, part, &ProtocolComplaint::part);
    return found != complaints.end() ? &*found : nullptr;
}

ParsedProtocol readProtocolDraft(const ProtocolDraft& draft, sim::LuaEngine& lua)
{
    ParsedProtocol parsed;
    checkScripts(draft, lua, parsed);
    const Assembly assembly(draft);
    const std::string text = assembly.text();
    auto read = protocol::readProtocol(text);
    if (const auto* const error = std::get_if<protocol::ProtocolFileError>(&read)) {
        parsed.complaints.push_back(assembly.complaint(*error));
    }
    if (parsed.complaints.empty()) {
        checkChecks(text, assembly, lua, parsed);
    }
    if (parsed.complaints.empty()) {
        parsed.protocol = std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read));
        parsed.fileText = tidied(text);
    }
    return parsed;
}

} // namespace lockscope::models
