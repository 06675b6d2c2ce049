// Shards of a search, merged, are what the search is in one piece.

#include "app/cli/cli_arguments.h"
#include "app/cli/program.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <algorithm>

namespace lockscope::tst_shards {

using namespace lockscope::cli;

namespace {

constexpr int kPatienceMs = 120'000;
constexpr int kShardCount = 3;
using Words = std::vector<std::string>;

struct Answer {
    int exitCode = -1;
    std::string output;
};

/// What the program prints, without a process of its own.
Answer answerTo(const Words& words)
{
    auto parsed = parseCliArguments(words, {});
    if (const auto* const error = std::get_if<app::ArgumentError>(&parsed)) {
        return {-1, error->reason.substr(0, error->reason.find(" See: "))};
    }
    QTemporaryFile results;
    QTemporaryFile diagnostics;
    if (!results.open() || !diagnostics.open()) {
        return {};
    }
    Output output(results.handle(), diagnostics.handle());
    Program program(std::move(std::get<CliArguments>(parsed)), output);
    QSignalSpy finished(&program, &Program::finished);
    if (!finished.wait(kPatienceMs)) {
        return {-1, "it does not end"};
    }
    QFile file(results.fileName());
    const bool isOpen = file.open(QIODevice::ReadOnly);
    return {finished.front().front().toInt(), isOpen ? file.readAll().toStdString() : ""};
}

Words with(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

} // namespace

class TestShards final : public QObject {
    Q_OBJECT

    const QTemporaryDir m_folder;

    std::string fileWith(const std::string& text, const std::string& name) const
    {
        const QString path = m_folder.filePath(QString::fromStdString(name));
        QFile file(path);
        const bool isWritten = file.open(QIODevice::WriteOnly)
                               && file.write(QByteArray::fromStdString(text)) > 0;
        return isWritten ? path.toStdString() : std::string();
    }

    /// The names of its files, in the order of the shards.
    Words shardsOf(const Words& call, int count) const
    {
        Words names;
        for (int i = 1; i <= count; ++i) {
            const std::string shard = std::to_string(i) + '/' + std::to_string(count);
            const Answer answer = answerTo(with(call, {"--shard", shard}));
            if (answer.exitCode != 0) {
                QTest::qFail(answer.output.c_str(), __FILE__, __LINE__);
            }
            names.push_back(fileWith(answer.output, call.front() + std::to_string(i) + "of"
                                                        + std::to_string(count) + ".json"));
        }
        return names;
    }

    std::string complaintAbout(const Words& files) const
    {
        std::string text = answerTo(with({"merge"}, files)).output;
        const std::string folder = m_folder.path().toStdString() + '/';
        for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
            text.erase(at, folder.size());
        }
        return text;
    }

private Q_SLOTS:
    void mergedTheyAreTheWhole_data();
    void mergedTheyAreTheWhole();
    void aShardIsAsItsSchemaSays();
    void whatDoesNotBelongTogetherIsRefused();
    void whatIsNoShardIsRefused();
    void nonsenseIsRefused();
};

void TestShards::mergedTheyAreTheWhole_data()
{
    QTest::addColumn<QStringList>("call");
    QTest::addColumn<QStringList>("formats");
    const QStringList prose{QStringLiteral("text"), QStringLiteral("json")};
    QTest::newRow("explore")
        << QStringLiteral("explore --protocol lua-setnx-expire --faults interleaving,pause,crash "
                          "--max-schedules 100")
               .split(u' ')
        << prose;
    QTest::newRow("explore with preemptions")
        << QStringLiteral("explore --protocol set-nx-ex --faults pause --clients 3 "
                          "--max-schedules 60 --max-preemptions 1")
               .split(u' ')
        << prose;
    QTest::newRow("simulate") << QStringLiteral(
                                     "simulate --protocol setnx-then-expire --faults crash "
                                     "--seed 7 --runs 400")
                                     .split(u' ')
                              << prose;
    QTest::newRow("matrix") << QStringLiteral("matrix --protocols set-nx-px-token,exists-then-set "
                                              "--faults interleaving,crash,hang --max-schedules 40")
                                   .split(u' ')
                            << QStringList{QStringLiteral("json"), QStringLiteral("csv"),
                                           QStringLiteral("markdown")};
}

void TestShards::mergedTheyAreTheWhole()
{
    QFETCH(const QStringList, call);
    QFETCH(const QStringList, formats);
    Words words;
    for (const QString& word : call) {
        words.push_back(word.toStdString());
    }
    Words files = shardsOf(words, kShardCount);
    std::ranges::reverse(files); // in any order
    for (const QString& format : formats) {
        const Words asFormat{"--format", format.toStdString()};
        const Answer whole = answerTo(with(words, asFormat));
        const Answer merged = answerTo(with(with({"merge"}, files), asFormat));
        QCOMPARE(merged.output, whole.output);
        QCOMPARE(merged.exitCode, whole.exitCode);
        QVERIFY(merged.output.size() > 100);
    }
}

void TestShards::aShardIsAsItsSchemaSays()
{
    const Words calls[] = {
        {"explore", "--protocol", "set-nx-ex", "--faults", "crash", "--max-schedules", "30"},
        {"simulate", "--protocol", "set-nx-ex", "--runs", "200"},
        {"matrix", "--protocols", "set-nx-ex", "--faults", "crash", "--max-schedules", "30"},
    };
    for (const Words& call : calls) {
        const Answer shard = answerTo(with(call, {"--shard", "2/2"}));
        QCOMPARE(shard.exitCode, 0);
        QCOMPARE(testing::schemaComplaint(nlohmann::json::parse(shard.output), "shard"),
                 std::string());
    }
}

void TestShards::whatDoesNotBelongTogetherIsRefused()
{
    const Words call{"explore", "--protocol", "set-nx-ex", "--faults", "crash"};
    const Words few = shardsOf(with(call, {"--max-schedules", "20"}), kShardCount);
    const std::string& one = few[0];
    const std::string& two = few[1];
    QCOMPARE(complaintAbout({one, two}), std::string("shard 3 of 3 is missing."));
    QCOMPARE(complaintAbout({two}), std::string("shards 1, 3 of 3 are missing."));
    QCOMPARE(complaintAbout({one, two, one}),
             std::string("\"explore1of3.json\" and \"explore1of3.json\" are both shard 1 of 3."));
    const Words more = shardsOf(with(call, {"--max-schedules", "21"}), 2);
    QCOMPARE(complaintAbout({one, more[1]}),
             std::string("\"explore1of3.json\" and \"explore2of2.json\" are of different searches: "
                         "--max-schedules differs."));
    const Words halves = shardsOf(with(call, {"--max-schedules", "20"}), 2);
    QCOMPARE(
        complaintAbout({one, halves[1]}),
        std::string("\"explore1of3.json\" and \"explore2of2.json\" do not belong together: one "
                    "is of 3 shards, the other of 2."));
    const Words random = shardsOf({"simulate", "--protocol", "set-nx-ex", "--runs", "10"}, 2);
    QCOMPARE(
        complaintAbout({halves[0], random[1]}),
        std::string("\"explore1of2.json\" and \"simulate2of2.json\" are of different searches: "
                    "the commands differ."));
}

void TestShards::whatIsNoShardIsRefused()
{
    const Words call{"explore",         "--protocol", "set-nx-ex", "--faults", "crash",
                     "--max-schedules", "10",         "--shard",   "1/1"};
    const std::string good = answerTo(call).output;
    const auto complaint = [this, &good](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        if (at == std::string::npos) {
            return "there is no " + from;
        }
        text.replace(at, from.size(), to);
        return complaintAbout({fileWith(text, "a.json")});
    };
    QCOMPARE(complaint(good, "[1]"), std::string("\"a.json\" is not a shard of a search."));
    QCOMPARE(complaint(good, "soup"), std::string("\"a.json\" is not a shard of a search."));
    QCOMPARE(complaint("\"of\":1", "\"of\":2"),
             std::string("\"a.json\" is damaged: its content does not fit its digest."));
    QCOMPARE(complaint("\"version\":\"" LOCKSCOPE_VERSION "\"", "\"version\":\"0.0.1\""),
             std::string("\"a.json\" was made by lockscope-cli 0.0.1; this is " LOCKSCOPE_VERSION
                         ": shards are merged by the version that searched them."));
}

void TestShards::nonsenseIsRefused()
{
    for (const char* const shard : {"0/3", "4/3", "3", "a/b", "1/0", "1/99999"}) {
        const std::string reason = answerTo({"matrix", "--shard", shard}).output;
        QVERIFY2(reason.find("is the third of sixteen") != std::string::npos, reason.c_str());
    }
    QVERIFY(answerTo({"explore", "--protocol", "set-nx-ex", "--shard", "1/2", "--save", "x"})
                .output.starts_with("--shard: a share of a search has nothing to save yet"));
    QVERIFY(answerTo({"merge"}).output.starts_with("merge needs a FILE"));
}

LOCKSCOPE_TEST(TestShards, Core)

} // namespace lockscope::tst_shards

#include "tst_shards.moc"
