#include "core/kernel/inspect/watch/lock_book.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_lock_book_clients {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

using Bench = LockBookBench;

} // namespace

class TestLockBookClients : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitersAreCountedOnce();
    void howManyBlockOnListsBoundsTheWaiters();
    void aHolderWhoseClientLeftIsSuspicious();
    void theSameClientInANewListIsNoNews();
    void aSecondClientOfTheSameNameDoesNotAccuseTheHolder();
};

void TestLockBookClients::waitersAreCountedOnce()
{
    const Bytes owner = kAlice + ":63";
    Bench bench;
    bench.see(hashKey("order:lock", owner, 1, 30s));
    const auto channels = bench.book.waiterChannels(0);
    QCOMPARE(channels.size(), std::size_t(1));
    QCOMPARE(channels.front().second, Bytes("redisson_lock__channel:{order:lock}"));
    static_cast<void>(bench.news());
    bench.book.setWaiters(channels.front().first, 3, kStart + 1s);
    bench.book.setWaiters(channels.front().first, 3, kStart + 2s);
    QCOMPARE(bench.news(), (News{"changed order:lock"}));
    QVERIFY(bench.row()->waiters == 3);
    bench.see(hashKey("order:lock", owner, 1, 28s, kStart + 2s));
    QVERIFY(bench.news().empty());
    QVERIFY(bench.row()->waiters == 3);
    bench.book.setWaiters({0, "unknown:lock"}, 3, kStart);
    QVERIFY(bench.news().empty());
}

void TestLockBookClients::howManyBlockOnListsBoundsTheWaiters()
{
    Bench bench;
    const Bytes name = "lock:order";
    const auto see = [&](Bytes token, Instant at) {
        bench.see(stringKey(name, std::move(token), 30s, at));
    };
    const auto list = [&](int blocked, Instant at) {
        std::vector<ClientEntry> clients(3);
        for (int i = 0; i < 3; ++i) {
            clients[i] = {"10.0.0.7:" + std::to_string(i), {}, i < blocked};
        }
        bench.book.setClients(0, ClientDirectory(clients), at);
        return bench.row(name);
    };
    see("AAECAwQFBgcICQoLDA0ODxAR", kStart);
    QCOMPARE(bench.row(name)->format(), std::string_view("python-redis-lock"));
    QVERIFY(!bench.row(name)->waiters && !bench.row(name)->waitersAtMost());
    LockPtr row = list(2, kStart + 1s);
    QVERIFY(!row->waiters); // of which list they wait at, Redis says nothing
    QVERIFY(row->waitersAtMost() == 2);
    see("AAECAwQFBgcICQoLDA0ODxAR", kStart + 2s);
    QVERIFY(bench.row(name)->waitersAtMost() == 2);
    static_cast<void>(bench.news());
    row = list(0, kStart + 3s);
    QVERIFY(row->waiters == 0 && !row->waitersAtMost());
    QCOMPARE(bench.news(), (News{"changed lock:order"}));
    see("AQECAwQFBgcICQoLDA0ODxAR", kStart + 4s); // the next hold: not listed since
    QVERIFY(!bench.row(name)->waiters && !bench.row(name)->waitersAtMost());
}

void TestLockBookClients::aHolderWhoseClientLeftIsSuspicious()
{
    Bench bench;
    const std::vector<ClientEntry> clients = {{"10.0.0.7:51622", kAlice}};
    bench.book.setClients(0, ClientDirectory(clients), kStart);
    bench.seeToken(kAlice, 30s, kStart);
    QCOMPARE(bench.row()->holders.front().client()->address, std::string("10.0.0.7:51622"));
    const std::vector<ClientEntry> others = {{"10.0.0.8:1", "somebody else"}};
    bench.book.setClients(0, ClientDirectory(others), kStart + 1s);
    QVERIFY(bench.row()->flags.has(Flag::HolderGone));
    QCOMPARE(bench.row()->holders.front().client()->address, std::string("10.0.0.7:51622"));
    bench.book.setClients(0, ClientDirectory(clients), kStart + 2s);
    QVERIFY(!bench.row()->flags.has(Flag::HolderGone));
}

void TestLockBookClients::theSameClientInANewListIsNoNews()
{
    Bench bench;
    const std::vector<ClientEntry> clients = {{"10.0.0.7:51622", kAlice}};
    bench.book.setClients(0, ClientDirectory(clients), kStart);
    bench.seeToken(kAlice, 30s, kStart);
    static_cast<void>(bench.news());
    for (int i = 1; i < 5; ++i) {
        bench.book.setClients(0, ClientDirectory(clients), kStart + i * 5s);
        bench.seeToken(kAlice, 30s - i * 5s, kStart + i * 5s);
    }
    QVERIFY(bench.news().empty());
}

void TestLockBookClients::aSecondClientOfTheSameNameDoesNotAccuseTheHolder()
{
    Bench bench;
    std::vector<ClientEntry> clients = {{"10.0.0.7:51622", kAlice}};
    bench.book.setClients(0, ClientDirectory(clients), kStart);
    bench.seeToken(kAlice, 30s, kStart);
    clients.push_back({"10.0.0.7:51623", kAlice}); // a pool opens another connection
    bench.book.setClients(0, ClientDirectory(clients), kStart + 5s);
    QVERIFY(!bench.row()->flags.has(Flag::HolderGone));
    QVERIFY(bench.row()->holders.front().client() == nullptr);
}

LOCKSCOPE_TEST(TestLockBookClients, Core)

} // namespace lockscope::tst_lock_book_clients

#include "tst_lock_book_clients.moc"
