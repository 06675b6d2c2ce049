#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTest>

#include <stdexcept>

namespace lockscope::tst_description {

using namespace lockscope::protocol;

class TestDescription : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void idWordsAndClaimsAreInTheFile();
    void everyFileIsThatOfAProtocol();
    void whatHasNoFileIsRefused();
};

void TestDescription::idWordsAndClaimsAreInTheFile()
{
    const ProtocolInfo info = builtin::descriptionOf("redlock-unchecked");
    QCOMPARE(info.id, std::string("redlock-unchecked"));
    QCOMPARE(info.title, std::string("Redlock without the elapsed time"));
    QVERIFY(info.flaw.starts_with("Slow votes"));
    const Claim& claim = info.claims.front();
    QCOMPARE(claim.promise, Promise::MutualExclusion);
    QVERIFY(claim.assuming.starts_with("the holder is done within the validity"));
    QVERIFY(claim.conditions
            == (Condition::HolderInTime | Condition::DurableWrites | Condition::EqualClockRates));
    QVERIFY(info.claims[1].assuming.empty());
    QVERIFY(info.claims[1].conditions.isEmpty());
}

void TestDescription::everyFileIsThatOfAProtocol()
{
    const QDir folder(testing::inSourceTree(QStringLiteral("core/kernel/protocol/builtin")));
    QStringList described = folder.entryList({QStringLiteral("*.json")}, QDir::Files);
    QStringList listed;
    for (const LockProtocol* const protocol : builtin::all()) {
        listed += QString::fromStdString(protocol->info().id).replace(u'-', u'_')
                  + QLatin1String(".json");
    }
    described.sort();
    listed.sort();
    QCOMPARE(listed, described);
}

void TestDescription::whatHasNoFileIsRefused()
{
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, builtin::descriptionOf("no-such-lock"));
}

LOCKSCOPE_TEST(TestDescription, Core)

} // namespace lockscope::tst_description

#include "tst_description.moc"
