#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/promise_terms.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <memory>

namespace lockscope::tst_broken_protocols {

using protocol::LockProtocol;
using protocol::Promise;
using world::FaultKind;

namespace {

/// A file of resources/protocols/broken, or a built-in protocol.
std::shared_ptr<const LockProtocol> protocolOf(const QByteArray& name)
{
    if (const LockProtocol* const builtin = protocol::findProtocol(name.toStdString())) {
        return {std::shared_ptr<const void>(), builtin};
    }
    QFile file(testing::inSourceTree(
        QStringLiteral("resources/protocols/broken/%1.json").arg(QString::fromLatin1(name))));
    if (!file.open(QIODevice::ReadOnly)) {
        return nullptr;
    }
    auto read = protocol::readProtocol(file.readAll().toStdString());
    auto* const own = std::get_if<std::unique_ptr<LockProtocol>>(&read);
    return own != nullptr ? std::move(*own) : nullptr;
}

/// Plan by plan, until the promise breaks although it was given.
std::optional<search::Finding> brokenPromise(const LockProtocol& protocol, FaultKind fault,
                                             Promise promise, std::uint64_t schedulesMax)
{
    sim::LuaEngine lua;
    for (const world::WorldPlan& plan : search::defaultPlans(protocol.info(), fault)) {
        if (!search::isPromised(promise, protocol.info(), plan)) {
            continue;
        }
        search::Bounds bounds;
        bounds.schedulesMax = schedulesMax;
        search::Explorer explorer(
            {protocol, plan, lua, bounds, search::Goal{promise, {}}, true, {}});
        const search::Exploration exploration = explorer.run();
        if (const search::Finding* const finding = exploration.find(promise)) {
            return *finding;
        }
    }
    return std::nullopt;
}

} // namespace

/// The mistakes that people really make are found, and the same search finds nothing where they are
/// not made.
class TestBrokenProtocols final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theMistakeIsFound_data();
    void theMistakeIsFound();
    void whoDoesNotMakeItHolds_data();
    void whoDoesNotMakeItHolds();
};

void TestBrokenProtocols::theMistakeIsFound_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<FaultKind>("fault");
    QTest::addColumn<Promise>("promise");
    const auto row = [](const char* protocol, FaultKind fault, Promise promise) {
        QTest::newRow(protocol) << QByteArray(protocol) << fault << promise;
    };
    row("get-then-del", FaultKind::Pause, Promise::OwnerOnlyRelease);
    row("renews-anybody", FaultKind::Pause, Promise::OwnerOnlyRelease);
    row("renews-back-to-life", FaultKind::MessageDelay, Promise::OwnerOnlyRelease);
    row("forgets-the-count", FaultKind::Interleaving, Promise::ReentryBalance);
    row("dead-head-queue", FaultKind::Crash, Promise::NoStuckLock);
    row("redlock-unchecked", FaultKind::Pause, Promise::LeaseHonesty);
}

void TestBrokenProtocols::theMistakeIsFound()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const FaultKind, fault);
    QFETCH(const Promise, promise);
    const auto broken = protocolOf(protocol);
    QVERIFY(broken != nullptr);
    QVERIFY(!broken->info().flaw.empty());
    const auto finding = brokenPromise(*broken, fault, promise, 5'000);
    QVERIFY2(finding.has_value(), "it held");
    QVERIFY(finding->length > 0);
}

void TestBrokenProtocols::whoDoesNotMakeItHolds_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<FaultKind>("fault");
    QTest::addColumn<Promise>("promise");
    const auto row = [](const char* protocol, FaultKind fault, Promise promise) {
        QTest::newRow(protocol) << QByteArray(protocol) << fault << promise;
    };
    row("set-nx-px-token", FaultKind::Pause, Promise::OwnerOnlyRelease);
    row("reentrant-hash", FaultKind::Crash, Promise::ReentryBalance);
    row("redlock", FaultKind::Pause, Promise::LeaseHonesty);
}

void TestBrokenProtocols::whoDoesNotMakeItHolds()
{
    QFETCH(const QByteArray, protocol);
    QFETCH(const FaultKind, fault);
    QFETCH(const Promise, promise);
    const auto finding = brokenPromise(*protocolOf(protocol), fault, promise, 500);
    QVERIFY2(!finding.has_value(), "it broke");
}

LOCKSCOPE_TEST(TestBrokenProtocols, Core)

} // namespace lockscope::tst_broken_protocols

#include "tst_broken_protocols.moc"
