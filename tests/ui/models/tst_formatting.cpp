#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/formatting.h"

#include <QTest>

namespace lockscope::tst_formatting {

using namespace lockscope::models;
using namespace std::chrono_literals;
using test::MadeLock;

class TestFormatting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsHaveThousandsSeparators()
    {
        QCOMPARE(countText(0), QStringLiteral("0"));
        QCOMPARE(countText(1'000'412), QStringLiteral("1,000,412"));
    }

    void bytesAreOneLineAndBounded()
    {
        QCOMPARE(bytesText(std::string_view("a\nb\xff", 4)), QStringLiteral("a\\x0ab\\xff"));
        QCOMPARE(bytesText(std::string(10'000, 'x')).size(), 4097);
        QVERIFY(bytesText(std::string(10'000, 'x')).endsWith(u'…'));
    }

    void heldSaysAtLeastWhenTheBeginningWasNotSeen()
    {
        const Instant now(1h);
        QCOMPARE(heldText(MadeLock("a").firstSeen(now - 12s).takenWhileWatching().record(), now),
                 QStringLiteral("12.0 s"));
        QCOMPARE(heldText(MadeLock("a").firstSeen(now - 12s).record(), now),
                 QStringLiteral("≥ 12.0 s"));
    }

    void waitersTellUnknownFromNone()
    {
        inspect::LockRecord lock;
        QCOMPARE(waitersText(lock), QStringLiteral("?"));
        lock.waiters = 0;
        QCOMPARE(waitersText(lock), QStringLiteral("–"));
        lock.waiters = 1234;
        QCOMPARE(waitersText(lock), QStringLiteral("1,234"));
        lock.waiters.reset();
        lock.seldom->waitersAtMost = 3;
        QCOMPARE(waitersText(lock), QStringLiteral("≤ 3"));
    }

    void theEndIsNeverDueOrAhead()
    {
        const Instant now(1h);
        QCOMPARE(expiresText(std::nullopt, now), QStringLiteral("never"));
        QCOMPARE(expiresText(now, now), QStringLiteral("due"));
        QCOMPARE(expiresText(now - 1s, now), QStringLiteral("due"));
        QCOMPARE(expiresText(now + 28'400ms, now), QStringLiteral("28.4 s"));
    }

    void ownersAreATokenACountOrNotRecorded()
    {
        QCOMPARE(ownerText(MadeLock("a").owner("t").record()), QStringLiteral("t"));
        QCOMPARE(ownerText(MadeLock("a").owner("").record()), QStringLiteral("not recorded"));
        QCOMPARE(ownerText(MadeLock("a").record()), QStringLiteral("not recorded"));
        QCOMPARE(ownerText(MadeLock("a").readers(3).record()), QStringLiteral("3 holders"));
        QVERIFY(isOwnerKnown(MadeLock("a").owner("t").record()));
        QVERIFY(!isOwnerKnown(MadeLock("a").owner("").record()));
        QVERIFY(!isOwnerKnown(MadeLock("a").readers(2).record()));
    }

    void aClientIsNamedOrElseItsAddress()
    {
        inspect::LockRecord record = MadeLock("a").owner("t").record();
        QCOMPARE(clientText(record), QString());
        inspect::ClientInfo client;
        client.address = "10.0.0.7:51622";
        record.holders[0].setClient(std::make_shared<inspect::ClientInfo>(client));
        QCOMPARE(clientText(record), QStringLiteral("10.0.0.7:51622"));
        client.name = "billing-3";
        record.holders[0].setClient(std::make_shared<inspect::ClientInfo>(client));
        QCOMPARE(clientText(record), QStringLiteral("billing-3"));
        QVERIFY(ownerToolTip(record, -1).contains(u"10.0.0.7:51622"));
    }

    void aRedlockRowSaysOnHowManyServersItIs()
    {
        inspect::LockRecord record = MadeLock("a").format("redlock").record();
        record.seldom->quorum = {2, 3};
        QVERIFY2(formatText(record).endsWith(QStringLiteral(" 2 of 3")),
                 qPrintable(formatText(record)));
    }

    void reasonsComeMostUrgentFirst()
    {
        inspect::FlagSet flags;
        flags.add(inspect::Flag::Stale);
        flags.add(inspect::Flag::CountOnlyGrows);
        QCOMPARE(firstReasonText(flags), QStringLiteral("hold count only grows"));
        QVERIFY(!otherReasonsText(flags).isEmpty());
        QVERIFY(!otherReasonsText(flags).contains(u"hold count only grows"));
        QCOMPARE(firstReasonText({}), QString());
        QCOMPARE(otherReasonsText({}), QString());
    }

    void timesAreInTheZoneThatIsWanted()
    {
        const WallTime time = wallTimeOfMs(1'795'185'067'123);
        showTimesInUtc(true);
        QCOMPARE(timeOfDayText(time), QStringLiteral("14:31:07.123"));
        QCOMPARE(shownTime(time).timeSpec(), Qt::UTC);
        showTimesInUtc(false);
        QCOMPARE(shownTime(time).timeSpec(), Qt::LocalTime);
        QCOMPARE(toEpochMs(time), shownTime(time).toMSecsSinceEpoch());
    }

    void aHolderEndsByItselfOrWithTheLock()
    {
        inspect::LockRecord record = MadeLock("a").readers(2).expires(Instant(30s)).record();
        record.holders[1].expiresAt = Instant(10s);
        QCOMPARE(endOf(record, -1), std::optional(Instant(30s)));
        QCOMPARE(endOf(record, 0), std::optional(Instant(30s)));
        QCOMPARE(endOf(record, 1), std::optional(Instant(10s)));
    }

    void theKeysToolTipIsComplete()
    {
        inspect::LockRecord record = MadeLock(std::string(200, 'k')).record();
        record.addEvidence("the value looks like a token");
        record.seldom->otherKeys = {"x:read", "x:write"};
        const QString toolTip = keyToolTip(record);
        QVERIFY(toolTip.contains(QString(200, u'k')));
        QVERIFY(toolTip.contains(u"the value looks like a token"));
        QVERIFY(toolTip.contains(u"x:write"));
    }
};

LOCKSCOPE_TEST(TestFormatting, Core)

} // namespace lockscope::tst_formatting

#include "tst_formatting.moc"
