#include "tests/house/rule.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockscope::house {

namespace {

using Words = std::span<const std::string_view>;

/// One finding per place where one of the words stands.
Findings placesOf(Words words, const SourceFile& file)
{
    Findings findings;
    if (!file.isCode()) {
        return findings;
    }
    for (const std::string_view word : words) {
        for (std::size_t at = findWord(file.code, word); at != std::string_view::npos;
             at = findWord(file.code, word, at + 1)) {
            findings.push_back({file.path, file.lineOf(at), "calls or names " + std::string(word)});
        }
    }
    return findings;
}

bool isOneOf(const SourceFile& file, Words paths)
{
    return std::any_of(paths.begin(), paths.end(),
                       [&file](std::string_view path) { return file.isIn(path); });
}

Findings clocks(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 11> kWords{"system_clock::now",
                                                             "steady_clock::now",
                                                             "high_resolution_clock",
                                                             "QDateTime::currentDateTime",
                                                             "QDateTime::currentDateTimeUtc",
                                                             "QDateTime::currentMSecsSinceEpoch",
                                                             "QDateTime::currentSecsSinceEpoch",
                                                             "QTime::currentTime",
                                                             "QDate::currentDate",
                                                             "gettimeofday",
                                                             "clock_gettime"};
    // Benchmarks and tests of real servers measure real time; nothing is decided by it.
    // What makes a clock for others stands on the real one.
    static constexpr std::array<std::string_view, 6> kAllowed{"core/wire/loop_clock.cpp",
                                                              "core/conduct/clock/",
                                                              "tests/conduct/clock/clients/",
                                                              "tests/bench/",
                                                              "tests/live/",
                                                              "tests/soak/"};
    if (isOneOf(file, kAllowed)) {
        return {};
    }
    Findings findings = placesOf(kWords, file);
    if (!file.isIn("tests/")) { // a test may measure how long something took
        static constexpr std::array<std::string_view, 1> kStopwatch{"QElapsedTimer"};
        const Findings more = placesOf(kStopwatch, file);
        findings.insert(findings.end(), more.begin(), more.end());
    }
    return findings;
}

Findings luck(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 12> kWords{"random_device",
                                                             "mt19937",
                                                             "mt19937_64",
                                                             "default_random_engine",
                                                             "uniform_int_distribution",
                                                             "uniform_real_distribution",
                                                             "normal_distribution",
                                                             "bernoulli_distribution",
                                                             "discrete_distribution",
                                                             "srand",
                                                             "std::rand",
                                                             "QRandomGenerator"};
    // Where seeds come from: the owners of connections, and one place for the tests, which prints
    // it on failure.
    static constexpr std::array<std::string_view, 3> kAllowed{
        "core/wire/watch/redis_monitor.cpp", "core/wire/watch/redis_release_desk.cpp",
        "tests/kernel/random_input.h"};
    return isOneOf(file, kAllowed) ? Findings() : placesOf(kWords, file);
}

Findings staticDialogs(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 17> kWords{"QMessageBox::information",
                                                             "QMessageBox::question",
                                                             "QMessageBox::warning",
                                                             "QMessageBox::critical",
                                                             "QMessageBox::about",
                                                             "QMessageBox::aboutQt",
                                                             "QFileDialog::getOpenFileName",
                                                             "QFileDialog::getOpenFileNames",
                                                             "QFileDialog::getSaveFileName",
                                                             "QFileDialog::getExistingDirectory",
                                                             "QInputDialog::getText",
                                                             "QInputDialog::getInt",
                                                             "QInputDialog::getItem",
                                                             "QInputDialog::getDouble",
                                                             "QInputDialog::getMultiLineText",
                                                             "QColorDialog::getColor",
                                                             "QFontDialog::getFont"};
    return placesOf(kWords, file);
}

Findings settingsStore(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 1> kWords{"QSettings"};
    static constexpr std::array<std::string_view, 1> kAllowed{"ui/widgets/shell/settings."};
    return isOneOf(file, kAllowed) ? Findings() : placesOf(kWords, file);
}

Findings nestedLoops(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 4> kWords{"processEvents", "QEventLoop",
                                                            "BlockingQueuedConnection",
                                                            "WaitForMoreEvents"};
    Findings findings = placesOf(kWords, file);
    if (file.isIn("ui/")) {
        static constexpr std::array<std::string_view, 1> kExec{"exec"};
        const Findings more = placesOf(kExec, file);
        findings.insert(findings.end(), more.begin(), more.end());
    }
    return findings;
}

Findings blockingSockets(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 5> kWords{
        "waitForReadyRead", "waitForBytesWritten", "waitForConnected", "waitForDisconnected",
        "waitForEncrypted"};
    return file.isIn("tests/") ? Findings() : placesOf(kWords, file);
}

Findings stringConnects(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 2> kWords{"SIGNAL", "SLOT"};
    return placesOf(kWords, file);
}

Findings translations(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 3> kWords{"QCoreApplication::translate",
                                                            "QObject::tr", "translated"};
    const bool isKernel = file.isIn("core/kernel/");
    if (!file.isIn("ui/") && !file.isIn("app/") && !isKernel) {
        return {};
    }
    Findings findings = isKernel ? Findings() : placesOf(kWords, file);
    std::erase_if(findings, [&file](const Finding& finding) { // of a rectangle: moved
        return finding.what.ends_with(" translated")
               && file.code.find("QString translated") == std::string::npos;
    });
    // The literals are blank in `code`, not their quotes.
    for (std::size_t at = findWord(file.code, "tr"); at != std::string::npos;
         at = findWord(file.code, "tr", at + 1)) {
        const std::size_t open = at + 2;
        const bool isCall = file.isCode() && file.code.compare(open, 1, "(") == 0;
        const std::size_t first = file.code.find_first_not_of(" \n", open + 1);
        const bool isDeclaration = file.code.compare(open + 1, 6, "const ") == 0;
        if (isCall && !isDeclaration && first != std::string::npos && file.code[first] != '"') {
            findings.push_back({file.path, file.lineOf(at), "translates what is no literal"});
        }
    }
    return findings;
}

/// Three words in a row: a sentence or a part of one, and no id.
bool isProse(std::string_view text)
{
    int wordCount = 0;
    std::size_t letterCount = 0;
    for (const char c : text) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            wordCount += ++letterCount == 2 ? 1 : 0;
        } else {
            wordCount = c == ' ' && letterCount > 1 ? wordCount : 0;
            letterCount = 0;
        }
        if (wordCount == 3) {
            return true;
        }
    }
    return false;
}

/// Texts of the kernel that people can read, and that `lupdate` does not find.
Findings unmarkedTexts(const SourceFile& file, const Tree&)
{
    // Words of a server, of an assertion, or of the command line, which speaks English.
    static constexpr std::array<std::string_view, 5> kAllowed{
        "core/kernel/sim/", "core/kernel/async/", "core/kernel/store/problem.cpp",
        "core/kernel/workload/run_parameters.cpp", "core/kernel/report/matrix_text.cpp"};
    Findings findings;
    if (!file.isIn("core/kernel/") || !file.isCpp() || isOneOf(file, kAllowed)) {
        return findings;
    }
    const std::string_view raw = file.raw;
    std::size_t lastEnd = 0;
    bool isMarked = false;
    for (std::size_t at = file.code.find('"'); at != std::string::npos;
         at = file.code.find('"', lastEnd)) {
        const std::size_t end = file.code.find('"', at + 1);
        if (end == std::string::npos) {
            break;
        }
        const std::size_t before = file.code.find_last_not_of(" \n", at == 0 ? 0 : at - 1) + 1;
        if (before != lastEnd) { // not the next line of one literal
            const std::string_view lead = raw.substr(0, before);
            isMarked = lead.ends_with("tr(") || lead.ends_with("\"KernelText\",")
                       || lead.ends_with("=="); // compares with what is marked elsewhere
        }
        lastEnd = end + 1;
        if (!isMarked && isProse(raw.substr(at + 1, end - at - 1))) {
            findings.push_back({file.path, file.lineOf(at), "has a text that no translator sees"});
        }
    }
    return findings;
}

Findings sleeps(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 9> kWords{
        "QThread::sleep", "QThread::msleep", "QThread::usleep", "sleep_for",   "sleep_until",
        "usleep",         "nanosleep",       "QTest::qSleep",   "QTest::qWait"};
    // These are about nothing else: what a client's sleep is, and clients that sleep.
    static constexpr std::array<std::string_view, 2> kAllowed{"core/conduct/clock/",
                                                              "tests/conduct/clock/clients/"};
    if (isOneOf(file, kAllowed)) {
        return {};
    }
    Findings findings = placesOf(kWords, file);
    // The system's function, and not a member of that name.
    for (std::size_t at = file.isCode() ? file.code.find("::sleep(") : std::string::npos;
         at != std::string::npos; at = file.code.find("::sleep(", at + 1)) {
        const char before = at > 0 ? file.code[at - 1] : ' ';
        if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_') {
            findings.push_back({file.path, file.lineOf(at), "calls or names ::sleep"});
        }
    }
    return findings;
}

Findings singletons(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 5> kWords{"& instance()", "* instance()",
                                                            "&instance()", "*instance()",
                                                            "Q_GLOBAL_STATIC"};
    return placesOf(kWords, file);
}

Findings scriptsInCode(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (!file.isIn("core/") && !file.isIn("app/") && !file.isIn("ui/")) {
        return findings;
    }
    if (!file.isCpp()) {
        return findings;
    }
    for (std::size_t at = file.raw.find("redis.call("); at != std::string::npos;
         at = file.raw.find("redis.call(", at + 1)) {
        findings.push_back({file.path, file.lineOf(at), "has the text of a Lua script in it"});
    }
    return findings;
}

/// Streams throw at folders, and QSaveFile replaces a file although the disk is full.
Findings filesReadByHand(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 7> kWords{
        "QSaveFile", "QTextStream", "ifstream",           "ofstream",
        "fstream",   "fopen",       "istreambuf_iterator"};
    static constexpr std::array<std::string_view, 2> kAllowed{"core/files/",
                                                              "ui/models/user_files.cpp"};
    if (file.isIn("tests/") || isOneOf(file, kAllowed)) {
        return {};
    }
    Findings findings = placesOf(kWords, file);
    // QFile::exists() and the like do no harm.
    for (std::size_t at = findWord(file.code, "QFile"); at != std::string_view::npos;
         at = findWord(file.code, "QFile", at + 1)) {
        constexpr std::size_t kLength = 5;
        const std::string_view next = std::string_view(file.code).substr(at + kLength, 2);
        if (file.isCpp() && next != "::" && !next.starts_with('>')) {
            findings.push_back({file.path, file.lineOf(at), "opens a QFile"});
        }
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"clocks",
         "ask the Clock that was handed in; only core/wire/loop_clock.cpp looks at the real one",
         clocks},
    Rule{"luck",
         "use the seeded Rng that was handed in; the same seed has to mean the same run everywhere",
         luck},
    Rule{"static-dialogs",
         "ask through the Prompter: a static dialog is a nested event loop no test can answer",
         staticDialogs},
    Rule{"settings", "add a typed field to Settings; one file loads and saves it", settingsStore},
    Rule{"nested-loops",
         "return to the event loop and go on in a slot; dialogs are open()ed and signal their end",
         nestedLoops},
    Rule{"blocking-sockets", "sockets signal; nobody waits for them", blockingSockets},
    Rule{"translations",
         "what has Q_OBJECT has its own tr(), the rest of the window says UiText::tr(\"…\"), the "
         "kernel KernelText::tr(\"…\"): lupdate finds the literals of these",
         translations},
    Rule{"unmarked-texts",
         "say it with KernelText::tr(\"…\"), or mark it with QT_TRANSLATE_NOOP(\"KernelText\", "
         "\"…\") and look it up where it is shown",
         unmarkedTexts},
    Rule{"string-connects", "connect pointers to members, which the compiler checks",
         stringConnects},
    Rule{"sleeps",
         "await Clock::wakeAt() in the kernel, a timer elsewhere; tests wait for a condition: "
         "QTRY_…",
         sleeps},
    Rule{"singletons", "hand it over as a constructor argument; the composition owns it",
         singletons},
    Rule{"files-by-hand",
         "read and write with core/files/whole_file.h, in the window with "
         "ui/models/user_files.h: they report folders, limits and full disks",
         filesReadByHand},
    Rule{"scripts-in-code", "each script is one .lua file, embedded by lockscope_embed_text()",
         scriptsInCode},
};

} // namespace

std::span<const Rule> bannedCallRules()
{
    return kRules;
}

} // namespace lockscope::house
