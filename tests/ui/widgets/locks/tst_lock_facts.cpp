#include "tests/support/sample_locks.h"
#include "tests/support/test_program.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QTest>

#include <memory>

namespace lockscope::tst_lock_facts {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestLockFacts : public QObject {
    Q_OBJECT

private:
    static constexpr Instant kNow = Instant(100h);

    static FactContext context()
    {
        return {kNow, wallTimeOfMs(1'795'185'067'000), {store::Endpoint()}};
    }

    static QString valueOf(const std::vector<Fact>& facts, const QString& label)
    {
        for (const Fact& fact : facts) {
            if (fact.label == label) {
                return fact.value;
            }
        }
        return u"<missing>"_s;
    }

private Q_SLOTS:
    void timesSayHowTheyAreKnown()
    {
        auto lock = test::heldToken("k", "token", kNow);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Held for"_s), u"12.0 s"_s);
        QVERIFY(valueOf(factsOf(lock, nullptr, context()), u"Taken"_s).endsWith(u"(seen)"));
        lock.isTakenWhileWatching = false;
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Held for"_s), u"at least 12.0 s"_s);
        QVERIFY(valueOf(factsOf(lock, nullptr, context()), u"Taken"_s).startsWith(u"before "));
        lock.seldom->acquiredAt = context().wallNow - 90s;
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Held for"_s), u"1 m 30 s"_s);
        QVERIFY(valueOf(factsOf(lock, nullptr, context()), u"Taken"_s)
                    .contains(u"according to its own timestamp"));
    }

    void anOwnerIsCalledAsTheUserCallsIt()
    {
        const auto lock = test::heldToken("k", "w3:4711", kNow);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Who"_s), u"<missing>"_s);
        FactContext naming = context();
        naming.owners = std::make_shared<
            operations::OwnerNames>(std::get<operations::OwnerNames>(operations::OwnerNames::read(
            R"({"rules": [{"token": "{host=text}:{pid=digits}", "who": "{host}, process {pid}"}],
                    "names": {"w3": "billing"}})")));
        QCOMPARE(valueOf(factsOf(lock, nullptr, naming), u"Who"_s),
                 u"billing, process 4711 (your rule {host=text}:{pid=digits} fits the token)"_s);
        const auto other = test::heldToken("k", "random", kNow);
        QCOMPARE(valueOf(factsOf(other, nullptr, naming), u"Who"_s), u"<missing>"_s);
    }

    void theRuleThatMarksTheLockIsNamed()
    {
        const auto lock = test::heldToken("k", "token", kNow);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Colour rule"_s), u"<missing>"_s);
        const models::ColorRule rule{u"mine"_s, u"key:k"_s};
        FactContext marking = context();
        marking.ruleOf = [&rule](const auto&) { return &rule; };
        const std::vector<Fact> facts = factsOf(lock, nullptr, marking);
        QCOMPARE(valueOf(facts, u"Colour rule"_s), u"mine"_s);
        QCOMPARE(facts.back().value, u"key:k"_s);
        marking.ruleOf = [](const auto&) { return nullptr; };
        QCOMPARE(valueOf(factsOf(lock, nullptr, marking), u"Colour rule"_s), u"<missing>"_s);
    }

    void theOtherLocksOfTheOwnerAreNamed()
    {
        auto lock = test::heldToken("k", "token", kNow);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Same owner also holds"_s),
                 u"<missing>"_s);
        inspect::OwnerTie tie;
        tie.names = {"a", "k", "z"};
        lock.holders.front().setTie(std::make_shared<const inspect::OwnerTie>(tie));
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Same owner also holds"_s), u"a\nz"_s);
        auto fresh = test::heldToken("k", "token", kNow);
        const auto shown = withHistoryOf(fresh, lock);
        QCOMPARE(valueOf(releaseFactsOf(shown, context()), u"Same owner also holds"_s), u"a\nz"_s);
        tie.isOfThread = true;
        tie.isTakenTogether = true;
        lock.holders.front().setTie(std::make_shared<const inspect::OwnerTie>(tie));
        const auto facts = factsOf(lock, nullptr, context());
        QCOMPARE(valueOf(facts, u"Same thread also holds"_s), u"a\nz"_s);
        QCOMPARE(valueOf(facts, {}), u"Taken together: probably one multi-lock."_s);
    }

    void anExpiryThatIsDueWaitsForTheServer()
    {
        auto lock = test::heldToken("k", "token", kNow);
        lock.expiresAt = kNow - 1s;
        QVERIFY(valueOf(factsOf(lock, nullptr, context()), u"Expires"_s)
                    .contains(u"waiting for the server"));
    }

    void renewalsAreCounted()
    {
        auto lock = test::heldToken("k", "token", kNow);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Renewed"_s),
                 u"2 times, last 9.0 s ago"_s);
        lock.renewals = 1;
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Renewed"_s),
                 u"once, last 9.0 s ago"_s);
        QVERIFY(valueOf(releaseFactsOf(lock, context()), u"Renewed"_s).contains(u"keeps it alive"));
    }

    void whatHidesInForeignTextIsShown()
    {
        auto lock = test::heldToken("lo\xe2\x80\x8b"
                                    "ck",
                                    "\xcc\x81me", kNow);
        lock.holders.front().setClient(std::make_shared<inspect::ClientInfo>(inspect::ClientInfo{
            "10.0.0.7:1", "bill\xf3\xa0\x81\x81ing", "client name"}));
        QCOMPARE(nameOf(lock), u"lo\\xe2\\x80\\x8bck"_s);
        const auto facts = factsOf(lock, nullptr, context());
        QCOMPARE(valueOf(facts, u"Owner"_s), u"\\xcc\\x81me"_s);
        QVERIFY(valueOf(facts, u"Client"_s).startsWith(u"bill\\xf3\\xa0\\x81\\x81ing ·"));
    }

    void manyHoldersAreListedUpToABound()
    {
        auto lock = test::heldToken("k", "token", kNow);
        lock.holders.assign(1'000, lock.holders.front());
        const auto facts = factsOf(lock, nullptr, context());
        QVERIFY(facts.size() < 40);
        QCOMPARE(valueOf(facts, QString()), u"and 988 more holders"_s);
        QCOMPARE(valueOf(facts, u"Holds"_s), u"1000"_s);
    }

    void aLockInAClusterSaysWhereItIs()
    {
        auto lock = test::heldToken("k", "token", kNow);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Slot"_s), u"<missing>"_s);
        inspect::ClusterPlace place{5400, "10.0.0.7:7000"};
        lock.place = makeShared<const inspect::ClusterPlace>(place);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Slot"_s),
                 u"5400, on 10.0.0.7:7000"_s);
        place.node.clear();
        lock.place = makeShared<const inspect::ClusterPlace>(place);
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Slot"_s),
                 u"5400, which no node serves"_s);
    }

    void severalKeysAreNamed()
    {
        auto lock = test::heldToken("x", "token", kNow);
        lock.seldom->otherKeys = {"x:read", "x:write"};
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Keys"_s), u"x:read\nx:write"_s);
        lock.seldom->otherKeys.clear();
        QCOMPARE(valueOf(factsOf(lock, nullptr, context()), u"Keys"_s), u"<missing>"_s);
    }

    void theSummaryNamesTypeSizeDatabaseAndEvidence()
    {
        const auto lock = test::stuckFlag("job:1", kNow);
        const auto details = test::detailsOf(lock);
        QCOMPARE(
            summaryLine(lock, &details, context()),
            u"string · 1 byte · db 0 · evidence: the value is “1”, a name part is “job”, it has no "
            u"expiry"_s);
        QVERIFY(summaryLine(lock, nullptr, context()).startsWith(u"db 0"));
    }

    void valuesAreShownByTheirType_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<quint64>("size");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("remark");
        using inspect::ValueType;
        QTest::newRow("hash") << static_cast<int>(ValueType::Hash) << quint64(2)
                              << u"a:1 → 2\nb\\x00 → 1"_s << QString();
        QTest::newRow("huge hash")
            << static_cast<int>(ValueType::Hash) << quint64(1'000'000) << u"a:1 → 2\nb\\x00 → 1"_s
            << u"the beginning of a hash with 1,000,000 fields"_s;
        QTest::newRow("empty string")
            << static_cast<int>(ValueType::String) << quint64(0) << QString() << u"empty"_s;
    }

    void valuesAreShownByTheirType()
    {
        QFETCH(int, type);
        QFETCH(quint64, size);
        QFETCH(QString, text);
        QFETCH(QString, remark);
        auto details = test::detailsOf(test::heldToken("k", "token", kNow));
        inspect::Observation& key = details.snapshots.front().keys.front();
        key.type = static_cast<inspect::ValueType>(type);
        key.size = size;
        key.value.clear();
        if (key.type == inspect::ValueType::Hash) {
            key.fields = {{"a:1", "2"}, {std::string("b\0", 2), "1"}};
        }
        const auto values = rawValuesOf(details, context());
        QCOMPARE(values.size(), std::size_t(1));
        QCOMPARE(values.front().heading, u"k"_s);
        QCOMPARE(values.front().text, text);
        QCOMPARE(values.front().remark, remark);
    }

    void aValueThatMayNotBeReadSaysSo()
    {
        auto details = test::detailsOf(test::heldToken("k", "token", kNow));
        details.snapshots.front().keys.front().unreadable = "NOPERM get";
        const auto values = rawValuesOf(details, context());
        QCOMPARE(values.front().text, QString());
        QVERIFY(values.front().remark.contains(u"NOPERM get"));
    }

    void theHistoryOfAHoldComesFromTheWatch()
    {
        auto watched = test::heldToken("k", "token", kNow);
        watched.firstSeen = kNow - 1h;
        watched.renewals = 7;
        watched.lastRenewal = kNow - 2s;
        watched.expiresAt = kNow + 28s;
        watched.waiters = 3;
        watched.flags.add(inspect::Flag::RenewedForever);
        watched.setDeadlock(std::make_shared<const std::vector<Bytes>>(2, "k"));
        auto fresh = test::heldToken("k", "token", kNow);
        fresh.firstSeen = kNow;
        fresh.renewals = 0;
        fresh.expiresAt = kNow + 20s;
        fresh.waiters.reset();
        fresh.holders.front().holds = 5;
        const auto shown = withHistoryOf(fresh, watched);
        QVERIFY(shown.firstSeen == watched.firstSeen);
        QCOMPARE(shown.renewals, 7U);
        QVERIFY(shown.lastRenewal == watched.lastRenewal);
        QVERIFY(shown.expiresAt == watched.expiresAt);
        QCOMPARE(shown.waiters, std::optional(3));
        QVERIFY(shown.flags == watched.flags); // so that the ways to end it fit its headline
        QVERIFY(shown.deadlock() == watched.deadlock());
        QCOMPARE(shown.holders.front().holds, 5U); // what was read is what a release compares
    }

    void anotherHoldHasNoHistoryYet()
    {
        auto watched = test::heldToken("k", "before", kNow);
        watched.renewals = 7;
        auto fresh = test::heldToken("k", "after", kNow);
        fresh.renewals = 0;
        QCOMPARE(withHistoryOf(fresh, watched).renewals, 0U);
    }

    void keysThatAreNotThereHaveNoValue()
    {
        auto details = test::detailsOf(test::heldToken("k", "token", kNow));
        details.snapshots.front().keys.front().type = inspect::ValueType::None;
        QVERIFY(rawValuesOf(details, context()).empty());
    }

    void aPlanIsConfirmedByItsOwnerOrByTheWholeKey()
    {
        auto lock = test::heldToken("order:4711:lock", "token-abcdef", kNow);
        QCOMPARE(confirmationOf(*test::detailsOf(lock).release), u"abcdef"_s);
        lock.holders.push_back(lock.holders.front());
        auto several = test::detailsOf(lock);
        QCOMPARE(confirmationOf(*several.release), u"order:4711:lock"_s);
        several.release->holders.resize(1);
        QCOMPARE(confirmationOf(*several.release), u"abcdef"_s);
        const auto flag = test::detailsOf(test::stuckFlag("job:nightly-sync", kNow));
        QCOMPARE(confirmationOf(*flag.release), u"job:nightly-sync"_s);
    }

    void theConfirmationIsTheEndOfTheOwnerOrElseOfTheKey()
    {
        QCOMPARE(confirmationOf(test::heldToken("k", "0123456789", kNow)), u"456789"_s);
        QCOMPARE(confirmationOf(test::heldToken("k", "abc", kNow)), u"abc"_s);
        QCOMPARE(confirmationOf(test::stuckFlag("job:nightly-sync", kNow)), u"y-sync"_s);
    }
};

LOCKSCOPE_TEST(TestLockFacts, Core)

} // namespace lockscope::tst_lock_facts

#include "tst_lock_facts.moc"
