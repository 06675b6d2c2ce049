#include "core/kernel/inspect/watch/lock_book.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/resource.h>

#include <string>
#include <utility>
#include <vector>

// What a book of very many locks does while nothing happens to them.
namespace lockscope::tst_lock_book_ageing {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// Of this thread.
double processorSecondsSoFar()
{
    rusage spent{};
    ::getrusage(RUSAGE_THREAD, &spent);
    return static_cast<double>(spent.ru_utime.tv_sec)
           + static_cast<double>(spent.ru_utime.tv_usec) / 1e6;
}

template<typename Work>
double processorSeconds(Work&& work)
{
    const double begin = processorSecondsSoFar();
    std::forward<Work>(work)();
    return processorSecondsSoFar() - begin;
}

Bytes nameOf(int number)
{
    return "order:" + std::to_string(number) + ":lock";
}

/// Of a client that names itself.
Bytes ownerOf(int number)
{
    return "5f0c9a41-77aa-4c1e-9f00-" + std::to_string(100'000'000'000 + number) + ":1";
}

ClientDirectory clientsUpTo(int count)
{
    std::vector<ClientEntry> clients;
    for (int i = 0; i < count; ++i) {
        ClientEntry client;
        client.address = "10.0.0.7:" + std::to_string(1024 + i);
        client.name = ownerOf(i).substr(0, ownerOf(i).find(':'));
        client.id = static_cast<std::uint64_t>(i + 1);
        clients.push_back(std::move(client));
    }
    return ClientDirectory(clients);
}

void fill(LockBookBench& bench, int count)
{
    for (int i = 0; i < count; ++i) {
        bench.see(hashKey(nameOf(i), ownerOf(i), 1, 30min));
    }
}

/// Until the next call, nobody listens.
void countAll(LockBook& book)
{
    for (const auto& [id, channel] : book.waiterChannels(0)) {
        book.setWaiters(id, 0, kStart);
    }
}

std::vector<Bytes> askedNames(const LockBook& book, const std::vector<Bytes>& waitedFor)
{
    std::vector<Bytes> names;
    for (const auto& [id, channel] : book.waiterChannels(0, waitedFor)) {
        names.push_back(id.name);
    }
    return names;
}

} // namespace

class TestLockBookAgeing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A hundred seconds of it cost less than half of looking at the locks once (a tenth, mostly;
    /// going through all of them each second would cost several times as much).
    void locksThatNothingHappensToCostNothing()
    {
        LockBookBench bench;
        const double filling = processorSeconds([&] { fill(bench, 3'000); });
        countAll(bench.book);
        bench.book.setClients(0, clientsUpTo(100), kStart);
        static_cast<void>(bench.news());
        const ClientDirectory clients = clientsUpTo(100);
        const double idle = processorSeconds([&] {
            for (int second = 1; second <= 100; ++second) {
                const Instant now = kStart + second * 1s;
                bench.book.tick(now);
                bench.book.setClients(0, clients, now);
                QVERIFY(bench.book.waiterChannels(0, {}).empty());
            }
        });
        QVERIFY(bench.news().empty());
        QVERIFY2(idle < filling / 2,
                 (std::to_string(idle) + " of " + std::to_string(filling)).c_str());
    }

    void onlyChannelsThatMayHaveListenersAreAskedAbout()
    {
        LockBookBench bench;
        fill(bench, 3);
        QCOMPARE(askedNames(bench.book, {}).size(), std::size_t(3)); // nobody has asked yet
        countAll(bench.book);
        QCOMPARE(askedNames(bench.book, {}), std::vector<Bytes>());
        QCOMPARE(askedNames(bench.book, {nameOf(1), "unknown"}), std::vector<Bytes>{nameOf(1)});
        bench.book.setWaiters({0, nameOf(1)}, 2, kStart + 2s);
        QCOMPARE(askedNames(bench.book, {}), std::vector<Bytes>{nameOf(1)}); // they may be gone
        QCOMPARE(askedNames(bench.book, {nameOf(1)}), std::vector<Bytes>{nameOf(1)});
        bench.book.setWaiters({0, nameOf(1)}, 0, kStart + 4s);
        QCOMPARE(askedNames(bench.book, {}), std::vector<Bytes>());
        bench.see(hashKey(nameOf(2), ownerOf(7), 1, 30min, kStart + 5s)); // another hold
        QCOMPARE(askedNames(bench.book, {}), std::vector<Bytes>{nameOf(2)});
        bench.see(missing(nameOf(2), kStart + 6s));
        QCOMPARE(askedNames(bench.book, {nameOf(2)}), std::vector<Bytes>());
    }

    void aHolderIsFoundAmongNewClients()
    {
        LockBookBench bench;
        fill(bench, 3);
        bench.book.setClients(0, clientsUpTo(1), kStart);
        QVERIFY(bench.row(nameOf(0))->holders.front().client());
        QVERIFY(!bench.row(nameOf(2))->holders.front().client());
        bench.book.setClients(0, clientsUpTo(3), kStart + 5s);
        QVERIFY(bench.row(nameOf(2))->holders.front().client());
    }

    /// Of very many locks, those without a client are looked through less often, never forgotten.
    void ofManyLocksTheyAreLookedForNowAndThen()
    {
        constexpr int kMany = 11'000; // half a millisecond for each, less five seconds
        LockBookBench bench;
        fill(bench, kMany);
        bench.book.setClients(0, clientsUpTo(2), kStart);
        QVERIFY(bench.row(nameOf(1))->holders.front().client());
        bench.book.setClients(0, clientsUpTo(1), kStart + 100ms);
        QVERIFY(bench.row(nameOf(1))->flags.has(Flag::HolderGone)); // at once
        bench.book.setClients(0, clientsUpTo(3), kStart + 200ms);
        QVERIFY(!bench.row(nameOf(1))->flags.has(Flag::HolderGone)); // that, too
        QVERIFY(!bench.row(nameOf(2))->holders.front().client());
        bench.book.setClients(0, clientsUpTo(3), kStart + 600ms);
        QVERIFY(bench.row(nameOf(2))->holders.front().client());
    }

    void aClientThatIsNoLongerOneOfTwoIsFound()
    {
        LockBookBench bench;
        fill(bench, 1);
        const Bytes name = ownerOf(0).substr(0, ownerOf(0).find(':'));
        const ClientEntry one{"10.0.0.7:1", name, false, 1};
        const ClientEntry other{"10.0.0.7:2", name, false, 2};
        bench.book.setClients(0, ClientDirectory({one, other}), kStart);
        QVERIFY(!bench.row(nameOf(0))->holders.front().client());
        bench.book.setClients(0, ClientDirectory({one}), kStart + 5s);
        QVERIFY(bench.row(nameOf(0))->holders.front().client());
    }
};

LOCKSCOPE_TEST(TestLockBookAgeing, None)

} // namespace lockscope::tst_lock_book_ageing

#include "tst_lock_book_ageing.moc"
