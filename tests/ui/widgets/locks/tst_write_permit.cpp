#include "tests/support/manual_clock.h"
#include "tests/support/test_program.h"
#include "ui/widgets/locks/write_permit.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_write_permit {

using namespace lockscope::widgets;
using namespace std::chrono_literals;
using State = WritePermit::State;

namespace {

std::vector<store::Endpoint> servers(const std::string& environment, bool isReadOnly = false)
{
    store::Endpoint endpoint;
    endpoint.environment = environment;
    endpoint.isReadOnly = isReadOnly;
    return {endpoint};
}

} // namespace

class TestWritePermit : public QObject {
    Q_OBJECT

private:
    testing::ManualClock m_clock;

    std::unique_ptr<WritePermit> permit(bool mayWrite = true)
    {
        return std::make_unique<WritePermit>([this] { return m_clock.now(); }, mayWrite);
    }

private Q_SLOTS:
    void itStartsAsTheServerWasOpened()
    {
        const auto permit = this->permit();
        QCOMPARE(permit->state(), State::Closed);
        permit->grant();
        QCOMPARE(permit->state(), State::Closed);
        permit->open(servers({}));
        QCOMPARE(permit->state(), State::Granted);
        permit->open(servers({}, true));
        QCOMPARE(permit->state(), State::ReadOnly);
        permit->grant();
        QCOMPARE(permit->state(), State::Granted);
        QCOMPARE(permit->left(), Duration(0));
        permit->open({servers({})[0], servers({}, true)[0]}); // one of them must not be written to
        QCOMPARE(permit->state(), State::ReadOnly);
    }

    void productionIsWritableForAWhileOnly()
    {
        const auto permit = this->permit();
        permit->open(servers("production"));
        QSignalSpy changed(permit.get(), &WritePermit::changed);
        QSignalSpy expired(permit.get(), &WritePermit::expired);
        QCOMPARE(permit->state(), State::ReadOnly);
        QVERIFY(permit->isLimited());
        permit->grant();
        QCOMPARE(permit->state(), State::Limited);
        QCOMPARE(permit->left(), WritePermit::kProductionSpan);
        QVERIFY(!permit->applyTo(servers("production"))[0].isReadOnly);
        m_clock.moveBy(WritePermit::kProductionSpan - 1s);
        permit->expire();
        QCOMPARE(permit->left(), Duration(1s));
        permit->grant(); // begins anew
        QCOMPARE(permit->left(), WritePermit::kProductionSpan);
        m_clock.moveBy(WritePermit::kProductionSpan);
        permit->expire();
        QCOMPARE(permit->state(), State::ReadOnly);
        QVERIFY(permit->applyTo(servers("production"))[0].isReadOnly);
        QCOMPARE(expired.size(), 1);
        QCOMPARE(changed.size(), 3);
    }

    void theUserCanTakeItBack()
    {
        const auto permit = this->permit();
        QSignalSpy expired(permit.get(), &WritePermit::expired);
        permit->open(servers("production"));
        permit->grant();
        permit->revoke();
        QCOMPARE(permit->state(), State::ReadOnly);
        permit->revoke();
        QCOMPARE(expired.size(), 0);
    }

    void anotherServerStartsAnew()
    {
        const auto permit = this->permit();
        permit->open(servers("production"));
        permit->grant();
        permit->open(servers("production"));
        QCOMPARE(permit->state(), State::ReadOnly);
    }

    void aReadOnlyProgramNeverWrites()
    {
        const auto permit = this->permit(false);
        permit->open(servers({}));
        permit->grant();
        QCOMPARE(permit->state(), State::Never);
        QVERIFY(!permit->mayWrite());
        QVERIFY(permit->applyTo(servers({}))[0].isReadOnly);
    }
};

LOCKSCOPE_TEST(TestWritePermit, Core)

} // namespace lockscope::tst_write_permit

#include "tst_write_permit.moc"
