#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/watch/sweep.h"
#include "tests/kernel/inspect/capture.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

#include <map>

Q_DECLARE_METATYPE(lockscope::testing::Capture)

// However one comes upon a key, it is read alike: by its name among others, in a deep look at all
// keys, or because somebody asks for it.
namespace lockscope::tst_one_reading {

using namespace lockscope::inspect;
using namespace lockscope::testing;

namespace {

/// A server with the keys of a capture at the instant when it was taken.
class Bench final : SweepSink {
public:
    explicit Bench(const LockSnapshot& snapshot)
    {
        const WallTime now = snapshot.main().serverTime;
        m_loop.clock().setWallOrigin(now
                                     - std::chrono::duration_cast<std::chrono::milliseconds>(
                                         m_loop.now().time_since_epoch()));
        m_wallClock.assume(now, m_loop.now());
        for (const Observation& key : snapshot.keys) {
            m_keyspace.put(key);
        }
        for (const Observation& key : snapshot.companions) {
            m_keyspace.put(key);
        }
        for (const ChannelCount& channel : snapshot.channels) {
            m_keyspace.setSubscribers(channel.channel, channel.count);
        }
        m_keyspace.setPatternCount(snapshot.patternCount.value_or(0));
    }

    /// The best readings of all that a sweep shows, by the names of the rows.
    std::map<Bytes, std::string> swept(bool isDeep)
    {
        m_rows.clear();
        KeyReader reader(m_store, m_loop.clock(), m_wallClock);
        Sweep sweep(m_loop.executor(), m_store, m_loop.clock(), reader, m_names, *this);
        SweepOptions options;
        options.isDeep = isDeep;
        m_loop.run(sweep.run(options));
        return std::move(m_rows);
    }

    std::string asked(const Bytes& name)
    {
        const auto found = m_loop.run(inspectLock(m_store, m_loop.clock(), 0, name));
        const auto& inspection = std::get<LockInspection>(found);
        return inspection.decodedLocks.empty() ? "nothing"
                                               : describe(inspection.decodedLocks.front()).dump();
    }

private:
    void sighted(std::vector<LockSnapshot> snapshots) override
    {
        for (const LockSnapshot& snapshot : snapshots) {
            for (const auto& [name, decodedLocks] : decodeGroup(snapshot, builtinDecoders())) {
                if (!decodedLocks.empty()) {
                    m_rows[name] = describe(decodedLocks.front()).dump();
                }
            }
        }
    }
    void progressed(std::uint64_t, std::uint64_t) override {}

    VirtualLoop m_loop;
    PretendKeyspace m_keyspace{m_loop.clock()};
    ScriptedStore m_store{
        [this](const store::Command& command) { return m_keyspace.answer(command); }};
    ServerWallClock m_wallClock;
    NameRules m_names;
    std::map<Bytes, std::string> m_rows;
};

} // namespace

class TestOneReading : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sweepsAndQuestionsReadAlike_data();
    void sweepsAndQuestionsReadAlike();
};

void TestOneReading::sweepsAndQuestionsReadAlike_data()
{
    QTest::addColumn<Capture>("capture");
    for (const Capture& capture : allCaptures()) {
        if (!capture.snapshot.isNamedByUser && capture.treatments.empty()) {
            QTest::newRow(qPrintable(capture.path)) << capture;
        }
    }
}

void TestOneReading::sweepsAndQuestionsReadAlike()
{
    QFETCH(Capture, capture);
    Bench bench(capture.snapshot);
    const std::map<Bytes, std::string> deep = bench.swept(true);
    for (const auto& [name, reading] : bench.swept(false)) {
        QVERIFY2(deep.contains(name), name.c_str());
        QCOMPARE(deep.at(name), reading);
    }
    for (const auto& [name, reading] : deep) {
        QCOMPARE(bench.asked(name), reading);
    }
    const bool isLock = !capture.expected.empty();
    QVERIFY2(!isLock || deep.contains(capture.snapshot.name), "a deep look misses it");
}

LOCKSCOPE_TEST(TestOneReading, None)

} // namespace lockscope::tst_one_reading

#include "tst_one_reading.moc"
