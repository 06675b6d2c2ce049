#include "core/kernel/store/sentinel.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_sentinel {

using namespace lockscope::store;
using Kind = Problem::Kind;

namespace {

const HostPort kFirst{"10.0.0.1", 26379};
const HostPort kSecond{"10.0.0.2", 26379};
const HostPort kThird{"10.0.0.3", 26379};
const HostPort kOld{"10.0.0.5", 6379};
const HostPort kNew{"10.0.0.6", 6379};

SentinelSet threeSentinels()
{
    return {{kFirst, kSecond, kThird}, "mymaster", {}};
}

SentinelAnswer naming(const HostPort& sentinel, const HostPort& master, std::int64_t epoch)
{
    SentinelAnswer answer;
    answer.sentinel = sentinel;
    answer.master = master;
    answer.epoch = epoch;
    return answer;
}

SentinelAnswer failing(const HostPort& sentinel, Kind kind, std::string detail)
{
    SentinelAnswer answer;
    answer.sentinel = sentinel;
    answer.problem = {kind, std::move(detail), {}, {}};
    return answer;
}

Reply listOf(std::initializer_list<const char*> words)
{
    Reply::Array items;
    for (const char* const word : words) {
        items.push_back(Reply::ofBulk(word));
    }
    return Reply::ofArray(std::move(items));
}

/// What is said when no answer names a master.
std::string sentenceFor(const std::vector<SentinelAnswer>& answers)
{
    const auto found = masterOf(threeSentinels(), answers, std::nullopt);
    const auto* const problem = std::get_if<Problem>(&found);
    return problem != nullptr ? explain(*problem) : std::string("a master was found");
}

HostPort masterIn(const std::vector<SentinelAnswer>& answers,
                  const std::optional<MasterLocation>& known = std::nullopt)
{
    const auto found = masterOf(threeSentinels(), answers, known);
    const auto* const master = std::get_if<MasterLocation>(&found);
    return master != nullptr ? master->address : HostPort();
}

} // namespace

class TestSentinel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAnswerNamesAddressAndFailovers();
    void anAddressAloneIsEnough();
    void anUnknownNameIsNoProblemOfTheSentinel();
    void nonsenseNamesNoMaster();
    void theNewestAnswerWins();
    void aSentinelThatIsCutOffDoesNotBringTheFormerMasterBack();
    void anotherAddressOfTheSameMasterIsNoFailover();
    void whereNobodyCanBeAskedEachHasItsReason();
    void namesThatAreKnownAreListed();
    void aRefusedPasswordIsNotThatOfTheServer();
    void aMissingPermissionIsNamed();
    void anUnreachableMasterIsNamedWithItsSentinel();
    void whatTheMasterSaysItselfStays();
};

void TestSentinel::anAnswerNamesAddressAndFailovers()
{
    const std::vector<Outcome> outcomes{listOf({"10.0.0.5", "6379"}),
                                        listOf({"name", "mymaster", "ip", "10.0.0.5",
                                                "config-epoch", "7"})};
    const SentinelAnswer answer = sentinelAnswerOf(kFirst, outcomes);
    QVERIFY(answer.master == kOld);
    QCOMPARE(answer.epoch, std::int64_t(7));
    QVERIFY(answer.sentinel == kFirst);
    QCOMPARE(answer.problem.kind, Kind::None);
}

void TestSentinel::anAddressAloneIsEnough()
{
    const std::vector<Outcome> outcomes{listOf({"10.0.0.5", "6379"}),
                                        Reply::ofError("NOPERM this user has no permissions")};
    const SentinelAnswer answer = sentinelAnswerOf(kFirst, outcomes);
    QVERIFY(answer.master == kOld);
    QCOMPARE(answer.epoch, std::int64_t(-1));
}

void TestSentinel::anUnknownNameIsNoProblemOfTheSentinel()
{
    const std::vector<Outcome> outcomes{Reply(),
                                        Reply::ofError("ERR No such master with that name")};
    const SentinelAnswer answer = sentinelAnswerOf(kFirst, outcomes);
    QVERIFY(!answer.master);
    QCOMPARE(answer.problem.kind, Kind::None);
}

void TestSentinel::nonsenseNamesNoMaster()
{
    for (const Reply& reply :
         {listOf({"10.0.0.5"}), listOf({"", "6379"}), listOf({"10.0.0.5", "x"}),
          listOf({"10.0.0.5", "70000"}), Reply::ofInteger(1), Reply::ofBulk("10.0.0.5")}) {
        const std::vector<Outcome> outcomes{reply, reply};
        QVERIFY(!sentinelAnswerOf(kFirst, outcomes).master);
        QVERIFY(masterNamesOf(reply).empty());
    }
}

void TestSentinel::theNewestAnswerWins()
{
    QVERIFY(masterIn({naming(kFirst, kOld, 1), naming(kSecond, kNew, 2), naming(kThird, kOld, 1)})
            == kNew);
    QVERIFY(masterIn({failing(kFirst, Kind::ConnectionRefused, "refused"),
                      naming(kSecond, kOld, 0)})
            == kOld);
}

void TestSentinel::aSentinelThatIsCutOffDoesNotBringTheFormerMasterBack()
{
    const MasterLocation known{kNew, 5, kSecond};
    const auto silent = failing(kSecond, Kind::ReplyTimedOut, "no reply");
    QVERIFY(masterIn({naming(kFirst, kOld, 4), silent, silent}, known) == kNew);
    // Reset by somebody: most of them count from the beginning.
    QVERIFY(masterIn({naming(kFirst, kOld, 0), silent, naming(kThird, kOld, 0)}, known) == kOld);
    QVERIFY(masterIn({naming(kFirst, kOld, 6), silent, silent}, known) == kOld);
}

void TestSentinel::anotherAddressOfTheSameMasterIsNoFailover()
{
    const HostPort name{"redis-a", 6379};
    const auto silent = failing(kThird, Kind::ReplyTimedOut, "no reply");
    const std::vector<SentinelAnswer> all{naming(kFirst, name, 3), naming(kSecond, kOld, 3),
                                          naming(kThird, kOld, 3)};
    QVERIFY(masterIn(all) == kOld);
    QVERIFY(masterIn({all[0], silent, silent}, MasterLocation{kOld, 3, kSecond}) == kOld);
    QVERIFY(masterIn({all[0], all[1], silent}, MasterLocation{name, 3, kFirst}) == name);
    // Configured anew by hand, which counts no failover.
    QVERIFY(masterIn({naming(kFirst, kNew, 0), naming(kSecond, kNew, 0), silent},
                     MasterLocation{kOld, 0, kFirst})
            == kNew);
}

void TestSentinel::whereNobodyCanBeAskedEachHasItsReason()
{
    const std::string sentence =
        sentenceFor({failing(kFirst, Kind::ConnectionRefused, "Connection refused"),
                     failing(kSecond, Kind::ServerRefused, "ERR unknown command 'SENTINEL'"),
                     failing(kThird, Kind::NotConnected, {})});
    QCOMPARE(sentence,
             std::string("No Sentinel could be asked for the master. Check the addresses of the "
                         "Sentinels, and whether they are running. (10.0.0.1:26379: Connection "
                         "refused; 10.0.0.2:26379: this is not a Sentinel; 10.0.0.3:26379: There "
                         "is currently no connection to the server, so nothing was sent. Try again "
                         "when it is back.)"));
}

void TestSentinel::namesThatAreKnownAreListed()
{
    SentinelAnswer first;
    first.sentinel = kFirst;
    first.knownNames = {"cache", "jobs"};
    SentinelAnswer second;
    second.sentinel = kSecond;
    second.knownNames = {"jobs", "sessions"};
    const auto refused = failing(kThird, Kind::ConnectionRefused, "Connection refused");
    QCOMPARE(sentenceFor({first, second, refused}),
             std::string("The Sentinels watch no master named mymaster. They watch cache, jobs, "
                         "sessions."));
    first.knownNames.clear();
    QCOMPARE(sentenceFor({first}),
             std::string("The Sentinels watch no master named mymaster. They watch none at all."));
    const Reply masters = Reply::ofArray({listOf({"name", "cache"}), listOf({"name", "jobs"})});
    const std::vector<std::string> names{"cache", "jobs"};
    QVERIFY(masterNamesOf(masters) == names);
}

void TestSentinel::aRefusedPasswordIsNotThatOfTheServer()
{
    const std::string sentence =
        sentenceFor({failing(kFirst, Kind::ConnectionRefused, "Connection refused"),
                     failing(kSecond, Kind::PasswordNeeded, "NOAUTH Authentication required.")});
    QVERIFY2(sentence.starts_with("The Sentinels do not accept"), sentence.c_str());
    QVERIFY2(sentence.find("10.0.0.2:26379: NOAUTH") != std::string::npos, sentence.c_str());
}

void TestSentinel::aMissingPermissionIsNamed()
{
    SentinelAnswer answer = failing(kFirst, Kind::NoPermission, "NOPERM");
    answer.problem.command = "sentinel";
    answer.problem.rule = "+sentinel";
    const std::string sentence = sentenceFor({answer});
    QVERIFY2(sentence.find("+sentinel") != std::string::npos, sentence.c_str());
}

void TestSentinel::anUnreachableMasterIsNamedWithItsSentinel()
{
    const MasterLocation master{{"172.17.0.2", 6379}, 0, kFirst};
    const Problem problem =
        problemWithMaster({Kind::ConnectionRefused, "Connection refused", {}, {}}, master);
    QCOMPARE(problem.kind, Kind::MasterUnreachable);
    QVERIFY(isPassing(problem) && isAboutMaster(problem));
    const std::string sentence = explain(problem);
    for (const char* const part : {"172.17.0.2:6379", "10.0.0.1:26379", "Connection refused"}) {
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
    }
}

void TestSentinel::whatTheMasterSaysItselfStays()
{
    const Problem refusal{Kind::PasswordWrong, "WRONGPASS", {}, {}};
    QVERIFY(problemWithMaster(refusal, {kOld, 0, kFirst}) == refusal);
    QVERIFY(!isAboutMaster(refusal));
}

LOCKSCOPE_TEST(TestSentinel, Core)

} // namespace lockscope::tst_sentinel

#include "tst_sentinel.moc"
