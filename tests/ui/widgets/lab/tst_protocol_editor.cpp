#include "core/kernel/protocol/own_protocol.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/lab/protocol_editor.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace lockscope::tst_protocol_editor {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestProtocolEditor : public QObject {
    Q_OBJECT

    struct Rig {
        models::ProtocolListModel protocols;
        lockscope::test::ScriptedPrompter prompter;
        ProtocolEditor editor{{protocols, prompter}, {}};
        QSignalSpy used{&editor, &ProtocolEditor::used};
    };
    std::unique_ptr<Rig> m_rig;

    template<class Widget>
    Widget& find(const char* name) const
    {
        auto* const found = m_rig->editor.findChild<Widget*>(QString::fromLatin1(name));
        if (found == nullptr) {
            qFatal("there is no %s", name);
        }
        return *found;
    }
    QPushButton& useButton() const { return find<QPushButton>("useProtocolButton"); }
    static void typeLines(QPlainTextEdit& edit, const QStringList& lines)
    {
        for (int i = 0; i < lines.size(); ++i) {
            if (i > 0) {
                QTest::keyClick(&edit, Qt::Key_Return);
            }
            QTest::keyClicks(&edit, lines[i]);
        }
    }
    static void choose(QComboBox& box, const QString& text)
    {
        box.setCurrentIndex(box.findText(text));
        Q_EMIT box.activated(box.currentIndex());
    }
    void changeTitle() const
    {
        auto& title = find<QLineEdit>("titleEdit");
        title.selectAll();
        QTest::keyClicks(&title, u"Another"_s);
    }
    static QByteArray contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QString errorAt(const char* name) const { return find<QLabel>(name).text(); }

private Q_SLOTS:
    void init()
    {
        m_rig = std::make_unique<Rig>();
        m_rig->editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_rig->editor));
    }
    void cleanup() { m_rig.reset(); }

    void whatIsThereAtFirstCanBeUsedAtOnce()
    {
        QCOMPARE(find<QLineEdit>("idEdit").text(), u"my-lock"_s);
        QVERIFY(useButton().isEnabled());
        QTest::keyClick(&useButton(), Qt::Key_Space);
        QCOMPARE(m_rig->used.size(), 1);
        QCOMPARE(m_rig->used.at(0).at(0).toString(), u"my-lock"_s);
        const auto own = m_rig->protocols.find(u"my-lock"_s);
        QVERIFY(own != nullptr);
        QVERIFY(m_rig->protocols.fileOf(*own).isEmpty());
        QVERIFY(m_rig->protocols.textOf(*own).contains(u"\"my-lock\""_s));
    }

    void afterAUseItIsSaidWhatWasSelectedUntilTheTextChanges()
    {
        auto& remark = find<QLabel>("useRemark");
        QVERIFY(!remark.isVisible());
        QTest::keyClick(&useButton(), Qt::Key_Space);
        QVERIFY(remark.isVisible());
        QVERIFY(remark.text().contains(u"my-lock"_s));
        changeTitle();
        QVERIFY(!remark.isVisible());
    }

    void whatIsUsedIsInTheListAndNotAskedAbout()
    {
        changeTitle();
        QTRY_VERIFY(useButton().isEnabled());
        QTest::keyClick(&useButton(), Qt::Key_Space);
        m_rig->editor.reject();
        QVERIFY(!m_rig->editor.isVisible());
        const auto own = m_rig->protocols.find(u"my-lock"_s);
        QVERIFY(own != nullptr);
        QCOMPARE(m_rig->protocols.textOf(*own).count(u"Another"_s), 1);
    }

    void aMistakeIsSaidWhileOneTypes()
    {
        auto& script = find<QPlainTextEdit>("acquireScript");
        script.setFocus();
        script.moveCursor(QTextCursor::End);
        typeLines(script, {QString(), u"return = 5"_s});
        QVERIFY(!useButton().isEnabled()); // it was not looked at yet
        const int line = script.document()->blockCount();
        QTRY_VERIFY(errorAt("acquireScriptError").startsWith(u"Line %1: "_s.arg(line)));
        QVERIFY(find<QLabel>("acquireScriptError").isVisible());
        QVERIFY(!useButton().isEnabled());
        QVERIFY(find<QTabWidget>("stepTabs").tabText(0).contains(u"⚠"_s));
        for (int i = 0; i < 11; ++i) {
            QTest::keyClick(&script, Qt::Key_Backspace);
        }
        QTRY_VERIFY(useButton().isEnabled());
        QVERIFY(errorAt("acquireScriptError").isEmpty());
        QVERIFY(!find<QTabWidget>("stepTabs").tabText(0).contains(u"⚠"_s));
    }

    void theMappingIsCheckedAsWell()
    {
        auto& tabs = find<QTabWidget>("stepTabs");
        tabs.setCurrentIndex(2);
        auto& mapping = find<QPlainTextEdit>("releaseMapping");
        mapping.selectAll();
        typeLines(mapping, {u"\"keys\": [\"{key}\"],"_s, u"\"releasd\": [1]"_s});
        QTRY_VERIFY(!errorAt("releaseMappingError").isEmpty());
        QVERIFY(errorAt("releaseMappingError").startsWith(u"Line 2: "_s));
        QVERIFY(tabs.tabText(2).contains(u"⚠"_s));
    }

    void aTakenIdIsRefused()
    {
        auto& id = find<QLineEdit>("idEdit");
        id.selectAll();
        QTest::keyClicks(&id, u"redlock"_s);
        QTRY_VERIFY(!id.accessibleDescription().isEmpty());
        QVERIFY(!useButton().isEnabled());
    }

    void examplesAreCopied()
    {
        auto& examples = find<QComboBox>("beginWithCombo");
        examples.setFocus();
        QTest::keyClick(&examples, Qt::Key_Down);
        QTest::keyClick(&examples, Qt::Key_Down);
        QCOMPARE(find<QLineEdit>("idEdit").text(), u"counted-lock"_s);
        QVERIFY(find<QPlainTextEdit>("renewScript").toPlainText().contains(u"hexists"_s));
        QVERIFY(useButton().isEnabled());
        QCOMPARE(examples.currentText(), u"counted-lock"_s);
    }

    void builtinProtocolsAreCopied()
    {
        auto& copies = find<QComboBox>("beginWithCombo");
        choose(copies, u"redisson-lock (built in)"_s);
        QCOMPARE(find<QLineEdit>("idEdit").text(), u"my-redisson-lock"_s);
        QVERIFY(find<QPlainTextEdit>("settingsEdit").toPlainText().contains(u"wake-up"_s));
        QVERIFY(useButton().isEnabled());
    }

    void whatAFileCannotExpressSaysWhy()
    {
        const auto& copies = find<QComboBox>("beginWithCombo");
        const QModelIndex redlock = copies.model()->index(copies.findText(u"redlock (built in)"_s),
                                                          0);
        QVERIFY(redlock.isValid());
        QVERIFY(!redlock.flags().testFlag(Qt::ItemIsEnabled));
        QVERIFY(redlock.data(Qt::ToolTipRole).toString().contains(u"several servers"_s));
    }

    void aFileIsOpenedAndSavedAgain()
    {
        const QTemporaryDir directory;
        const QString path = directory.filePath(u"mine.json"_s);
        QVERIFY(QFile::copy(testing::inSourceTree(u"resources/protocols/wake-up-lock.json"_s),
                            path));
        m_rig->prompter.willChooseFile(path);
        QTest::keyClick(&m_rig->editor, Qt::Key_O, Qt::ControlModifier);
        QTRY_COMPARE(find<QLineEdit>("idEdit").text(), u"wake-up-lock"_s);
        QVERIFY(m_rig->editor.windowTitle().startsWith(u"mine.json"_s));
        QVERIFY(!m_rig->editor.isChanged());
        changeTitle();
        QVERIFY(m_rig->editor.isWindowModified());
        QTRY_VERIFY(useButton().isEnabled());
        QTest::keyClick(&m_rig->editor, Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!m_rig->editor.isChanged());
        QVERIFY(!m_rig->editor.isWindowModified());
        QVERIFY(contentOf(path).contains("\"title\": \"Another\""));
        QCOMPARE(m_rig->protocols.fileOf(*m_rig->protocols.find(u"wake-up-lock"_s)), path);
    }

    void aFileThatIsNoProtocolIsNotOpened()
    {
        m_rig->prompter.willChooseFile(testing::inSourceTree(u"resources/scenarios/2-draw.json"_s));
        QTest::keyClick(&find<QPushButton>("openProtocolButton"), Qt::Key_Space);
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(m_rig->prompter.asked().front().detail.contains(u"2-draw.json, line "_s));
        QCOMPARE(find<QLineEdit>("idEdit").text(), u"my-lock"_s);
    }

    void withoutChangesItClosesUnasked()
    {
        m_rig->editor.close();
        QVERIFY(!m_rig->editor.isVisible());
        QVERIFY(m_rig->prompter.asked().empty());
    }

    void changesAreNotThrownAwayUnasked()
    {
        changeTitle();
        m_rig->editor.close(); // declined by default
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(m_rig->editor.isVisible());
        QCOMPARE(m_rig->prompter.asked().front().acceptLabel, u"Save"_s);
        QCOMPARE(m_rig->prompter.asked().front().otherLabel, u"Discard"_s);
        choose(find<QComboBox>("beginWithCombo"), u"counted-lock"_s);
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(2));
        QCOMPARE(find<QLineEdit>("idEdit").text(), u"my-lock"_s);
        QCOMPARE(find<QComboBox>("beginWithCombo").currentIndex(), 0); // it is no copy of that
    }

    void changesAreDiscardedWhenAskedFor()
    {
        changeTitle();
        m_rig->prompter.willAnswer(Answer::Other);
        QTest::keyClick(&m_rig->editor, Qt::Key_Escape);
        QTRY_VERIFY(!m_rig->editor.isVisible());
    }

    void changesAreSavedBeforeItCloses()
    {
        const QTemporaryDir directory;
        const QString path = directory.filePath(u"mine.json"_s);
        changeTitle();
        m_rig->prompter.willAnswer(Answer::Accepted);
        m_rig->prompter.willChooseFile(path);
        m_rig->editor.close();
        QTRY_VERIFY(!m_rig->editor.isVisible());
        QVERIFY(contentOf(path).contains("\"title\": \"Another\""));
    }

    void whatCannotBeSavedStaysOpenUnlessItIsDiscarded()
    {
        auto& id = find<QLineEdit>("idEdit");
        id.selectAll();
        QTest::keyClicks(&id, u"redlock"_s);
        m_rig->editor.close();
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QCOMPARE(m_rig->prompter.asked().front().acceptLabel, u"Discard"_s);
        QVERIFY(m_rig->editor.isVisible());
        m_rig->prompter.willAnswer(Answer::Accepted);
        m_rig->editor.close();
        QTRY_VERIFY(!m_rig->editor.isVisible());
    }

    void aScriptOfACheckIsLookedAt()
    {
        choose(find<QComboBox>("beginWithCombo"), u"exists-then-set (built in)"_s);
        auto& mapping = find<QPlainTextEdit>("acquireMapping");
        const QString text = mapping.toPlainText();
        QVERIFY(text.contains(u"redis.call('exists'"_s));
        mapping.setPlainText(QString(text).replace(u"return redis.call('exists'"_s,
                                                   u"return = redis.call('exists'"_s));
        QTRY_VERIFY(errorAt("acquireMappingError").startsWith(u"Line "_s));
        QVERIFY(!useButton().isEnabled());
    }

    void theFileIsThatOfTheCommandLine()
    {
        const QTemporaryDir directory;
        const QString path = directory.filePath(u"my lock.json"_s);
        m_rig->prompter.willChooseFile(path);
        QTest::keyClick(&find<QPushButton>("saveProtocolAsButton"), Qt::Key_Space);
        QTRY_COMPARE(m_rig->used.size(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto read = protocol::readProtocol(file.readAll().toStdString());
        QVERIFY(std::holds_alternative<std::unique_ptr<protocol::LockProtocol>>(read));
        QCOMPARE(m_rig->protocols.fileOf(*m_rig->protocols.find(u"my-lock"_s)), path);
    }

    void aFileThatCannotBeWrittenIsSaid()
    {
        m_rig->prompter.willChooseFile(u"/nowhere/at/all.json"_s);
        QTest::keyClick(&find<QPushButton>("saveProtocolButton"), Qt::Key_Space);
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(m_rig->prompter.asked().front().detail.contains(u"/nowhere/at/all.json"_s));
        QVERIFY(m_rig->used.isEmpty());
    }
};

LOCKSCOPE_TEST(TestProtocolEditor, Widgets)

} // namespace lockscope::tst_protocol_editor

#include "tst_protocol_editor.moc"
