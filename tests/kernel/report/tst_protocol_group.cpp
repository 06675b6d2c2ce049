#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/protocol_group.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_protocol_group {

using report::ProtocolGroup;

class TestProtocolGroup final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatALockIsForDecides();
    void everyGroupHasItsWords();
};

void TestProtocolGroup::whatALockIsForDecides()
{
    const auto groupOf = [](const char* id) {
        return report::groupOf(protocol::findProtocol(id)->info());
    };
    QVERIFY(groupOf("redlock") == ProtocolGroup::OneHolder);
    QVERIFY(groupOf("rw-two-keys") == ProtocolGroup::ReadersAndWriters);
    QVERIFY(groupOf("semaphore") == ProtocolGroup::Permits);
    protocol::ProtocolInfo both;
    both.hasModes = both.hasPermits = true;
    QVERIFY(report::groupOf(both) == ProtocolGroup::Permits);
}

void TestProtocolGroup::everyGroupHasItsWords()
{
    std::set<std::string> words;
    for (const ProtocolGroup group : report::allProtocolGroups()) {
        QVERIFY(words.insert(report::nameOf(group)).second);
        QVERIFY(words.insert(std::string(idOf(group))).second);
    }
    QCOMPARE(words.size(), std::size_t(6));
}

LOCKSCOPE_TEST(TestProtocolGroup, Core)

} // namespace lockscope::tst_protocol_group

#include "tst_protocol_group.moc"
