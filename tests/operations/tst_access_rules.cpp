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

constexpr Access kWatching{};
constexpr Access kReleasing{.releases = true};

bool contains(const std::vector<std::string>& rules, std::string_view rule)
{
    return std::ranges::find(rules, rule) != rules.end();
}

QStringList ofProgram(const Access& access)
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
    void whatIsAskedForBesidesIsAdded();
    void sentinelsAreAskedForTheMasterOnly();
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
    const auto old = accessRules(kReleasing, {6, 2});
    const auto middle = accessRules(kReleasing, {7, 0});
    const auto young = accessRules(kReleasing, {7, 2});
    for (const char* const rule : {"+pexpiretime", "+pubsub|shardnumsub", "+spublish"}) {
        QVERIFY(!contains(old, rule));
        QVERIFY(contains(middle, rule));
    }
    QVERIFY(!contains(middle, "+client|no-touch"));
    QVERIFY(contains(young, "+client|no-touch"));
    QVERIFY(contains(accessRules(kWatching, {6, 2}), "~*"));
    QVERIFY(contains(accessRules(kWatching, {7, 0}), "%R~*"));
}

void TestAccessRules::whoMayReleaseMayAlsoWatch()
{
    const auto releasing = accessRules(kReleasing, {7, 2});
    for (const std::string& rule : accessRules(kWatching, {7, 2})) {
        const bool isCommand = rule.starts_with('+');
        QVERIFY2(!isCommand || contains(releasing, rule), rule.c_str());
    }
}

void TestAccessRules::whoMayWatchMayNotWrite()
{
    const auto rules = accessRules(kWatching, {7, 2});
    for (const char* const rule : {"+eval", "+set", "+del", "+publish", "~*", "&*"}) {
        QVERIFY2(!contains(rules, rule), rule);
    }
}

void TestAccessRules::whatIsAskedForBesidesIsAdded()
{
    const auto added = [](const Access& access) {
        std::vector<std::string> rules = accessRules(access, {7, 2});
        const std::vector<std::string> usual = accessRules({.releases = access.releases}, {7, 2});
        std::erase_if(rules, [&usual](const std::string& rule) { return contains(usual, rule); });
        return rules;
    };
    QVERIFY(added({.isInCluster = true})
            == (std::vector<std::string>{"+cluster|nodes", "+cluster|info", "+asking"}));
    QVERIFY(added({.releases = true, .disconnects = true})
            == std::vector<std::string>{"+client|kill"});
    QVERIFY(added({.captures = true}) == std::vector<std::string>{"+monitor"});
}

void TestAccessRules::sentinelsAreAskedForTheMasterOnly()
{
    const std::vector<std::string> rules = sentinelRules();
    QVERIFY(contains(rules, "-@all") && contains(rules, "+sentinel|masters"));
    for (const char* const rule : {"+sentinel", "+sentinel|failover", "+sentinel|set", "&*"}) {
        QVERIFY2(!contains(rules, rule), rule);
    }
}

void TestAccessRules::readmeShowsTheRules()
{
    QCOMPARE(ofReadme(), ofProgram(kWatching));
}

LOCKSCOPE_TEST(TestAccessRules, None)

} // namespace lockscope::tst_access_rules

#include "tst_access_rules.moc"
