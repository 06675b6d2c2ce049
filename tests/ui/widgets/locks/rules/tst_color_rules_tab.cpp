#include "tests/support/test_program.h"
#include "ui/widgets/locks/rules/color_rules_tab.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

namespace lockscope::tst_color_rules_tab {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using models::ColorRule;
using models::RuleColor;

namespace {

struct Fixture {
    Settings settings;
    int changes = 0;
    std::unique_ptr<ColorRulesTab> tab;

    explicit Fixture(const QList<ColorRule>& rules = {})
    {
        settings.colorRules = rules;
        tab = std::make_unique<ColorRulesTab>(settings, inspect::KnownTexts(),
                                              [this] { ++changes; });
        tab->show();
    }

    template<class Widget>
    Widget* find(const QString& name) const
    {
        return tab->findChild<Widget*>(name);
    }
    void click(const QString& button) const { find<QPushButton>(button)->click(); }
    /// As a person does it: all of it anew, then Enter.
    void type(const QString& field, const QString& text) const
    {
        auto* const edit = find<QLineEdit>(field);
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    QString mistake() const { return find<QLabel>(u"ruleMistake"_s)->text(); }
    QListWidgetItem* entry(int row) const
    {
        return find<QListWidget>(u"orderedEntries"_s)->item(row);
    }
};

} // namespace

class TestColorRulesTab : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRuleIsWrittenFieldByField()
    {
        Fixture f;
        QVERIFY(!f.find<QLineEdit>(u"ruleName"_s)->isEnabled());
        f.click(u"addEntry"_s);
        QCOMPARE(f.settings.colorRules.size(), 1);
        QVERIFY(f.entry(0)->text().contains(u"Enter a filter"_s));
        f.type(u"ruleName"_s, u" busy "_s);
        f.type(u"ruleFilter"_s, u"waiters>5"_s);
        auto* const color = f.find<QComboBox>(u"ruleColor"_s);
        color->setFocus();
        QTest::keyClick(color, Qt::Key_Down);
        QCOMPARE(f.settings.colorRules,
                 (QList<ColorRule>{{u"busy"_s, u"waiters>5"_s, RuleColor::Teal, true}}));
        QCOMPARE(f.entry(0)->text(), u"busy · waiters>5"_s);
        QCOMPARE(f.mistake(), QString());
        QCOMPARE(f.changes, 4);
        f.type(u"ruleName"_s, u"busy"_s); // the same again
        QCOMPARE(f.changes, 4);
    }

    void aMistakeIsSaidWhileTypingAndKept()
    {
        Fixture f({{u"a"_s, u"key:a"_s}});
        auto* const filter = f.find<QLineEdit>(u"ruleFilter"_s);
        filter->setText(u"onwer:x"_s);
        QVERIFY2(f.mistake().contains(u"onwer"_s), qPrintable(f.mistake()));
        QCOMPARE(f.changes, 0);
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(f.settings.colorRules[0].filter, u"onwer:x"_s);
        QVERIFY(f.entry(0)->text().contains(u"does nothing"_s));
    }

    void escapeDoesNotEmptyARule()
    {
        const Fixture f({{u"a"_s, u"key:a"_s}});
        auto* const filter = f.find<QLineEdit>(u"ruleFilter"_s);
        QTest::keyClick(filter, Qt::Key_Escape);
        QCOMPARE(filter->text(), QString());
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(filter->text(), u"key:a"_s);
        QCOMPARE(f.settings.colorRules[0].filter, u"key:a"_s);
    }

    void theOrderIsChangedAndRulesGo()
    {
        Fixture f({{u"a"_s, u"key:a"_s}, {u"b"_s, u"key:b"_s}});
        f.click(u"moveEntryDown"_s);
        QCOMPARE(f.settings.colorRules[0].name, u"b"_s);
        QCOMPARE(f.find<QLineEdit>(u"ruleName"_s)->text(), u"a"_s); // it is still the current one
        f.click(u"moveEntryUp"_s);
        f.click(u"removeEntry"_s);
        QCOMPARE(f.settings.colorRules, (QList<ColorRule>{{u"b"_s, u"key:b"_s}}));
        QCOMPARE(f.find<QLineEdit>(u"ruleName"_s)->text(), u"b"_s);
        f.entry(0)->setCheckState(Qt::Unchecked);
        QVERIFY(!f.settings.colorRules[0].isEnabled);
        f.click(u"removeEntry"_s);
        QVERIFY(f.settings.colorRules.isEmpty());
        QVERIFY(!f.find<QLineEdit>(u"ruleName"_s)->isEnabled());
        QCOMPARE(f.changes, 5);
    }
};

LOCKSCOPE_TEST(TestColorRulesTab, Widgets)

} // namespace lockscope::tst_color_rules_tab

#include "tst_color_rules_tab.moc"
