#include "ui/models/lab/opened_run.h"

#include "core/kernel/exports/example_run.h"
#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QFile>
#include <QFileInfo>

#include <utility>

namespace lockscope::models {

namespace {

/// A run of a few million events has some tens of megabytes.
constexpr qint64 kFileMax = 512LL * 1024 * 1024;

using Opened = std::variant<report::RunFile, QString>;

QString faultText(const QString& name, const protocol::FileError& error)
{
    if (error.line == 0) { // of a binary file
        return UiText::tr("%1, %2").arg(name, toQString(toText(error)));
    }
    return UiText::tr("%1, line %2: %3").arg(name).arg(error.line).arg(toQString(error.reason));
}

std::string replayCommand(const QString& path)
{
    return "lockscope-cli replay " + report::shellQuoted(path.toStdString());
}

Opened replayed(const QString& path, const report::CounterexampleFile& example, const QString& name)
{
    auto run = exports::replayed(example, name.toStdString());
    if (auto* const complaint = std::get_if<std::string>(&run)) {
        return toQString(*complaint) + u'.';
    }
    auto& file = std::get<report::RunFile>(run);
    file.command = replayCommand(path);
    return std::move(file);
}

Opened runIn(const QString& path, std::string_view text)
{
    const QString name = QFileInfo(path).fileName();
    if (report::isRunFile(text)) {
        auto run = report::readRunFile(text);
        if (const auto* const error = std::get_if<protocol::FileError>(&run)) {
            return faultText(name, *error);
        }
        auto& file = std::get<report::RunFile>(run);
        if (file.command.empty()) { // of a scenario that was in a file: this shows the run again
            file.command = replayCommand(path);
        }
        return std::move(file);
    }
    const auto example = report::readCounterexample(text);
    if (const auto* const error = std::get_if<protocol::FileError>(&example)) {
        return faultText(name, *error);
    }
    return replayed(path, std::get<report::CounterexampleFile>(example), name);
}

} // namespace

Opened openedRun(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return UiText::tr("Could not read %1: %2").arg(path, file.errorString());
    }
    if (file.size() > kFileMax) {
        return UiText::tr("%1 is too large to be a run: %2 MB")
            .arg(path)
            .arg(file.size() / (1024 * 1024));
    }
    const QByteArray text = file.readAll();
    return runIn(path, {text.constData(), static_cast<std::size_t>(text.size())});
}

} // namespace lockscope::models
