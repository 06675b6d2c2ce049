#include "core/kernel/inspect/watch/copy_progress.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdint>
#include <optional>

namespace lockscope::tst_copy_progress {

using namespace std::chrono_literals;
using inspect::CopyProgress;

namespace {

constexpr Instant kStart = Instant(1000s);

store::ReplicationOffsets offsetsOf(std::optional<std::int64_t> master,
                                    std::optional<std::int64_t> bestReplica)
{
    store::ReplicationOffsets offsets;
    offsets.ofMaster = master;
    offsets.ofBestReplica = bestReplica;
    return offsets;
}

} // namespace

class TestCopyProgress : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatAReplicaReachedIsCopied()
    {
        CopyProgress progress;
        progress.saw(kStart, offsetsOf(100, 90));
        QVERIFY(!progress.copiedUntil());
        progress.saw(kStart + 1s, offsetsOf(150, 120));
        QVERIFY(progress.copiedUntil() == kStart);
        progress.saw(kStart + 2s, offsetsOf(200, 200));
        QVERIFY(progress.copiedUntil() == kStart + 2s);
    }

    void withoutAReplicaNothingIs()
    {
        CopyProgress progress;
        for (int i = 0; i < 1000; ++i) {
            progress.saw(kStart + i * 1s, offsetsOf(i, std::nullopt));
        }
        QVERIFY(!progress.copiedUntil());
        progress.saw(kStart + 1000s, {}); // the master did not tell
        QVERIFY(!progress.copiedUntil());
    }

    void offsetsAreReadFromTheAnswerOfAMaster()
    {
        const auto offsets = [](const std::string& info) {
            return store::replicationOffsetsOf(store::Outcome(store::Reply::ofBulk(info)));
        };
        const store::ReplicationOffsets two =
            offsets("# Replication\r\nrole:master\r\nconnected_slaves:2\r\n"
                    "slave0:ip=a,port=1,state=online,offset=70,lag=0\r\n"
                    "slave1:ip=b,port=1,state=online,offset=80,lag=1\r\n"
                    "master_repl_offset:90\r\n");
        QVERIFY(two.ofMaster == 90 && two.ofBestReplica == 80);
        const store::ReplicationOffsets none =
            offsets("role:master\r\nslave0:ip=a,port=1,state=wait_bgsave,offset=90,lag=0\r\n"
                    "master_repl_offset:90\r\n");
        QVERIFY(none.ofMaster == 90 && !none.ofBestReplica);
        const store::ReplicationOffsets replica =
            offsets("role:slave\r\nslave_repl_offset:77\r\nmaster_replid:5f0c\r\n");
        QVERIFY(replica.history == "5f0c" && !replica.ofMaster && !replica.ofBestReplica);
    }
};

LOCKSCOPE_TEST(TestCopyProgress, Core)

} // namespace lockscope::tst_copy_progress

#include "tst_copy_progress.moc"
