#include "app/cli/cli_arguments.h"
#include "app/cli/options/audited_action.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_audited_action {

using namespace lockscope::cli;

class TestAuditedAction final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void productionWantsAReason_data();
    void productionWantsAReason();
    void theOptionCountsMoreThanTheVariable();
    void whoLooksOnlyNeedsNone();
};

namespace {

/// What is wrong with the call; empty: nothing.
std::string complaintAbout(const std::string& call, const std::string& variable)
{
    std::vector<std::string> words;
    for (const QString& word : QString::fromStdString(call).split(u' ')) {
        words.push_back(word.toStdString());
    }
    app::Environment environment;
    environment.environment = variable;
    const auto result = parseCliArguments(words, environment);
    const auto* const error = std::get_if<app::ArgumentError>(&result);
    return error != nullptr ? error->reason : std::string();
}

} // namespace

void TestAuditedAction::productionWantsAReason_data()
{
    QTest::addColumn<std::string>("call");
    QTest::newRow("release") << std::string("release k --owner me");
    QTest::newRow("disconnect") << std::string("disconnect k --owner me --client 7");
}

void TestAuditedAction::productionWantsAReason()
{
    QFETCH(const std::string, call);
    QCOMPARE(complaintAbout(call, ""), std::string());
    QCOMPARE(complaintAbout(call, "staging"), std::string());
    const std::string complaint = complaintAbout(call, "Production");
    QVERIFY2(complaint.starts_with("--reason TEXT is required in production"), complaint.c_str());
    QVERIFY(!complaintAbout(call + " --environment prod", "").empty());
    QVERIFY(!complaintAbout(call + " --reason=", "live").empty());
    QCOMPARE(complaintAbout(call + " --reason INC-812", "production"), std::string());
}

void TestAuditedAction::theOptionCountsMoreThanTheVariable()
{
    QCOMPARE(complaintAbout("release k --owner me --environment staging", "production"),
             std::string());
}

void TestAuditedAction::whoLooksOnlyNeedsNone()
{
    QCOMPARE(complaintAbout("release k --owner me --dry-run", "production"), std::string());
    QCOMPARE(complaintAbout("disconnect k --owner me --dry-run", "production"), std::string());
    QCOMPARE(complaintAbout("list", "production"), std::string());
}

LOCKSCOPE_TEST(TestAuditedAction, None)

} // namespace lockscope::tst_audited_action

#include "tst_audited_action.moc"
