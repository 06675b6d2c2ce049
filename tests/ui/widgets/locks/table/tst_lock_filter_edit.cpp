#include "tests/support/test_program.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_lock_filter_edit {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestLockFilterEdit : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<LockFilterEdit> m_edit;

    QColor edge() const { return m_edit->palette().color(QPalette::Mid); }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init()
    {
        m_edit = std::make_unique<LockFilterEdit>();
        m_edit->show();
        m_edit->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(m_edit.get()));
    }

    void cleanup() { m_edit.reset(); }

    void typingAppliesTheFilterOnceItPauses()
    {
        QSignalSpy changed(m_edit.get(), &LockFilterEdit::filterChanged);
        QTest::keyClicks(m_edit.get(), u"order"_s);
        QCOMPARE(changed.count(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, 1000);
        QCOMPARE(m_edit->condition(), LockFilterEdit::Condition::Valid);
        inspect::LockRecord record;
        record.id.name = "order:1";
        const auto filter = changed.first().first().value<inspect::LockFilter>();
        QVERIFY(filter.matches(record, {}));
        record.id.name = "job:1";
        QVERIFY(!filter.matches(record, {}));
    }

    void theEdgeTellsEmptyValidAndInvalidApart()
    {
        const QColor empty = edge();
        m_edit->apply(u"held>10m"_s);
        const QColor valid = edge();
        m_edit->apply(u"onwer:x"_s);
        const QColor invalid = edge();
        m_edit->apply({});
        QVERIFY(valid != empty);
        QVERIFY(invalid != empty);
        QVERIFY(invalid != valid);
        QCOMPARE(edge(), empty);
    }

    void whatCannotBeReadSaysWhyAndLeavesTheFilterAlone()
    {
        QSignalSpy changed(m_edit.get(), &LockFilterEdit::filterChanged);
        QSignalSpy error(m_edit.get(), &LockFilterEdit::errorChanged);
        m_edit->apply(u"onwer:x"_s);
        QCOMPARE(changed.count(), 0);
        QCOMPARE(m_edit->condition(), LockFilterEdit::Condition::Invalid);
        QVERIFY2(m_edit->errorText().contains(u"owner"), qPrintable(m_edit->errorText()));
        QCOMPARE(error.last().first().toString(), m_edit->errorText());
        m_edit->apply(u"owner:x"_s);
        QCOMPARE(error.last().first().toString(), QString());
        QCOMPARE(changed.count(), 1);
    }

    void escapeClears()
    {
        m_edit->apply(u"order"_s);
        QSignalSpy changed(m_edit.get(), &LockFilterEdit::filterChanged);
        QTest::keyClick(m_edit.get(), Qt::Key_Escape);
        QCOMPARE(m_edit->text(), QString());
        QCOMPARE(changed.count(), 1);
        QVERIFY(changed.first().first().value<inspect::LockFilter>().isEmpty());
    }

    void fieldNamesAreCompleted()
    {
        QTest::keyClicks(m_edit.get(), u"order wai"_s);
        auto* completer = m_edit->findChild<QCompleter*>();
        QVERIFY(completer != nullptr);
        QCOMPARE(completer->completionPrefix(), u"wai"_s);
        QCOMPARE(completer->currentCompletion(), u"waiters:"_s);
        Q_EMIT completer->activated(completer->currentCompletion());
        QCOMPARE(m_edit->text(), u"order waiters:"_s);
        completer->popup()->hide();
    }

    void valuesAreCompleted()
    {
        m_edit->setKnownTexts([](std::string_view field) {
            return field == "format" ? std::vector<std::string>{"redisson-lock", "flag"}
                                     : std::vector<std::string>();
        });
        auto* completer = m_edit->findChild<QCompleter*>();
        QTest::keyClicks(m_edit.get(), u"a -flag:no-ex"_s);
        QCOMPARE(completer->currentCompletion(), u"flag:no-expiry"_s);
        Q_EMIT completer->activated(completer->currentCompletion());
        QCOMPARE(m_edit->text(), u"a -flag:no-expiry"_s);
        QTest::keyClicks(m_edit.get(), u" format:r"_s);
        QCOMPARE(completer->currentCompletion(), u"format:redisson-lock"_s);
        completer->popup()->hide();
    }

    void behindAFieldItsValuesAreOfferedAtOnce()
    {
        auto* completer = m_edit->findChild<QCompleter*>();
        QTest::keyClicks(m_edit.get(), u"mod"_s);
        Q_EMIT completer->activated(completer->currentCompletion());
        QCOMPARE(m_edit->text(), u"mode:"_s);
        QCOMPARE(completer->completionCount(), 4);
        completer->popup()->hide();
    }

    void aNarrowerFilterIsUsed()
    {
        QSignalSpy used(m_edit.get(), &LockFilterEdit::filterUsed);
        m_edit->narrow(u"mode:read"_s);
        m_edit->narrow(u"-mode:read"_s);
        QCOMPARE(m_edit->text(), u"-mode:read"_s);
        QCOMPARE(used.count(), 2);
    }

    void theErrorIsAboutThisText()
    {
        m_edit->apply(u"held>1m"_s);
        m_edit->apply(u"onwer:x"_s);
        QCOMPARE(m_edit->errorText(), u"unknown field \"onwer\": did you mean owner?"_s);
        QCOMPARE(m_edit->mendedText(), u"owner:x"_s);
        QCOMPARE(m_edit->appliedText(), u"held>1m"_s);
        m_edit->apply(u"flag:nothing-of-this"_s);
        QVERIFY(m_edit->errorText().startsWith(u"unknown flag \"nothing-of-this\""_s));
        QCOMPARE(m_edit->mendedText(), QString());
        m_edit->apply({});
        QCOMPARE(m_edit->errorText(), QString());
        QCOMPARE(m_edit->appliedText(), QString());
    }

    void enterTellsThatAFilterWasUsedAndOnlyAValidOne()
    {
        QSignalSpy used(m_edit.get(), &LockFilterEdit::filterUsed);
        m_edit->setText(u"onwer:x"_s);
        QTest::keyClick(m_edit.get(), Qt::Key_Return);
        QCOMPARE(used.count(), 0);
        m_edit->setText(u" held>10m "_s);
        QTest::keyClick(m_edit.get(), Qt::Key_Return);
        QCOMPARE(used.count(), 1);
        QCOMPARE(used.first().first().toString(), u"held>10m"_s);
    }

    void upAndDownWalkThroughTheHistory()
    {
        m_edit->setHistory({u"newest"_s, u"older"_s});
        m_edit->setText(u"mine"_s);
        QTest::keyClick(m_edit.get(), Qt::Key_Up);
        QCOMPARE(m_edit->text(), u"newest"_s);
        QTest::keyClick(m_edit.get(), Qt::Key_Up);
        QTest::keyClick(m_edit.get(), Qt::Key_Up);
        QCOMPARE(m_edit->text(), u"older"_s);
        QTest::keyClick(m_edit.get(), Qt::Key_Down);
        QTest::keyClick(m_edit.get(), Qt::Key_Down);
        QCOMPARE(m_edit->text(), u"mine"_s);
    }

    void toggledWordsComeAndGo()
    {
        m_edit->toggleWord(u"state:suspicious"_s);
        m_edit->toggleWord(u"key:\"a b*\""_s);
        QCOMPARE(m_edit->text(), u"state:suspicious key:\"a b*\""_s);
        QCOMPARE(m_edit->condition(), LockFilterEdit::Condition::Valid);
        m_edit->toggleWord(u"key:\"a b*\""_s);
        QCOMPARE(m_edit->text(), u"state:suspicious"_s);
        m_edit->toggleWord(u"state:suspicious"_s);
        QCOMPARE(m_edit->text(), QString());
    }

    void aToggledWordMayContainQuotes()
    {
        const QString word = u"owner:\"an \\\"owner\\\" x\""_s;
        m_edit->toggleWord(word);
        m_edit->toggleWord(u"held>1s"_s);
        QCOMPARE(m_edit->condition(), LockFilterEdit::Condition::Valid);
        m_edit->toggleWord(word);
        QCOMPARE(m_edit->text(), u"held>1s"_s);
    }

    void aToggledWordHoldsForEveryAlternative()
    {
        m_edit->apply(u"order or job"_s);
        m_edit->toggleWord(u"state:suspicious"_s);
        QCOMPARE(m_edit->text(), u"(order or job) state:suspicious"_s);
    }
};

LOCKSCOPE_TEST(TestLockFilterEdit, Widgets)

} // namespace lockscope::tst_lock_filter_edit

#include "tst_lock_filter_edit.moc"
