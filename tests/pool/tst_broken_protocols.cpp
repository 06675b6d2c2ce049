#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/promise_terms.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <memory>

namespace lockscope::tst_broken_protocols {

using protocol::LockProtocol;
using protocol::Promise;
using world::FaultKind;

namespace {

std::shared_ptr<const LockProtocol> protocolOfFile(const QString& name)
{
    QFile file(testing::inSourceTree(QStringLiteral("resources/protocols/%1.json").arg(name)));
    if (!file.open(QIODevice::ReadOnly)) {
        return nullptr;
    }
    auto read = protocol::readProtocol(file.readAll().toStdString());
    auto* const own = std::get_if<std::unique_ptr<LockProtocol>>(&read);
    return own != nullptr ? std::move(*own) : nullptr;
}

/// A file of resources/protocols/broken, or a built-in protocol.
std::shared_ptr<const LockProtocol> protocolOf(const QByteArray& name)
{
    if (const LockProtocol* const builtin = protocol::findProtocol(name.toStdString())) {
        return {std::shared_ptr<const void>(), builtin};
    }
    return protocolOfFile(QStringLiteral("broken/") + QString::fromLatin1(name));
}

/// "owner-only-release": all that breaks, promised or not.
std::vector<std::string_view> breaksOf(const LockProtocol& protocol, FaultKind fault)
{
    sim::LuaEngine lua;
    search::Bounds bounds;
    bounds.schedulesMax = 300;
    const auto plans = search::defaultPlans(protocol.info(), fault);
    std::vector<std::string_view> breaks;
    for (const search::PromiseResult& result : searchPlans(protocol, plans, lua, bounds).promises) {
        if (result.status == search::PromiseResult::Status::Broken) {
            breaks.push_back(idOf(result.promise));
        }
    }
    return breaks;
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
    void copiesBreakAsTheBuiltinOnes_data();
    void copiesBreakAsTheBuiltinOnes();
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

void TestBrokenProtocols::copiesBreakAsTheBuiltinOnes_data()
{
    QTest::addColumn<QString>("id");
    const QDir folder(testing::inSourceTree(QStringLiteral("resources/protocols/copies")));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")})) {
        const QString id = name.chopped(5);
        QTest::newRow(qPrintable(id)) << id;
    }
}

void TestBrokenProtocols::copiesBreakAsTheBuiltinOnes()
{
    QFETCH(const QString, id);
    const auto copy = protocolOfFile(QStringLiteral("copies/") + id);
    QVERIFY(copy != nullptr);
    for (const FaultKind fault : {FaultKind::Interleaving, FaultKind::Crash, FaultKind::Pause}) {
        QCOMPARE(breaksOf(*copy, fault), breaksOf(*protocolOf(id.toUtf8()), fault));
    }
}

LOCKSCOPE_TEST(TestBrokenProtocols, Core)

} // namespace lockscope::tst_broken_protocols

#include "tst_broken_protocols.moc"
