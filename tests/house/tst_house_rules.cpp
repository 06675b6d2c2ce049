#include "tests/house/rule.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_house_rules {

using namespace lockscope::house;

/// Holds the tree against the rules. What is wrong is listed with file, line and what to do
/// instead.
class HouseRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void treeIsRead();
    void treeKeepsTheRule_data();
    void treeKeepsTheRule();
    void everyExemptionIsStillNeeded_data();
    void everyExemptionIsStillNeeded();

private:
    Findings findingsOf(const Rule& rule) const;

    Tree m_tree;
};

namespace {

QString asText(const Finding& finding)
{
    const QString path = QString::fromStdString(finding.path);
    const QString place = finding.line > 0 ? QStringLiteral("%1:%2").arg(path).arg(finding.line)
                                           : path;
    return place + QStringLiteral(": ") + QString::fromStdString(finding.what);
}

bool isExempt(const Rule& rule, const Finding& finding)
{
    for (const Exemption& exemption : exemptions()) {
        if (exemption.covers(rule.id, finding)) {
            return true;
        }
    }
    return false;
}

} // namespace

void HouseRules::initTestCase()
{
    m_tree = Tree::read(lockscope::testing::inSourceTree({}).toStdString());
}

/// The rules would also hold for an empty tree, so make sure that this is not one.
void HouseRules::treeIsRead()
{
    QVERIFY(m_tree.find("core/kernel/async/task.h") != nullptr);
    QVERIFY(m_tree.find("tests/house/tst_house_rules.cpp") != nullptr);
    QVERIFY(m_tree.find(".clang-tidy") != nullptr);
    QCOMPARE_GT(m_tree.files().size(), std::size_t(100));
}

Findings HouseRules::findingsOf(const Rule& rule) const
{
    Findings all;
    for (const SourceFile& file : m_tree.files()) {
        const Findings findings = rule.check(file, m_tree);
        all.insert(all.end(), findings.begin(), findings.end());
    }
    return all;
}

void HouseRules::treeKeepsTheRule_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Rule> rules = allRules();
    for (std::size_t i = 0; i < rules.size(); ++i) {
        QTest::addRow("%s", std::string(rules[i].id).c_str()) << static_cast<int>(i);
    }
}

void HouseRules::treeKeepsTheRule()
{
    QFETCH(const int, index);
    const Rule rule = allRules()[static_cast<std::size_t>(index)];
    int count = 0;
    for (const Finding& finding : findingsOf(rule)) {
        if (!isExempt(rule, finding)) {
            qWarning().noquote() << asText(finding);
            ++count;
        }
    }
    QVERIFY2(count == 0, std::string(rule.better).c_str());
}

void HouseRules::everyExemptionIsStillNeeded_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < exemptions().size(); ++i) {
        const Exemption& exemption = exemptions()[i];
        QTest::addRow("%s %s", std::string(exemption.rule).c_str(),
                      std::string(exemption.path).c_str())
            << static_cast<int>(i);
    }
}

void HouseRules::everyExemptionIsStillNeeded()
{
    QFETCH(const int, index);
    const Exemption& exemption = exemptions()[static_cast<std::size_t>(index)];
    QVERIFY2(!exemption.reason.empty(), "an exemption says why");
    bool isNeeded = false;
    int largest = 0;
    for (const Rule& rule : allRules()) {
        if (rule.id != exemption.rule) {
            continue;
        }
        for (const Finding& finding : findingsOf(rule)) {
            if (exemption.covers(rule.id, finding)) {
                isNeeded = true;
                largest = std::max(largest, finding.size);
            }
        }
    }
    QVERIFY2(isNeeded, "take the entry out of exemptions.cpp: nothing needs it any more");
    QCOMPARE(exemption.size, largest); // it got shorter: lower the number, so that it cannot grow
                                       // back
}

LOCKSCOPE_TEST(HouseRules, None)

} // namespace lockscope::tst_house_rules

#include "tst_house_rules.moc"
