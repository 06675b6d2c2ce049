#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/step.h"
#include "core/kernel/world/world_plan.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::tst_fault_info {

using namespace lockscope::world;
using namespace std::chrono_literals;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(testing::inSourceTree(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// "ConnectionLoss" of "connection-loss".
QString nameInCode(std::string_view id)
{
    QString name;
    for (const QString& word : QString::fromUtf8(id.data(), qsizetype(id.size())).split(u'-')) {
        name += word.left(1).toUpper() + word.mid(1);
    }
    return name;
}

/// The files in which the enumerator is used, below core, app and ui.
QStringList usersOf(const QString& enumerator)
{
    const QRegularExpression use(QStringLiteral("FaultKind::%1\\b").arg(enumerator));
    QStringList users;
    for (const char* const folder : {"core", "app", "ui"}) {
        const QString root = testing::inSourceTree(QString::fromLatin1(folder));
        QDirIterator files(root, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly) && QString::fromUtf8(file.readAll()).contains(use)) {
                users << file.fileName().mid(root.size() - qsizetype(qstrlen(folder)));
            }
        }
    }
    return users;
}

} // namespace

class TestFaultInfo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindIsDescribed();
    void everyKindTellsItsStory();
    void nonsenseIsNoKind();
    void everyKindMayHappen();
    void aKindIsInTwoFiles_data();
    void aKindIsInTwoFiles();
    void theSchemaListsAll();
    void theManualNamesAll();
};

void TestFaultInfo::everyKindIsDescribed()
{
    const auto faults = allFaults();
    QCOMPARE(faults.size(), std::size_t(FaultKind::FaultKindCount));
    std::set<std::string> texts;
    for (std::size_t i = 0; i < faults.size(); ++i) {
        const FaultInfo& fault = faults[i];
        QCOMPARE(fault.kind, static_cast<FaultKind>(i));
        QCOMPARE(&infoOf(fault.kind), &fault);
        QCOMPARE(faultKindOf(fault.id), std::optional(fault.kind));
        QVERIFY(fault.description().ends_with('.'));
        QVERIFY(texts.insert(fault.name()).second);
        QVERIFY(texts.insert(fault.description()).second);
        QCOMPARE(fault.spared == nullptr, fault.kind == FaultKind::Interleaving);
        // The columns of the matrix are as wide as its marks.
        for (const QString& word : QString::fromStdString(fault.name()).split(u' ')) {
            QVERIFY2(!word.isEmpty() && word.size() <= 10, fault.name().c_str());
        }
    }
    // They stand in files: none of them ever changes.
    QCOMPARE(QByteArray(idOf(FaultKind::Interleaving).data()), "interleaving");
    QCOMPARE(QByteArray(idOf(FaultKind::MessageDelay).data()), "message-delay");
    QCOMPARE(QByteArray(idOf(FaultKind::ForceRelease).data()), "force-release");
    QCOMPARE(QByteArray(idOf(FaultKind::Eviction).data()), "eviction");
}

void TestFaultInfo::everyKindTellsItsStory()
{
    for (const FaultInfo& fault : allFaults()) {
        WorldPlan plan;
        plan.faults = FaultPlan::only(fault.kind, 10s);
        const std::string story = fault.story(Step::ofFault(fault.kind, 1, 0), plan, "GET k");
        QCOMPARE(story.empty(), fault.kind == FaultKind::Interleaving);
        QVERIFY2(!QByteArray(story.c_str()).endsWith('.'), story.c_str());
        QCOMPARE(fault.usualAmount != nullptr, plan.faults.of(fault.kind).amount > 0s);
    }
}

void TestFaultInfo::nonsenseIsNoKind()
{
    for (const char* const text : {"", "Crash", "crash ", "crashes", "fault", "clock_skew"}) {
        QVERIFY2(!faultKindOf(text), text);
    }
}

/// No other place has to know a kind for it to be offered and to happen.
void TestFaultInfo::everyKindMayHappen()
{
    for (const FaultInfo& fault : allFaults()) {
        const bool isFault = fault.kind != FaultKind::Interleaving && !isMisuse(fault.kind);
        QCOMPARE(fault.offer != nullptr, isFault);
        QCOMPARE(fault.carryOut != nullptr, isFault);
    }
}

void TestFaultInfo::aKindIsInTwoFiles_data()
{
    QTest::addColumn<QString>("enumerator");
    QTest::addColumn<QStringList>("more");
    // Where a kind means something else besides, which no new one has to; lint names those under
    // which its patterns show.
    const QString lint = QStringLiteral("core/kernel/lint/pattern.cpp");
    // What a conductor does to real clients is called as in a simulated world.
    const QString conduct = QStringLiteral("core/kernel/conduct/deviation.cpp");
    // A scenario pauses and crashes contenders on real servers, and claims assume the same there.
    const QString terms = QStringLiteral("core/kernel/search/promise_terms.cpp");
    // Some plans are of use under some faults only.
    const QString plans = QStringLiteral("core/kernel/search/default_plans.cpp");
    // Two of them show what is no choice, whatever was asked about.
    const QString advice = QStringLiteral("core/kernel/report/advice.cpp");
    const std::map<FaultKind, QStringList> more{
        {FaultKind::Crash,
         {QStringLiteral("app/cli/commands/advise_command.cpp"), conduct, lint, advice, plans,
          terms, QStringLiteral("ui/models/lab/lab_draft.cpp")}},
        {FaultKind::Pause,
         {conduct, lint, advice, plans, terms, QStringLiteral("core/kernel/search/story.cpp"),
          QStringLiteral("ui/models/lab/lab_draft.cpp")}},
        {FaultKind::MessageDelay, {conduct, lint, plans}},
        {FaultKind::ConnectionLoss, {conduct, lint}},
        {FaultKind::MessageLoss, {conduct, lint}},
        {FaultKind::ClockStep, {conduct}},
        {FaultKind::Partition, {conduct}},
        {FaultKind::ServerRestart, {conduct}},
        {FaultKind::Failover, {conduct}},
        {FaultKind::ScriptFlush, {conduct}},
        {FaultKind::ClockSkew, {lint}},
        {FaultKind::SharedIdentity, {plans}},
        {FaultKind::HandedOver, {plans}},
    };
    for (const FaultInfo& fault : allFaults()) {
        if (fault.kind != FaultKind::Interleaving) { // which is no fault
            const auto found = more.find(fault.kind);
            QTest::addRow("%s", std::string(fault.id).c_str())
                << nameInCode(fault.id) << (found != more.end() ? found->second : QStringList());
        }
    }
}

void TestFaultInfo::aKindIsInTwoFiles()
{
    QFETCH(const QString, enumerator);
    QFETCH(const QStringList, more);
    QVERIFY(contentOf(QStringLiteral("core/kernel/world/fault_kind.h"))
                .contains(QString(u' ' + enumerator + u',').toUtf8()));
    // Beside the enumerator: one entry, with its words and with what it does.
    QStringList users = usersOf(enumerator);
    const QStringList entries = users.filter(QStringLiteral("core/kernel/world/"));
    QCOMPARE(entries.size(), 1);
    QVERIFY2(entries[0].startsWith(QLatin1String("core/kernel/world/faults/")),
             qPrintable(entries[0]));
    users.removeOne(entries[0]);
    users.sort();
    QCOMPARE(users, more);
}

void TestFaultInfo::theSchemaListsAll()
{
    const QString path = QStringLiteral("docs/json/fault.schema.json");
    nlohmann::ordered_json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                                  {"$id", "lockscope:fault"},
                                  {"title", "A kind of fault"}};
    for (const FaultInfo& fault : allFaults()) {
        schema["enum"].push_back(fault.id);
    }
    const QByteArray expected = QByteArray::fromStdString(schema.dump(2)) + '\n';
    if (qEnvironmentVariableIsSet("LOCKSCOPE_WRITE_SCHEMA")) {
        QFile file(testing::inSourceTree(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(expected);
        return;
    }
    QVERIFY2(contentOf(path) == expected, "LOCKSCOPE_WRITE_SCHEMA=1 world_tests tst_fault_info");
}

void TestFaultInfo::theManualNamesAll()
{
    const QByteArray manual = contentOf(QStringLiteral("docs/lockscope-cli.1"));
    const QByteArray page = contentOf(QStringLiteral("docs/simulation.md"));
    for (const FaultInfo& fault : allFaults()) {
        const QByteArray id(fault.id.data(), qsizetype(fault.id.size()));
        const QByteArray row = QByteArray("| `").append(id).append("` |");
        QVERIFY2(manual.contains(QByteArray(id).replace("-", "\\-")), id.constData());
        QVERIFY2(page.contains(row), row.constData());
    }
}

LOCKSCOPE_TEST(TestFaultInfo, Core)

} // namespace lockscope::tst_fault_info

#include "tst_fault_info.moc"
