#include "core/operations/access_rules.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>

namespace lockscope::tst_access_rules {

using namespace lockscope::operations;
using namespace lockscope::testing;

namespace {

bool contains(const std::vector<std::string>& rules, std::string_view rule)
{
    return std::ranges::find(rules, rule) != rules.end();
}

QStringList ofProgram(Access access)
{
    QStringList all;
    for (const std::string& rule : accessRules(access, {7, 0})) {
        all.append(QString::fromStdString(rule));
    }
    return all;
}

/// The rules in the code block below README's heading "Permissions".
QStringList ofReadme()
{
    QFile file(inSourceTree(QStringLiteral("README.md")));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QString section = QString::fromUtf8(file.readAll())
                                .section(QStringLiteral("\n## Permissions\n"), 1)
                                .section(QStringLiteral("\n## "), 0, 0);
    const QString output = section.split(QStringLiteral("```")).value(3);
    return output.simplified().split(u' ').mid(6); // ACL SETUSER NAME reset on >PASSWORD
}

} // namespace

class TestAccessRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void versionsAreRead_data();
    void versionsAreRead();
    void aServerIsToldNothingThatItDoesNotKnow();
    void whoMayReleaseMayAlsoWatch();
    void whoMayWatchMayNotWrite();
    void readmeShowsTheRules();
};

void TestAccessRules::versionsAreRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<int>("major"); // 0: it is none
    QTest::addColumn<int>("minor");
    const auto row = [](const std::string& text, int major, int minor) {
        QTest::newRow(text.empty() ? "empty" : text.c_str()) << text << major << minor;
    };
    row("7.0.15", 7, 0);
    row("7.2", 7, 2);
    row("6.2.14", 6, 2);
    row("8.0.0-rc1", 8, 0);
    row("10.12", 10, 12);
    row("6.0.16", 0, 0);
    row("5.0", 0, 0);
    row("7", 0, 0);
    row("7.", 0, 0);
    row("7.x", 0, 0);
    row("7.2x", 0, 0);
    row("-7.2", 0, 0);
    row("v7.2", 0, 0);
    row("99999999999.0", 0, 0);
    row("", 0, 0);
}

void TestAccessRules::versionsAreRead()
{
    QFETCH(const std::string, text);
    QFETCH(const int, major);
    QFETCH(const int, minor);
    const std::optional<ServerVersion> version = serverVersionOf(text);
    QCOMPARE(version.has_value(), major > 0);
    QVERIFY(!version || *version == (ServerVersion{major, minor}));
}

void TestAccessRules::aServerIsToldNothingThatItDoesNotKnow()
{
    const auto old = accessRules(Access::Release, {6, 2});
    const auto middle = accessRules(Access::Release, {7, 0});
    const auto young = accessRules(Access::Release, {7, 2});
    for (const char* const rule : {"+pexpiretime", "+pubsub|shardnumsub", "+spublish"}) {
        QVERIFY(!contains(old, rule));
        QVERIFY(contains(middle, rule));
    }
    QVERIFY(!contains(middle, "+client|no-touch"));
    QVERIFY(contains(young, "+client|no-touch"));
    QVERIFY(contains(accessRules(Access::Watch, {6, 2}), "~*"));
    QVERIFY(contains(accessRules(Access::Watch, {7, 0}), "%R~*"));
}

void TestAccessRules::whoMayReleaseMayAlsoWatch()
{
    const auto releasing = accessRules(Access::Release, {7, 2});
    for (const std::string& rule : accessRules(Access::Watch, {7, 2})) {
        const bool isCommand = rule.starts_with('+');
        QVERIFY2(!isCommand || contains(releasing, rule), rule.c_str());
    }
}

void TestAccessRules::whoMayWatchMayNotWrite()
{
    const auto rules = accessRules(Access::Watch, {7, 2});
    for (const char* const rule : {"+eval", "+set", "+del", "+publish", "~*", "&*"}) {
        QVERIFY2(!contains(rules, rule), rule);
    }
}

void TestAccessRules::readmeShowsTheRules()
{
    QCOMPARE(ofReadme(), ofProgram(Access::Watch));
}

LOCKSCOPE_TEST(TestAccessRules, None)

} // namespace lockscope::tst_access_rules

#include "tst_access_rules.moc"
