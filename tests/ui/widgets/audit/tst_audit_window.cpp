#include "core/kernel/report/audit_trail.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/models/audit/audit_model.h"
#include "ui/widgets/audit/audit_details.h"
#include "ui/widgets/audit/audit_window.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include <memory>
#include <thread>

namespace lockscope::tst_audit_window {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using models::AuditModel;
using report::Json;

namespace {

std::string sha256(std::string_view bytes)
{
    const QByteArrayView view(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return QCryptographicHash::hash(view, QCryptographicHash::Sha256).toHex().toStdString();
}

/// A file with so many attempts; the last one has no outcome.
std::string fileOf(int count)
{
    std::string file;
    std::size_t last = 0;
    const auto append = [&file, &last](const Json& line) {
        const report::AuditLink link = report::nextLink(std::string_view(file).substr(last),
                                                        sha256);
        last = file.size();
        file += report::linked(line.dump(), link) + '\n';
    };
    for (int i = 0; i < count; ++i) {
        Json line{{"time", "2026-11-19T13:50:02.123Z"},
                  {"event", "intent"},
                  {"attempt", "a" + std::to_string(i)},
                  {"user", "ada"},
                  {"host", "ops-1"},
                  {"program", "t 1"},
                  {"process", 7},
                  {"server", "h:1"},
                  {"db", 0},
                  {"key", "order:" + std::to_string(i)},
                  {"holders", Json::array({Json{{"owner", "A"}}})},
                  {"action", "release"},
                  {"reason", "stuck"}};
        append(line);
        if (i + 1 < count) {
            line["event"] = "outcome";
            line["outcome"] = i % 2 == 0 ? "released" : "refused";
            append(line);
        }
    }
    return file;
}

service::AuditReading readingOf(std::string file)
{
    service::AuditReading reading;
    reading.file = u"/home/ada/audit.jsonl"_s;
    reading.trail = report::readAuditTrail(std::move(file), sha256);
    return reading;
}

} // namespace

class TestAuditWindow : public QObject {
    Q_OBJECT

    test::ScriptedPrompter m_prompter;
    std::unique_ptr<AuditWindow> m_window;

    void open(const service::AuditReading& reading)
    {
        m_window = std::make_unique<AuditWindow>([reading] { return reading; }, m_prompter);
        m_window->show();
        QTRY_VERIFY(!find<QLabel>(u"auditFileName")->text().isEmpty());
    }
    template<class Widget>
    Widget* find(const char16_t* name) const
    {
        return m_window->findChild<Widget*>(QString::fromUtf16(name));
    }
    QTreeView* table() const { return find<QTreeView>(u"auditTable"); }
    QString text(const char16_t* name) const { return find<QLabel>(name)->text(); }

private Q_SLOTS:
    void cleanup() { m_window.reset(); }

    void theNewestAttemptIsFirstAndShownInFull()
    {
        open(readingOf(fileOf(3)));
        QCOMPARE(table()->model()->rowCount(), 3);
        const auto cell = [this](int row, int column) {
            return table()->model()->index(row, column).data().toString();
        };
        QCOMPARE(cell(0, AuditModel::KeyColumn), u"order:2"_s);
        QCOMPARE(cell(0, AuditModel::OutcomeColumn), u"interrupted"_s);
        QCOMPARE(cell(1, AuditModel::OutcomeColumn), u"refused"_s);
        QCOMPARE(cell(2, AuditModel::OutcomeColumn), u"released"_s);
        QCOMPARE(cell(2, AuditModel::ByColumn), u"ada@ops-1"_s);
        QVERIFY(text(u"auditHeadline").startsWith(u"order:2: release, interrupted"));
        QVERIFY(text(u"auditDetail").contains(u"outcome was never written"));
        table()->setCurrentIndex(table()->model()->index(2, 0));
        const auto* lines = find<QPlainTextEdit>(u"auditLines");
        QVERIFY(lines->toPlainText().startsWith(u"Line 1\n{\"time\""));
        QVERIFY(lines->toPlainText().contains(u"\nLine 2\n"));
        QAbstractItemModelTester tester(table()->model());
    }

    void whetherTheFileIsIntactIsSaid()
    {
        open(readingOf(fileOf(3)));
        QCOMPARE(text(u"auditVerdict"), u"Intact: 5 lines, each as it was written."_s);
        auto* copy = find<QPushButton>(u"copyAuditHash");
        QVERIFY(copy->isVisible());
        copy->click();
        QCOMPARE(QGuiApplication::clipboard()->text().size(), 64);

        std::string changed = fileOf(3);
        changed.replace(changed.find("stuck"), 5, "quick");
        open(readingOf(changed));
        QVERIFY(text(u"auditVerdict").startsWith(u"Broken at line 2."));
    }

    void wordsFilter()
    {
        open(readingOf(fileOf(5)));
        auto* words = find<QLineEdit>(u"auditFilter");
        words->setText(u"refused"_s);
        QCOMPARE(table()->model()->rowCount(), 2);
        words->setText(u"nothing like it"_s);
        QCOMPARE(table()->model()->rowCount(), 0);
        QVERIFY(!table()->isVisible());
        QCOMPARE(text(u"auditEmpty"), u"No attempt has these words."_s);
        QVERIFY(!m_window->findChild<AuditDetails*>()->isVisible());
        words->clear();
        QCOMPARE(table()->model()->rowCount(), 5);
    }

    void withoutAFileItIsSaidWhatWillBeThere()
    {
        service::AuditReading missing;
        missing.file = u"/home/ada/audit.jsonl"_s;
        missing.isMissing = true;
        missing.problem = u"No such file"_s;
        open(missing);
        QVERIFY(text(u"auditEmpty").startsWith(u"No attempt to change a lock was ever made"));
        QVERIFY(!find<QLabel>(u"auditVerdict")->isVisible());
        QVERIFY(!find<QPushButton>(u"copyAuditHash")->isVisible());
    }

    void aFileThatCannotBeReadIsExplained()
    {
        service::AuditReading unreadable;
        unreadable.file = u"/home/ada/audit.jsonl"_s;
        unreadable.problem = u"Permission denied"_s;
        open(unreadable);
        QCOMPARE(text(u"auditEmpty"), u"Permission denied"_s);
    }

    void itIsReadOnAnotherThread()
    {
        std::thread::id reader;
        m_window = std::make_unique<AuditWindow>(
            [&reader] {
                reader = std::this_thread::get_id();
                return readingOf(fileOf(1));
            },
            m_prompter);
        m_window->show();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QVERIFY(reader != std::this_thread::get_id());
    }

    void aLargeFileIsFiltered()
    {
        open(readingOf(fileOf(3'000)));
        QElapsedTimer timer;
        timer.start();
        find<QLineEdit>(u"auditFilter")->setText(u"order:2999"_s);
        QCOMPARE(table()->model()->rowCount(), 1);
        QVERIFY2(timer.elapsed() < 2'000, QByteArray::number(timer.elapsed()).constData());
    }
};

LOCKSCOPE_TEST(TestAuditWindow, Widgets)

} // namespace lockscope::tst_audit_window

#include "tst_audit_window.moc"
