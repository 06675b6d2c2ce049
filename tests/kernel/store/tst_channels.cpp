#include "core/kernel/async/gate.h"
#include "core/kernel/store/channels.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_channels {

using namespace lockscope::store;
using namespace lockscope::testing;

namespace {

async::Task<void> pass(async::Gate& gate)
{
    co_await gate.pass();
}

bool isOpen(VirtualLoop& loop, async::Gate& gate)
{
    const async::BackgroundTask passing(loop.executor(), pass(gate));
    loop.settle();
    return passing.isFinished();
}

} // namespace

class TestChannels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noticesAreTakenInTheirOrder();
    void everyNoticeRingsTheBell();
    void nothingIsPutForSomebodyWhoIsGone();
    void aMovedSubscriptionGoesOn();
    void anAssignedSubscriptionEndsTheOneBefore();
};

void TestChannels::noticesAreTakenInTheirOrder()
{
    async::Gate bell;
    const auto mailbox = std::make_shared<Mailbox>(bell);
    Subscription subscription(mailbox);
    mailbox->put({Notice::Kind::Listening, {}});
    mailbox->put({Notice::Kind::Message, "first"});
    mailbox->put({Notice::Kind::Message, "second"});
    QVERIFY(subscription.takeNotice() == (Notice{Notice::Kind::Listening, {}}));
    QVERIFY(subscription.takeNotice() == (Notice{Notice::Kind::Message, "first"}));
    QVERIFY(subscription.takeNotice() == (Notice{Notice::Kind::Message, "second"}));
    QVERIFY(!subscription.takeNotice());
}

void TestChannels::everyNoticeRingsTheBell()
{
    VirtualLoop loop;
    async::Gate bell;
    const auto mailbox = std::make_shared<Mailbox>(bell);
    Subscription subscription(mailbox);
    QVERIFY(!isOpen(loop, bell));
    mailbox->put({Notice::Kind::Deaf, {}});
    QVERIFY(isOpen(loop, bell));
    mailbox->put({Notice::Kind::Message, "0"});
    QVERIFY(isOpen(loop, bell));
}

void TestChannels::nothingIsPutForSomebodyWhoIsGone()
{
    VirtualLoop loop;
    async::Gate bell;
    const auto mailbox = std::make_shared<Mailbox>(bell);
    {
        const Subscription subscription(mailbox);
        QVERIFY(!mailbox->isClosed());
    }
    QVERIFY(mailbox->isClosed());
    mailbox->put({Notice::Kind::Message, "0"});
    QVERIFY(!isOpen(loop, bell));
    QVERIFY(!mailbox->takeNotice());
}

void TestChannels::aMovedSubscriptionGoesOn()
{
    async::Gate bell;
    const auto mailbox = std::make_shared<Mailbox>(bell);
    Subscription first(mailbox);
    Subscription second(std::move(first));
    mailbox->put({Notice::Kind::Message, "0"});
    QVERIFY(second.takeNotice().has_value());
    QVERIFY(!mailbox->isClosed());
}

void TestChannels::anAssignedSubscriptionEndsTheOneBefore()
{
    async::Gate bell;
    const auto before = std::make_shared<Mailbox>(bell);
    const auto after = std::make_shared<Mailbox>(bell);
    Subscription subscription(before);
    subscription = Subscription(after);
    QVERIFY(before->isClosed());
    QVERIFY(!after->isClosed());
}

LOCKSCOPE_TEST(TestChannels, Core)

} // namespace lockscope::tst_channels

#include "tst_channels.moc"
