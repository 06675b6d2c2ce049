#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/first_answer.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

namespace lockscope::tst_first_answer {

using protocol::LockProtocol;
using protocol::Promise;
using search::PromiseResult;
using search::SearchReport;
using Status = search::PromiseResult::Status;
using world::FaultKind;
using world::ViolationKind;

namespace {

/// A token lock with a heartbeat, as people write it.
constexpr std::string_view kSound = R"json({
"id": "planted", "title": "A token lock", "summary": "With a heartbeat.", "lease": "10s",
"acquire": {
  "script": "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0",
  "keys": ["{key}"], "args": ["{token}", "{leaseMs}"], "granted": [1], "refused": [0]},
"renew": {
  "script": "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('pexpire', KEYS[1], ARGV[2])",
  "keys": ["{key}"], "args": ["{token}", "{leaseMs}"], "renewed": [1], "gone": [0]},
"renewal": {"period": "3s"},
"release": {
  "script": "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0",
  "keys": ["{key}"], "args": ["{token}"], "released": [1], "gone": [0]}})json";

/// What has to be said of a mistake: how a promise breaks, or, without a kind, that nothing was
/// tested.
struct Mistake {
    const char* name;
    const char* from; // a part of the file
    const char* to;   // what stands there instead
    std::optional<ViolationKind> kind{};
    Promise promise = Promise::Progress;
};

const Mistake kMistakes[] = {
    {"acquire refuses always", "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])",
     "if false"},
    {"a typo in acquire", "if redis.call('set',", "if redis.call('sett',"},
    {"acquire is no Lua", "'PX', ARGV[2]) then", "'PX', ARGV[2]) than"},
    {"acquire answers what is not listed", "then return 1 end return 0\",\n  \"keys\"",
     "then return 7 end return 8\",\n  \"keys\""},
    {"the grant is another answer than the file says", "\"granted\": [1]", "\"granted\": [\"OK\"]"},
    {"acquire never ends", "if redis.call('set',", "while true do end if redis.call('set',"},
    {"acquire sets the key and fails then", "then return 1 end return 0\",\n  \"keys\"",
     "then return redis.call('nothing') end return 0\",\n  \"keys\""},
    {"granted and refused are mixed up", "\"granted\": [1], \"refused\": [0]",
     "\"granted\": [0], \"refused\": [1]", ViolationKind::DoubleGrant, Promise::MutualExclusion},
    {"acquire grants always", "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])",
     "if true", ViolationKind::DoubleGrant, Promise::MutualExclusion},
    {"acquire overwrites", "'NX', 'PX'", "'PX'", ViolationKind::DoubleGrant,
     Promise::MutualExclusion},
    {"an error where the lock is held", "then return 1 end return 0\",\n  \"keys\"",
     "then return 1 end return redis.call('pptl', KEYS[1])\",\n  \"keys\"",
     ViolationKind::ErrorAnswer},
    {"release always answers gone", "then return redis.call('del', KEYS[1]) end return 0",
     "then return 0 end return 0", ViolationKind::Orphan},
    {"release answers and deletes nothing", "then return redis.call('del', KEYS[1]) end",
     "then return 1 end", ViolationKind::Orphan},
    {"release of another key", "\"keys\": [\"{key}\"], \"args\": [\"{token}\"]",
     "\"keys\": [\"{key}:lock\"], \"args\": [\"{token}\"]", ViolationKind::Orphan},
    {"a typo in release", "redis.call('del', KEYS[1])", "redis.call('dell', KEYS[1])",
     ViolationKind::ErrorAnswer},
    {"release answers what is not listed", "\"released\": [1]", "\"released\": [2]",
     ViolationKind::UnknownAnswer},
    {"a typo in renew", "redis.call('pexpire'", "redis.call('pexpires'",
     ViolationKind::ErrorAnswer},
    {"renew answers what is not listed", "\"renewed\": [1]", "\"renewed\": [2]",
     ViolationKind::UnknownAnswer},
    {"renew renews nothing", "return redis.call('pexpire', KEYS[1], ARGV[2])", "return 1",
     ViolationKind::DoubleGrant, Promise::MutualExclusion},
};

std::unique_ptr<LockProtocol> protocolIn(const std::string& text)
{
    auto read = protocol::readProtocol(text);
    if (const auto* const error = std::get_if<protocol::ProtocolFileError>(&read)) {
        qWarning("%s", error->reason.c_str());
        return nullptr;
    }
    return std::move(std::get<std::unique_ptr<LockProtocol>>(read));
}

/// Renewals that the client only believes to have sent.
class NeverRenewing final : public LockProtocol {
public:
    const protocol::ProtocolInfo& info() const override { return m_sound.info(); }
    async::Task<protocol::AcquireOutcome> attempt(protocol::Contender& self,
                                                  protocol::LockRequest request) const override
    {
        return m_sound.attempt(self, std::move(request));
    }
    async::Task<protocol::RenewOutcome> renew(protocol::Contender& self,
                                              protocol::Grant grant) const override
    {
        co_return protocol::Renewed{self.now() + grant.request.lease};
    }
    async::Task<protocol::ReleaseOutcome> release(protocol::Contender& self,
                                                  protocol::Grant grant) const override
    {
        return m_sound.release(self, std::move(grant));
    }

private:
    const LockProtocol& m_sound = *protocol::findProtocol("lua-token-heartbeat");
};

SearchReport searched(const LockProtocol& protocol, FaultKind fault = FaultKind::Interleaving)
{
    sim::LuaEngine lua;
    return search::searchPlans(protocol, search::defaultPlans(protocol.info(), fault), lua,
                               search::Bounds{400});
}

/// Whether a reader could take the report for a protocol that works.
bool looksSound(const SearchReport& report)
{
    return !report.isAnyBroken() && !report.coverage.chances.isNeverGranted();
}

} // namespace

/// Mistakes by which a lock does not work at all: no report may say that it held, and every report
/// says what the server answers.
class TestFirstAnswer final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSoundLockHolds();
    void noMistakeIsHeld_data();
    void noMistakeIsHeld();
    void aScriptThatNeverEndsIsNoFinding();
    void aRenewalThatIsNeverSentIsFound();
    void aClientThatIsAloneHasToBeGranted();
    void theErrorAndTheLineAreNamed();
    void anUnknownAnswerIsNamed();
    void aRefusalIsNamed();
    void aLineIsFoundInItsScript();
    void noBuiltinProtocolIsAnsweredByErrors();
};

void TestFirstAnswer::theSoundLockHolds()
{
    const auto sound = protocolIn(std::string(kSound));
    QVERIFY(sound != nullptr);
    const SearchReport report = searched(*sound);
    QVERIFY(looksSound(report) || !report.headline()->isPromised);
    QCOMPARE(report.of(Promise::MutualExclusion).status, Status::Held);
    QVERIFY(report.of(Promise::MutualExclusion).chances > 0);
    QCOMPARE(report.of(Promise::Progress).status, Status::Held);
    // Nobody dies without a fault.
    QCOMPARE(report.of(Promise::NoStuckLock).status, Status::NotExercised);
    QCOMPARE(report.coverage.chances.errors, std::uint64_t(0));
    QCOMPARE(searched(*sound, FaultKind::Crash).of(Promise::NoStuckLock).status, Status::Held);
    QCOMPARE(searched(*sound, FaultKind::Pause).of(Promise::OwnerOnlyRelease).status, Status::Held);
}

void TestFirstAnswer::noMistakeIsHeld_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < std::size(kMistakes); ++i) {
        QTest::newRow(kMistakes[i].name) << static_cast<int>(i);
    }
}

void TestFirstAnswer::noMistakeIsHeld()
{
    QFETCH(const int, index);
    const Mistake& mistake = kMistakes[index];
    std::string text(kSound);
    const std::size_t at = text.find(mistake.from);
    QVERIFY(at != std::string::npos);
    text.replace(at, std::string_view(mistake.from).size(), mistake.to);
    const auto planted = protocolIn(text);
    QVERIFY(planted != nullptr);
    const SearchReport report = searched(*planted);
    QVERIFY(!looksSound(report));
    QCOMPARE(report.coverage.chances.isNeverGranted(), !mistake.kind.has_value());
    const PromiseResult& exclusion = report.of(Promise::MutualExclusion);
    if (!mistake.kind) {
        QCOMPARE(exclusion.status, Status::NotExercised);
        return;
    }
    const PromiseResult& broken = report.of(mistake.promise);
    QCOMPARE(broken.status, Status::Broken);
    QVERIFY(broken.isPromised);
    QCOMPARE(idOf(broken.finding->violation.kind), idOf(*mistake.kind));
}

/// The simulation stops it, so the server has no part in its error.
void TestFirstAnswer::aScriptThatNeverEndsIsNoFinding()
{
    std::string text(kSound);
    const std::string_view answer = "return redis.call('del', KEYS[1]) end";
    text.replace(text.find(answer), answer.size(), "while true do end end");
    const auto endless = protocolIn(text);
    QVERIFY(endless != nullptr);
    const SearchReport report = searched(*endless);
    QVERIFY(report.coverage.isScriptStopped);
    QVERIFY(!report.coverage.isComplete);
    QVERIFY(!report.isAnyBroken());
}

void TestFirstAnswer::aRenewalThatIsNeverSentIsFound()
{
    const SearchReport report = searched(NeverRenewing());
    QCOMPARE(report.of(Promise::MutualExclusion).status, Status::Broken);
    QCOMPARE(report.of(Promise::LeaseHonesty).status, Status::Broken);
}

void TestFirstAnswer::aClientThatIsAloneHasToBeGranted()
{
    std::string text(kSound);
    const std::string_view always = "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])";
    text.replace(text.find(always), always.size(), "if false");
    const auto planted = protocolIn(text);
    const world::WorldPlan plan = testing::planOf({testing::aRound()});
    sim::LuaEngine lua;
    const SearchReport report = search::searchPlans(*planted, std::span(&plan, 1), lua, {});
    QCOMPARE(report.of(Promise::Progress).status, Status::Broken);
    QCOMPARE(report.of(Promise::Progress).finding->violation.kind, ViolationKind::NeverGranted);
    QVERIFY(report.coverage.chances.isNeverGranted());
}

void TestFirstAnswer::theErrorAndTheLineAreNamed()
{
    std::string text(kSound);
    text.replace(text.find("redis.call('set'"), 16, "redis.call('sett'");
    sim::LuaEngine lua;
    const std::string reason = search::reasonNeverGranted(*protocolIn(text), testing::twoAtOnce(),
                                                          lua);
    QVERIFY2(reason.find("answers with an error: ERR Unknown Redis command") != std::string::npos,
             reason.c_str());
    QVERIFY2(reason.find("\nLine 1 of the script: if redis.call('sett', ") != std::string::npos,
             reason.c_str());
}

void TestFirstAnswer::anUnknownAnswerIsNamed()
{
    std::string text(kSound);
    text.replace(text.find("\"granted\": [1]"), 14, "\"granted\": [5]");
    sim::LuaEngine lua;
    const std::string reason = search::reasonNeverGranted(*protocolIn(text), testing::twoAtOnce(),
                                                          lua);
    QVERIFY2(reason.find("the server answers 1, which the protocol knows neither")
                 != std::string::npos,
             reason.c_str());
}

void TestFirstAnswer::aRefusalIsNamed()
{
    std::string text(kSound);
    text.replace(text.find("then return 1 end"), 17, "then return 0 end");
    sim::LuaEngine lua;
    const std::string reason = search::reasonNeverGranted(*protocolIn(text), testing::twoAtOnce(),
                                                          lua);
    QVERIFY2(reason.find("the server answers 0, which the protocol knows as refused")
                 != std::string::npos,
             reason.c_str());
}

void TestFirstAnswer::aLineIsFoundInItsScript()
{
    const std::string script = "local a = 1\n  b()\nreturn a";
    QCOMPARE(search::scriptLineText("ERR oops script: 5f, on @user_script:2.", script),
             std::string("Line 2 of the script: b()"));
    QCOMPARE(search::scriptLineText("ERR oops script: 5f, on @user_script:4.", script),
             std::string());
    QCOMPARE(search::scriptLineText("ERR oops", script), std::string());
}

/// Without a fault an error is a mistake of the protocol. There is none in the catalogue.
void TestFirstAnswer::noBuiltinProtocolIsAnsweredByErrors()
{
    for (const LockProtocol* const protocol : protocol::builtinProtocols()) {
        sim::LuaEngine lua;
        const SearchReport report = searchPlans(*protocol,
                                                search::defaultPlans(protocol->info(),
                                                                     FaultKind::Interleaving),
                                                lua, search::Bounds{60});
        const PromiseResult& progress = report.of(Promise::Progress);
        QVERIFY2(progress.status == Status::Held, protocol->info().id.c_str());
        QVERIFY2(!report.coverage.chances.isNeverGranted(), protocol->info().id.c_str());
        QCOMPARE(report.coverage.chances.errors, std::uint64_t(0));
    }
}

LOCKSCOPE_TEST(TestFirstAnswer, None)

} // namespace lockscope::tst_first_answer

#include "tst_first_answer.moc"
