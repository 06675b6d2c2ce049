#include "core/kernel/store/metered_store.h"
#include "core/kernel/store/server_info.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <cmath>
#include <string>
#include <vector>

namespace lockscope::tst_metered_store {

using namespace lockscope::store;
using namespace lockscope::testing;

namespace {

std::size_t lengthOf(const std::string& wire)
{
    return wire.size();
}

} // namespace

class TestMeteredStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizesAreThoseOnTheWire()
    {
        QCOMPARE(wireSizeOf(Command("GET", "key:1")),
                 lengthOf("*2\r\n$3\r\nGET\r\n$5\r\nkey:1\r\n"));
        QCOMPARE(wireSizeOf(Command("SET", Bytes(12, 'k'), "")),
                 lengthOf("*3\r\n$3\r\nSET\r\n$12\r\nkkkkkkkkkkkk\r\n$0\r\n\r\n"));
        QCOMPARE(wireSizeOf(Reply()), lengthOf("$-1\r\n"));
        QCOMPARE(wireSizeOf(Reply::ofInteger(-120)), lengthOf(":-120\r\n"));
        QCOMPARE(wireSizeOf(Reply::ofInteger(0)), lengthOf(":0\r\n"));
        QCOMPARE(wireSizeOf(Reply::ofStatus("OK")), lengthOf("+OK\r\n"));
        QCOMPARE(wireSizeOf(Reply::ofError("ERR no")), lengthOf("-ERR no\r\n"));
        QCOMPARE(wireSizeOf(Reply::ofBulk("1234567890")), lengthOf("$10\r\n1234567890\r\n"));
        QCOMPARE(wireSizeOf(Reply::ofOversized(100'000, "abc")),
                 lengthOf("$100000\r\n\r\n") + 100'000);
        QCOMPARE(wireSizeOf(Reply::ofArray({Reply::ofBulk("0"), Reply::ofArray({})})),
                 lengthOf("*2\r\n$1\r\n0\r\n*0\r\n"));
    }

    void everythingThatGoesThroughIsCounted()
    {
        VirtualLoop loop;
        ScriptedStore server([](const Command&) { return Outcome(Reply::ofStatus("OK")); });
        MeteredStore store(loop.executor(), server);
        const bool areAllThere = loop.run([](Store& s) -> async::Task<bool> {
            Command one("GET", "a");
            co_await s.submit(std::move(one));
            std::vector<Command> two;
            two.emplace_back("GET", "b");
            two.emplace_back("CLIENT", "LIST");
            const std::vector<Outcome> outcomes = co_await s.submitAll(std::move(two));
            co_return outcomes.size() == 2;
        }(store));
        QVERIFY(areAllThere);
        const Usage usage = store.usage();
        QCOMPARE(usage.requestCount, std::uint64_t(2));
        QCOMPARE(usage.commandCount, std::uint64_t(3));
        QCOMPARE(usage.receivedBytes, std::uint64_t(15));
        QCOMPARE(usage.sentBytes,
                 wireSizeOf(Command("GET", "a")) * 2 + wireSizeOf(Command("CLIENT", "LIST")));
        const MeteredStore::Calls calls{{"GET", 2}, {"CLIENT|LIST", 1}};
        QVERIFY(store.calls() == calls);
        QCOMPARE(server.asked().size(), std::size_t(3));
    }

    void aBrokenLinkIsPassedOn()
    {
        VirtualLoop loop;
        ScriptedStore server([](const Command&) { return Outcome(Reply::ofStatus("OK")); });
        server.hold();
        MeteredStore store(loop.executor(), server);
        const auto asked = loop.start([](Store& s) -> async::Task<Outcome> {
            Command command("GET", "a");
            co_return co_await s.submit(std::move(command));
        }(store));
        server.breakLink();
        loop.settle();
        QVERIFY(std::holds_alternative<Unknown>(asked.result()));
        QCOMPARE(store.usage().receivedBytes, std::uint64_t(0));
    }

    void whatTheCallsTookIsWhatTheServerSays()
    {
        const Outcome statistics = Reply::ofBulk(
            "# Commandstats\r\ncmdstat_scan:calls=10,usec=6000,usec_per_call=600.00\r\n"
            "cmdstat_client|list:calls=4,usec=100,usec_per_call=25.00\r\n"
            "cmdstat_get:calls=1000,usec=1000,usec_per_call=1.00\r\n");
        const MeteredStore::Calls calls{{"SCAN", 5}, {"CLIENT|LIST", 2}, {"TYPE", 100}};
        QVERIFY(std::abs(executionSecondsOf(statistics, calls) - 0.00305) < 1e-9);
        QCOMPARE(executionSecondsOf(Outcome(Unreachable{}), calls), 0.0);
    }
};

LOCKSCOPE_TEST(TestMeteredStore, None)

} // namespace lockscope::tst_metered_store

#include "tst_metered_store.moc"
