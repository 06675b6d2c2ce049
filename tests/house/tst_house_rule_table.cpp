#include "tests/house/rule.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_house_rule_table {

using namespace lockscope::house;

/// Every rule catches what it is there for and lets the better alternative pass.
class HouseRuleTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void catchesTheBadAndPassesTheGood_data();
    void catchesTheBadAndPassesTheGood();
    void everyRuleHasABadAndAGoodExample();
    void namesAreUnique();
    void findingNamesTheLine();
    void exemptionCoversItsFileAndSizeOnly();
};

namespace {

struct Example {
    std::string_view rule;
    const char* title;
    const char* path;
    std::string text;
    int findingCount;
};

std::string manyLines(std::string_view head, int count, std::string_view tail)
{
    std::string text(head);
    for (int i = 0; i < count; ++i) {
        text += "    step();\n";
    }
    return text + std::string(tail);
}

/// What stands around the file that is looked at.
Tree surroundingsWith(const SourceFile& file)
{
    std::vector<SourceFile> files;
    for (const char* const path :
         {"core/kernel/base/bytes.h", "core/operations/survey.h", "core/service/lock_monitor.h",
          "core/wire/connection/connection.h", "core/wire/connection/codec.h",
          "core/pool/search_pool.h", "core/conduct/cast.h", "core/files/whole_file.h",
          "ui/models/locks/lock_table_model.h", "ui/widgets/lab/lab_page.h",
          "ui/widgets/controls/labels.h", "ui/widgets/locks/table/lock_table_view.h",
          "tests/support/manual_clock.h"}) {
        files.push_back(parseSource(path, "#pragma once\n"));
    }
    files.push_back(parseSource(
        "core/kernel/CMakeLists.txt",
        "lockscope_embed_text(lockscope_kernel a scripts.h scripts/once.lua)\nbuilt.cpp\n"));
    files.push_back(parseSource("tests/kernel/base/tst_tested.cpp",
                                "#include \"tests/kernel/base/used.h\"\n"));
    files.push_back(file);
    return Tree(std::move(files));
}

std::vector<Example> layeringExamples()
{
    return {
        {"layering", "kernel includes service", "core/kernel/a.cpp",
         "#include \"core/service/lock_monitor.h\"\n", 1},
        {"layering", "kernel includes kernel", "core/kernel/a.cpp",
         "#include \"core/kernel/base/bytes.h\"\n", 0},
        {"layering", "kernel includes operations", "core/kernel/a.cpp",
         "#include \"core/operations/survey.h\"\n", 1},
        {"layering", "operations include service", "core/operations/a.cpp",
         "#include \"core/service/lock_monitor.h\"\n", 1},
        {"layering", "operations include wire", "core/operations/a.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 1},
        {"layering", "widgets include operations", "ui/widgets/a.cpp",
         "#include \"core/operations/survey.h\"\n", 0},
        {"layering", "service includes wire", "core/service/a.h",
         "#include \"core/wire/connection/connection.h\"\n", 1},
        {"layering", "pool includes wire", "core/pool/a.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 1},
        {"layering", "conduct includes wire", "core/conduct/a.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 0},
        {"layering", "conduct includes pool", "core/conduct/a.cpp",
         "#include \"core/pool/search_pool.h\"\n", 1},
        {"layering", "models include files", "ui/models/a.cpp",
         "#include \"core/files/whole_file.h\"\n", 0},
        {"layering", "kernel includes files", "core/kernel/a.cpp",
         "#include \"core/files/whole_file.h\"\n", 1},
        {"layering", "wire includes conduct", "core/wire/a.cpp",
         "#include \"core/conduct/cast.h\"\n", 1},
        {"layering", "wire includes pool", "core/wire/a.cpp",
         "#include \"core/pool/search_pool.h\"\n", 1},
        {"layering", "models include pool", "ui/models/a.cpp",
         "#include \"core/pool/search_pool.h\"\n", 1},
        {"layering", "widgets include wire", "ui/widgets/a.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 1},
        {"layering", "models include widgets", "ui/models/a.h",
         "#include \"ui/widgets/locks/table/lock_table_view.h\"\n", 1},
        {"layering", "widgets include models", "ui/widgets/a.cpp",
         "#include \"ui/models/locks/lock_table_model.h\"\n", 0},
        {"layering", "app includes everything", "app/main.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 0},
        {"layering", "a ui test includes wire", "tests/ui/tst_a.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 1},
        {"layering", "a wire test includes wire", "tests/wire/tst_a.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 0},
        {"pages-apart", "a page includes another", "ui/widgets/locks/release/a.cpp",
         "#include \"ui/widgets/lab/lab_page.h\"\n", 1},
        {"pages-apart", "a page includes its own", "ui/widgets/lab/a.cpp",
         "#include \"ui/widgets/lab/lab_page.h\"\n", 0},
        {"pages-apart", "a page includes what pages share", "ui/widgets/lab/a.cpp",
         "#include \"ui/widgets/controls/labels.h\"\n", 0},
        {"include-path", "a path from the root", "core/wire/a.cpp",
         "#include \"core/kernel/base/bytes.h\"\n", 0},
        {"include-path", "a path from the layer", "core/wire/a.cpp", "#include \"base/bytes.h\"\n",
         1},
        {"include-path", "an embedded header", "core/kernel/a.cpp", "#include \"scripts.h\"\n", 0},
    };
}

std::vector<Example> foreignHeaderExamples()
{
    return {
        {"kernel-purity", "Qt", "core/kernel/a.cpp", "#include <QString>\n", 1},
        {"kernel-purity", "Qt in operations", "core/operations/a.cpp", "#include <QString>\n", 1},
        {"kernel-purity", "threads and files", "core/kernel/a.cpp",
         "#include <thread>\n#include <fstream>\n", 2},
        {"kernel-purity", "containers", "core/kernel/a.cpp",
         "#include <vector>\n#include <nlohmann/json.hpp>\n", 0},
        {"kernel-purity", "Qt in files", "core/files/a.cpp", "#include <QFile>\n", 1},
        {"kernel-purity", "the system in files", "core/files/a.cpp", "#include <unistd.h>\n", 0},
        {"kernel-purity", "Qt in wire", "core/wire/a.cpp", "#include <QString>\n", 0},
        {"conduct-parts", "a connection", "core/conduct/a.cpp",
         "#include \"core/wire/connection/connection.h\"\n", 1},
        {"conduct-parts", "the codec", "core/conduct/a.cpp",
         "#include \"core/wire/connection/codec.h\"\n", 0},
        {"conduct-parts", "threads", "core/conduct/a.cpp", "#include <thread>\n#include <mutex>\n",
         2},
        {"conduct-parts", "who distributes runs", "core/conduct/stage_team.h",
         "#pragma once\n#include <thread>\n", 0},
        {"conduct-parts", "sockets of Qt", "core/conduct/a.cpp", "#include <QTcpSocket>\n", 1},
        {"conduct-parts", "temporary folders", "core/conduct/a.cpp", "#include <QTemporaryDir>\n",
         0},
        {"no-widgets-below-widgets", "a delegate in models", "ui/models/a.h",
         "#include <QStyledItemDelegate>\n", 1},
        {"no-widgets-below-widgets", "a model in models", "ui/models/a.h",
         "#include <QAbstractItemModel>\n", 0},
        {"hiredis-in-codec", "in connection", "core/wire/connection/connection.cpp",
         "#include <hiredis.h>\n", 1},
        {"hiredis-in-codec", "in codec", "core/wire/connection/codec.cpp", "#include <hiredis.h>\n",
         0},
    };
}

std::vector<Example> bannedCallExamples()
{
    return {
        {"clocks", "in the kernel", "core/kernel/a.cpp",
         "auto t = std::chrono::steady_clock::now();\n", 1},
        {"clocks", "Qt's", "ui/widgets/a.cpp",
         "QDateTime::currentDateTimeUtc();\nQElapsedTimer t;\n", 2},
        {"clocks", "a test measures", "tests/ui/a.cpp", "QElapsedTimer t;\n", 0},
        {"clocks", "in loop_clock", "core/wire/loop_clock.cpp",
         "auto t = std::chrono::steady_clock::now();\n", 0},
        {"clocks", "a clock handed in", "core/kernel/a.cpp",
         "auto t = clock.now(); // not steady_clock::now\n", 0},
        {"luck", "a library engine", "core/wire/a.cpp",
         "std::mt19937 engine(std::random_device{}());\n", 2},
        {"luck", "a page that speaks of it", "docs/a.md", "no `std::random_device`\n", 0},
        {"luck", "our own", "core/wire/a.cpp", "const auto n = rng.below(10);\n", 0},
        {"static-dialogs", "a message box", "ui/widgets/a.cpp",
         "QMessageBox::warning(this, a, b);\n", 1},
        {"static-dialogs", "an icon's name", "ui/widgets/a.cpp",
         "box.setIcon(QMessageBox::Warning);\n", 0},
        {"settings", "in a window", "ui/widgets/shell/main_window.cpp", "QSettings settings;\n", 1},
        {"settings", "where they belong", "ui/widgets/shell/settings.cpp",
         "QSettings file(path);\n", 0},
        {"nested-loops", "pumping events", "app/a.cpp", "QCoreApplication::processEvents();\n", 1},
        {"nested-loops", "exec in a window", "ui/widgets/a.cpp", "dialog.exec();\n", 1},
        {"nested-loops", "open in a window", "ui/widgets/a.cpp", "dialog.open();\n", 0},
        {"nested-loops", "exec in main", "app/main.cpp", "return QApplication::exec();\n", 0},
        {"blocking-sockets", "in wire", "core/wire/a.cpp", "socket.waitForReadyRead(100);\n", 1},
        {"blocking-sockets", "a signal", "core/wire/a.cpp",
         "connect(&s, &QTcpSocket::readyRead, this, f);\n", 0},
        {"translations", "a helper", "ui/models/a.cpp", "QString translated(const char* text);\n",
         1},
        {"translations", "by hand", "ui/models/a.cpp",
         "return QCoreApplication::translate(\"A\", \"b\");\n", 1},
        {"translations", "no literal", "ui/models/a.cpp", "return UiText::tr(text);\n", 1},
        {"translations", "no literal of the kernel", "core/kernel/a.cpp",
         "return KernelText::tr(text);\n", 1},
        {"translations", "a literal of the kernel", "core/kernel/a.cpp",
         "return KernelText::tr(\"%1 more\", count);\n", 0},
        {"unmarked-texts", "a sentence", "core/kernel/a.cpp", "fail(\"Nobody can read this.\");\n",
         1},
        {"unmarked-texts", "two lines of it", "core/kernel/a.cpp",
         "fail(KernelText::tr(\"All of it \"\n    \"can be read by all.\"));\n", 0},
        {"unmarked-texts", "marked for later", "core/kernel/a.cpp",
         "add(QT_TRANSLATE_NOOP(\"KernelText\", \"two at once here\"));\n", 0},
        {"unmarked-texts", "an id", "core/kernel/a.cpp", "return \"not-a-text\";\n", 0},
        {"translations", "a literal", "ui/models/a.cpp", "return UiText::tr(\n    \"text\");\n", 0},
        {"translations", "a moved rectangle", "ui/models/a.cpp", "return rect.translated(1, 2);\n",
         0},
        {"string-connects", "old style", "ui/widgets/a.cpp",
         "connect(a, SIGNAL(b()), c, SLOT(d()));\n", 2},
        {"string-connects", "new style", "ui/widgets/a.cpp", "connect(a, &A::b, c, &C::d);\n", 0},
        {"sleeps", "a thread sleeps", "core/wire/a.cpp", "std::this_thread::sleep_for(1s);\n", 1},
        {"sleeps", "the system's", "core/wire/a.cpp", "::sleep(1);\n", 1},
        {"sleeps", "a step of that name", "core/kernel/a.cpp", "acts.push_back(Act::sleep(1s));\n",
         0},
        {"sleeps", "a test waits", "tests/ui/tst_a.cpp", "QTest::qWait(100);\n", 1},
        {"sleeps", "a test waits for something", "tests/ui/tst_a.cpp",
         "QTRY_COMPARE(spy.size(), 1);\n", 0},
        {"singletons", "instance()", "core/service/a.h", "static Audit& instance();\n", 1},
        {"singletons", "a constructor argument", "core/service/a.h",
         "explicit Desk(Audit& audit);\n", 0},
        {"scripts-in-code", "Lua in a string", "core/kernel/a.cpp",
         "f(\"return redis.call('del', KEYS[1])\");\n", 1},
        {"scripts-in-code", "the embedded constant", "core/kernel/a.cpp", "f(scripts::kRelease);\n",
         0},
    };
}

std::vector<Example> fileExamples()
{
    return {
        {"files-by-hand", "a stream", "app/a.cpp", "std::ifstream file(path);\n", 1},
        {"files-by-hand", "QSaveFile", "ui/widgets/a.cpp", "QSaveFile file(path);\n", 1},
        {"files-by-hand", "QFile", "core/wire/a.cpp", "QFile file(path);\nQFile(path).open();\n",
         2},
        {"files-by-hand", "a static function", "core/wire/a.cpp",
         "#include <QFile>\nif (QFile::exists(path)) {}\n", 0},
        {"files-by-hand", "where it belongs", "core/files/a.cpp", "std::fopen(path);\n", 0},
        {"files-by-hand", "a test", "tests/wire/tst_a.cpp", "QFile file(path);\n", 0},
    };
}

std::vector<Example> coroutineExamples()
{
    return {
        {"braces-in-await", "an aggregate", "core/kernel/a.cpp",
         "auto r = co_await store.submit(Command{\"GET\"});\n", 1},
        {"braces-in-await", "over lines", "core/kernel/a.cpp", "co_await f(a,\n         {b});\n",
         1},
        {"braces-in-await", "named first", "core/kernel/a.cpp",
         "Command c{\"GET\"};\nco_await f(std::move(c));\n", 0},
        {"braces-in-await", "a block behind it", "core/kernel/a.cpp",
         "if (co_await ready()) {\n    go();\n}\n", 0},
        {"braces-in-await", "the operator", "core/kernel/a.h",
         "Awaiter operator co_await() && { return a; }\n", 0},
        {"capturing-coroutine", "captures", "core/kernel/a.cpp",
         "auto l = [this]() -> Task<int> { co_return 1; };\n", 1},
        {"capturing-coroutine", "does not", "core/kernel/a.cpp",
         "auto l = [](A& a) -> Task<int> { co_return 1; };\n", 0},
        {"capturing-coroutine", "no coroutine", "core/kernel/a.cpp",
         "Task<int> f()\n{\n    g([&] { h(); });\n    co_return 1;\n}\n", 0},
    };
}

std::vector<Example> sizeExamples()
{
    return {
        {"long-function", "68 lines inside", "core/kernel/a.cpp",
         manyLines("void f()\n{\n", 68, "}\n"), 1},
        {"long-function", "67 lines inside", "core/kernel/a.cpp",
         manyLines("void f()\n{\n", 67, "}\n"), 0},
        {"long-function", "a table of cases", "tests/a.cpp",
         manyLines("void T::x_data()\n{\n", 90, "}\n"), 0},
        {"long-constructor", "too long", "ui/widgets/a.cpp", manyLines("W::W()\n{\n", 38, "}\n"),
         1},
        {"long-constructor", "a function may be longer", "ui/widgets/a.cpp",
         manyLines("void W::w()\n{\n", 38, "}\n"), 0},
        {"long-file", "601 lines", "core/kernel/a.h", manyLines("", 601, ""), 1},
        {"long-file", "600 lines", "core/kernel/a.h", manyLines("", 600, ""), 0},
    };
}

std::vector<Example> orderExamples()
{
    return {
        {"leftovers", "a mark", "core/kernel/a.cpp", std::string("// FIX") + "ME later\n", 1},
        {"leftovers", "none", "core/kernel/a.cpp", "// Later means: after the sweep.\n", 0},
        {"pragma-once", "a guard", "core/kernel/a.h", "#ifndef A_H\n", 1},
        {"pragma-once", "as it should be", "core/kernel/a.h", "#pragma once\n", 0},
        {"using-in-header", "in a header", "core/kernel/a.h", "using namespace std;\n", 1},
        {"using-in-header", "in a source", "tests/a.cpp", "using namespace lockscope;\n", 0},
        {"unused-using", "unused", "core/kernel/a.cpp", "using store::Reply;\nint reply;\n", 1},
        {"unused-using", "used", "core/kernel/a.cpp", "using store::Reply;\nReply reply;\n", 0},
        {"unused-using", "an alias", "core/kernel/a.cpp", "using Text = std::string;\n", 0},
        {"unused-using", "a namespace", "tests/a.cpp", "using namespace a::b;\n", 0},
        {"vague-name", "a manager", "core/wire/lock_manager.cpp", "", 1},
        {"vague-name", "a subject", "core/wire/watch/server_watch.cpp", "", 0},
        {"mirror-test", "untested", "core/kernel/base/untested.cpp", "", 1},
        {"mirror-test", "tested", "core/kernel/base/tested.cpp", "", 0},
        {"mirror-test", "tested along", "core/kernel/base/used.cpp", "", 0},
        {"mirror-test", "headers are free", "core/kernel/base/untested.h", "", 0},
        {"unbuilt", "nobody builds it", "core/kernel/orphan.cpp", "", 1},
        {"unbuilt", "built", "core/kernel/built.cpp", "", 0},
        {"script-embedded-once", "never", "core/kernel/scripts/never.lua", "", 1},
        {"script-embedded-once", "once", "core/kernel/scripts/once.lua", "", 0},
        {"unused-header", "unused", "core/kernel/base/unused.h", "#pragma once\n", 1},
        {"unused-header", "used", "tests/kernel/base/used.h", "#pragma once\n", 0},
        {"broken-link", "to nowhere", "docs/a.md", "See [there](missing.md#part).\n", 1},
        {"broken-link", "upwards", "docs/a.md",
         "See [there](../core/kernel/CMakeLists.txt), [web](https://redis.io).\n", 0},
        {"tidy-reasons", "no reason", ".clang-tidy", "Checks: >\n    -*,\n    -misc-a,\n", 1},
        {"tidy-reasons", "with a reason", ".clang-tidy",
         "# -misc-a: it is noisy\nChecks: >\n    -misc-a,\n", 0},
    };
}

std::vector<Example> allExamples()
{
    std::vector<Example> all;
    for (const std::vector<Example>& group :
         {layeringExamples(), foreignHeaderExamples(), bannedCallExamples(), fileExamples(),
          coroutineExamples(), sizeExamples(), orderExamples()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

Findings check(std::string_view ruleId, const SourceFile& file)
{
    for (const Rule& rule : allRules()) {
        if (rule.id == ruleId) {
            return rule.check(file, surroundingsWith(file));
        }
    }
    return {};
}

} // namespace

void HouseRuleTable::catchesTheBadAndPassesTheGood_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Example> examples = allExamples();
    for (std::size_t i = 0; i < examples.size(); ++i) {
        QTest::addRow("%s: %s", std::string(examples[i].rule).c_str(), examples[i].title)
            << static_cast<int>(i);
    }
}

void HouseRuleTable::catchesTheBadAndPassesTheGood()
{
    QFETCH(const int, index);
    const Example example = allExamples()[static_cast<std::size_t>(index)];
    const Findings findings = check(example.rule, parseSource(example.path, example.text));
    QCOMPARE(static_cast<int>(findings.size()), example.findingCount);
}

void HouseRuleTable::everyRuleHasABadAndAGoodExample()
{
    for (const Rule& rule : allRules()) {
        bool hasBad = false;
        bool hasGood = false;
        for (const Example& example : allExamples()) {
            if (example.rule == rule.id) {
                (example.findingCount > 0 ? hasBad : hasGood) = true;
            }
        }
        QVERIFY2(hasBad && hasGood, std::string(rule.id).c_str());
    }
}

void HouseRuleTable::namesAreUnique()
{
    std::set<std::string_view> names;
    for (const Rule& rule : allRules()) {
        QVERIFY2(names.insert(rule.id).second, std::string(rule.id).c_str());
    }
}

void HouseRuleTable::findingNamesTheLine()
{
    const SourceFile file = parseSource("core/wire/a.cpp",
                                        "int a;\n\nvoid f()\n{\n    usleep(1);\n}\n");
    const Findings findings = check("sleeps", file);
    QCOMPARE(findings.size(), std::size_t(1));
    QCOMPARE(findings[0].line, 5);
    QCOMPARE(findings[0].path, std::string("core/wire/a.cpp"));
}

void HouseRuleTable::exemptionCoversItsFileAndSizeOnly()
{
    const Exemption exemption{"long-file", "core/a.cpp", "", 700, "it is a table"};
    QVERIFY(exemption.covers("long-file", {"core/a.cpp", 0, "700 lines", 700}));
    QVERIFY(!exemption.covers("long-file", {"core/a.cpp", 0, "701 lines", 701}));
    QVERIFY(!exemption.covers("long-file", {"core/b.cpp", 0, "650 lines", 650}));
    QVERIFY(!exemption.covers("long-function", {"core/a.cpp", 1, "f has 80 lines", 80}));
}

LOCKSCOPE_TEST(HouseRuleTable, None)

} // namespace lockscope::tst_house_rule_table

#include "tst_house_rule_table.moc"
