#include "core/kernel/report/lock_fields.h"
#include "core/kernel/report/lock_json.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_export.h"
#include "ui/models/locks/lock_table_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace lockscope::tst_lock_export {

using namespace lockscope::models;
using namespace std::chrono_literals;
using test::deltaOf;
using test::MadeLock;

class TestLockExport : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(1h);
    LockTableModel m_locks{[] { return kNow; }};

private Q_SLOTS:
    void initTestCase()
    {
        m_locks.setServers({"cache-1:6379"}, 3);
        m_locks.apply(deltaOf(inspect::ChangeKind::Appeared,
                              {MadeLock("order:10").ptr(), MadeLock("order:2").readers(3).ptr(),
                               MadeLock("job:1").ptr()},
                              kNow));
        m_locks.setFilter(std::get<inspect::LockFilter>(
            inspect::LockFilter::parse("key:order", report::lockFilterFields())));
        m_locks.setExpanded(m_locks.index(0, 0), true);
    }

    void csvHasWhatIsShownInItsOrder()
    {
        const std::string expected =
            report::csvHeader() + "\r\n"
            + report::csvLine(*m_locks.lockAt(m_locks.indexOf({0, "order:2"})), "cache-1:6379", 3,
                              kNow)
            + "\r\n"
            + report::csvLine(*m_locks.lockAt(m_locks.indexOf({0, "order:10"})), "cache-1:6379", 3,
                              kNow)
            + "\r\n";
        QCOMPARE(shownLocksAsCsv(m_locks), expected);
    }

    void jsonHasTheSame()
    {
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(shownLocksAsJson(m_locks)));
        QCOMPARE(json.array().size(), 2);
        QCOMPARE(json.array().at(0).toObject().value(QStringLiteral("key")).toString(),
                 QStringLiteral("order:2"));
        QCOMPARE(json.array().at(1).toObject().value(QStringLiteral("db")).toInt(), 3);
    }

    void nothingIsAnEmptyList()
    {
        const LockTableModel none([] { return kNow; });
        QCOMPARE(shownLocksAsJson(none), std::string("[]\n"));
        QCOMPARE(shownLocksAsCsv(none), report::csvHeader() + "\r\n");
    }
};

LOCKSCOPE_TEST(TestLockExport, Core)

} // namespace lockscope::tst_lock_export

#include "tst_lock_export.moc"
