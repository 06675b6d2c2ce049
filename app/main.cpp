#include "app/arguments.h"
#include "app/composition.h"
#include "core/kernel/base/printable.h"
#include "core/wire/scratch_folder.h"
#include "core/wire/signal_relay.h"
#include "ui/widgets/shell/language.h"

#include <QApplication>

#include <csignal>
#include <cstdio>
#include <span>
#include <string>
#include <variant>
#include <vector>

using namespace lockscope;

namespace {

constexpr int kBadArguments = 2;

/// As the command line says, else the settings, else the system.
QString languageOf(const app::WindowArguments& arguments)
{
    widgets::SettingsFile file(widgets::SettingsFile::defaultPath());
    file.load(); // what is wrong with it is said in the window, in this language
    const QString kept = file.values().language;
    return !arguments.language.empty() ? QString::fromStdString(arguments.language)
           : widgets::knownLanguages().contains(kept)
               ? kept
               : widgets::languageFor(QLocale::system().uiLanguages());
}

} // namespace

int main(int argc, char** argv)
{
    const std::span<char*> rawWords(argv, static_cast<std::size_t>(argc));
    const std::vector<std::string> words(rawWords.begin() + (argc > 0 ? 1 : 0), rawWords.end());
    auto parsed = app::parseWindowArguments(words, app::environmentOfProcess());
    if (const auto* const information = std::get_if<app::Information>(&parsed)) {
        std::fputs(information->text.c_str(), stdout);
        return 0;
    }
    if (const auto* const error = std::get_if<app::ArgumentError>(&parsed)) {
        std::fprintf(stderr, "lockscope: %s\n", printable(error->reason).c_str());
        return kBadArguments;
    }
    app::hidePasswords(rawWords);
    wire::ScratchFolder::removeAbandoned();

    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("lockscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lockscope"));
    QApplication::setApplicationVersion(QStringLiteral(LOCKSCOPE_VERSION));
    auto& arguments = std::get<app::WindowArguments>(parsed);
    widgets::speak(languageOf(arguments));
    app::Composition composition(application, std::move(arguments));
    auto* const signalRelay = new wire::SignalRelay({SIGINT, SIGTERM, SIGHUP}, &application);
    QObject::connect(signalRelay, &wire::SignalRelay::received, &composition, [&] {
        composition.end();
        signalRelay->deleteLater(); // the next signal ends the program at once
    });
    composition.start();
    return QApplication::exec();
}
