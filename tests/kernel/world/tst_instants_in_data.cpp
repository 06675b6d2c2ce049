#include "core/kernel/world/instants_in_data.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <vector>

namespace lockscope::tst_instants_in_data {

using namespace lockscope::world;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kEpochMs = sim::toEpochMs(ServerClock::kEpoch);

/// Whether the value makes this instant of a world one to look at.
bool tells(const sim::Value& value, Duration then, const ServerClock& clock = {})
{
    sim::Keyspace keys;
    keys.insert("k", value);
    std::vector<Instant> instants;
    addInstantsIn(keys, clock, instants);
    return std::ranges::find(instants, Instant(then)) != instants.end();
}

} // namespace

class TestInstantsInData final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void expiriesAre();
    void timesInValuesAre();
    void otherNumbersAreNone();
    void clocksMayDiffer();
};

void TestInstantsInData::expiriesAre()
{
    sim::Keyspace keys;
    keys.insert("k", Bytes("token")).expiresAtMs = kEpochMs + 10'000;
    keys.insert("forever", Bytes("token"));
    std::vector<Instant> instants;
    addInstantsIn(keys, {}, instants);
    QCOMPARE(instants, std::vector{Instant(10s)});
}

void TestInstantsInData::timesInValuesAre()
{
    const std::string ms = std::to_string(kEpochMs + 7'000);
    QVERIFY(tells(Bytes(ms), 7s));
    QVERIFY(tells(Bytes("token:" + ms), 7s));
    QVERIFY(tells(Bytes(std::to_string(kEpochMs / 1000 + 7)), 7s));
    QVERIFY(tells(Bytes(ms + "000"), 7s)); // in microseconds
    QVERIFY(tells(sim::HashValue{{{"until", ms}}}, 7s));
    QVERIFY(tells(sim::HashValue{{{ms, "owner"}}}, 7s));
    QVERIFY(tells(sim::ListValue{{"a", ms}}, 7s));
    QVERIFY(tells(sim::SetValue{{ms}}, 7s));
    QVERIFY(tells(sim::SortedSetValue{{{static_cast<double>(kEpochMs + 7'000), "token"}}}, 7s));
}

void TestInstantsInData::otherNumbersAreNone()
{
    for (const char* const text : {"", "1", "30000", "4711:7", "2f9c-11", "99999999999999999999"}) {
        sim::Keyspace keys;
        keys.insert("k", Bytes(text));
        std::vector<Instant> instants;
        addInstantsIn(keys, {}, instants);
        QVERIFY2(instants.empty(), text);
    }
}

/// A time in a value may be of the server's clock, or of a client's that is right.
void TestInstantsInData::clocksMayDiffer()
{
    const ServerClock ahead{2s, 1};
    const Bytes text = std::to_string(kEpochMs + 7'000);
    QVERIFY(tells(text, 5s, ahead));
    QVERIFY(tells(text, 7s, ahead));
}

LOCKSCOPE_TEST(TestInstantsInData, None)

} // namespace lockscope::tst_instants_in_data

#include "tst_instants_in_data.moc"
