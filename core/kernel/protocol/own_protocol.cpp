#include "core/kernel/protocol/own_protocol.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/protocol/json_file.h"
#include "core/kernel/protocol/own_lock.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

namespace lockscope::protocol {

using nlohmann::json;

namespace {

constexpr int kPositionMax = 15; // in a list that a script answers
// A search carries out each step some hundred thousand times, so steps have bounds. Real locks are
// far below them.
constexpr std::size_t kScriptMax = 65'536; // bytes
constexpr std::size_t kWordsMax = 256;     // of keys, of arguments, of answers with one meaning
constexpr std::size_t kWordMax = 4'096;    // bytes of one of them
constexpr int kTriesMax = 1'000'000;
/// How long a waiter sleeps that hears nothing: messages get lost, so it must not be for ever.
constexpr Duration kWakeUpInterval = std::chrono::seconds(1);
constexpr std::string_view kEveryAnswer = "*";

/// The member that lists the answers of a step with this meaning.
struct AnswerList {
    std::string_view name;
    Meaning meaning;
    bool isNeeded = false;
};

// --- the steps ---------------------------------------------------------------------------------

std::vector<Word> readWords(const FileSection& section, std::string_view name)
{
    std::vector<Word> words;
    const std::vector<std::string> texts = section.texts(name);
    if (texts.size() > kWordsMax) {
        section.fail(name, KernelText::tr("There are %1 entries; at most %2 are allowed.",
                                          texts.size(), kWordsMax));
    }
    for (const std::string& text : texts) {
        if (text.size() > kWordMax) {
            throw FileFault{section.pathOf(name) + '/' + std::to_string(words.size()),
                            KernelText::tr("The text has %1 bytes; at most %2 are allowed.",
                                           text.size(), kWordMax)};
        }
        std::variant<Word, std::string> word = readWord(text);
        if (const auto* const reason = std::get_if<std::string>(&word)) {
            throw FileFault{section.pathOf(name) + '/' + std::to_string(words.size()), *reason};
        }
        words.push_back(std::move(std::get<Word>(word)));
    }
    return words;
}

bool mentions(const std::vector<Word>& words, Blank blank)
{
    return std::any_of(words.begin(), words.end(), [blank](const Word& word) {
        return std::find(word.begin(), word.end(), BlankOrText(blank)) != word.end();
    });
}

/// nullopt: every answer.
std::optional<AnswerValue> readAnswer(const json& value, const std::string& path)
{
    if (value.is_null()) {
        return AnswerValue();
    }
    if (value.is_number_integer()) {
        return AnswerValue(value.get<std::int64_t>());
    }
    if (!value.is_string()) {
        throw FileFault{path,
                        KernelText::tr("An answer must be a whole number, a string or null.")};
    }
    std::string text = value.get<std::string>();
    return text != kEveryAnswer ? std::optional<AnswerValue>(std::move(text)) : std::nullopt;
}

void readAnswers(const FileSection& section, const AnswerList& list, std::vector<AnswerRule>& rules)
{
    if (!section.has(list.name) && !list.isNeeded) {
        return;
    }
    const json& values = section.at(list.name);
    if (!values.is_array() || values.empty()) {
        section.fail(
            list.name,
            KernelText::tr("A list of at least one answer is expected, such as [1, \"OK\"]."));
    }
    if (values.size() > kWordsMax) {
        section.fail(list.name, KernelText::tr("There are %1 entries; at most %2 are allowed.",
                                               values.size(), kWordsMax));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string path = section.pathOf(list.name) + '/' + std::to_string(i);
        AnswerRule rule{list.meaning, readAnswer(values[i], path)};
        const bool isTaken = std::any_of(rules.begin(), rules.end(), [&rule](const AnswerRule& r) {
            return r.value == rule.value;
        });
        if (isTaken) {
            throw FileFault{path, KernelText::tr("This answer already has a meaning.")};
        }
        rules.push_back(std::move(rule));
    }
}

OwnStep readStep(const FileSection& section, std::span<const AnswerList> lists)
{
    OwnStep step;
    step.script = section.lines("script");
    if (step.script.size() > kScriptMax) {
        section.fail("script", KernelText::tr("The text has %1 bytes; at most %2 are allowed.",
                                              step.script.size(), kScriptMax));
    }
    step.keys = readWords(section, "keys");
    step.arguments = readWords(section, "args");
    if (!mentions(step.keys, Blank::Key)) {
        section.fail("keys",
                     KernelText::tr(
                         "At least one key must contain {key}; otherwise all locks would be one."));
    }
    for (const AnswerList& list : lists) {
        readAnswers(section, list, step.answers);
    }
    return step;
}

/// The script that looks before the one of its step, in a round trip of its own.
std::optional<OwnStep> readCheck(const FileSection& step, std::span<const AnswerList> lists)
{
    if (!step.has("check")) {
        return std::nullopt;
    }
    std::vector<std::string_view> known{"script", "keys", "args"};
    for (const AnswerList& list : lists) {
        known.push_back(list.name);
    }
    return readStep(FileSection(step.at("check"), step.pathOf("check"), known), lists);
}

constexpr AnswerList kAcquireCheckLists[] = {{"passed", Meaning::Passed, true},
                                             {"refused", Meaning::Refused}};
/// Of renewals and releases.
constexpr AnswerList kHoldCheckLists[] = {{"passed", Meaning::Passed, true},
                                          {"otherOwner", Meaning::OtherOwner},
                                          {"gone", Meaning::Gone}};

void refuseHolds(const std::string& path, const OwnStep& step)
{
    for (const std::string_view name : {"/keys", "/args"}) {
        if (mentions(name == "/keys" ? step.keys : step.arguments, Blank::Holds)) {
            throw FileFault{path + std::string(name),
                            KernelText::tr("{holds} is only known while the lock is held.")};
        }
    }
}

void readAcquire(const FileSection& file, OwnLockPlan& plan)
{
    const bool hasCheck = file.at("acquire").contains("check"); // which may be what refuses
    const AnswerList lists[] = {{"granted", Meaning::Granted, true},
                                {"refused", Meaning::Refused, !hasCheck}};
    const FileSection section(file.at("acquire"), file.pathOf("acquire"),
                              {"check", "script", "keys", "args", "granted", "refused",
                               "remainingMs", "holds", "fence"});
    plan.acquire = readStep(section, lists);
    refuseHolds(file.pathOf("acquire"), plan.acquire);
    plan.acquireCheck = readCheck(section, kAcquireCheckLists);
    if (plan.acquireCheck) {
        refuseHolds(section.pathOf("check"), *plan.acquireCheck);
    }
    plan.remainingMsAt = section.number("remainingMs", 0, kPositionMax);
    plan.holdsAt = section.number("holds", 0, kPositionMax);
    plan.fenceAt = section.number("fence", 0, kPositionMax);
    plan.info.hasFence = plan.fenceAt.has_value();
    plan.info.keys = plan.acquire.keys.size() == 1 ? KeyUse::One : KeyUse::Two;
}

void readRenew(const FileSection& file, OwnLockPlan& plan)
{
    static constexpr AnswerList kLists[] = {{"renewed", Meaning::Renewed, true},
                                            {"otherOwner", Meaning::OtherOwner},
                                            {"gone", Meaning::Gone}};
    if (!file.has("renew")) {
        return;
    }
    const FileSection section(file.at("renew"), file.pathOf("renew"),
                              {"check", "script", "keys", "args", "renewed", "otherOwner", "gone"});
    plan.renew = readStep(section, kLists);
    plan.renewCheck = readCheck(section, kHoldCheckLists);
    plan.info.canRenew = true;
}

void readRelease(const FileSection& file, OwnLockPlan& plan)
{
    static constexpr AnswerList kLists[] = {{"released", Meaning::Released, true},
                                            {"stillHeld", Meaning::StillHeld},
                                            {"otherOwner", Meaning::OtherOwner},
                                            {"gone", Meaning::Gone}};
    const FileSection section(file.at("release"), file.pathOf("release"),
                              {"check", "script", "keys", "args", "released", "stillHeld",
                               "holdsLeft", "otherOwner", "gone"});
    plan.release = readStep(section, kLists);
    plan.releaseCheck = readCheck(section, kHoldCheckLists);
    plan.holdsLeftAt = section.number("holdsLeft", 0, kPositionMax);
}

// --- what is known before it runs --------------------------------------------------------------

std::string readId(const FileSection& file)
{
    std::string id = file.text("id");
    const bool isKebab = std::all_of(id.begin(), id.end(), [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    });
    if (!isKebab || id.front() == '-' || id.back() == '-') {
        file.fail("id",
                  KernelText::tr("An id consists of lower-case letters, digits and inner dashes."));
    }
    if (findProtocol(id) != nullptr) {
        file.fail("id", KernelText::tr("A built-in protocol already has this id."));
    }
    return id;
}

/// The channel on which waiters are told that they may try again.
Word readChannel(const FileSection& retry)
{
    std::variant<Word, std::string> read = readWord(retry.text("channel"));
    if (const auto* const reason = std::get_if<std::string>(&read)) {
        retry.fail("channel", *reason);
    }
    Word channel = std::move(std::get<Word>(read));
    const bool isOfLock = std::ranges::find(channel, BlankOrText(Blank::Key)) != channel.end();
    const bool isOfMore = std::ranges::any_of(channel, [](const BlankOrText& part) {
        const auto* const blank = std::get_if<Blank>(&part);
        return blank != nullptr && *blank != Blank::Key && *blank != Blank::ClientId;
    });
    if (!isOfLock || isOfMore) {
        retry.fail("channel", KernelText::tr("The channel must contain {key}, and no other "
                                             "placeholder than {clientId}."));
    }
    return channel;
}

void readKindOfRetry(const FileSection& section, Retry& retry, OwnLockPlan& plan)
{
    const std::string kind = section.textOr("kind", "fixed");
    if (kind != "fixed" && kind != "exponential" && kind != "wake-up") {
        section.fail("kind", KernelText::tr("The kind of retry must be \"fixed\", "
                                            "\"exponential\" or \"wake-up\"."));
    }
    retry.kind = kind == "exponential" ? Retry::Kind::Exponential : Retry::Kind::Fixed;
    if (kind == "wake-up") {
        plan.wakeUpChannel = readChannel(section);
        plan.info.needs.push_back({"wait", ServerFeature::PubSub});
        retry.interval = kWakeUpInterval;
    } else if (section.has("channel")) {
        section.fail("channel", KernelText::tr("Only a retry of the kind \"wake-up\" listens to a "
                                               "channel."));
    }
}

void readRetry(const FileSection& file, OwnLockPlan& plan)
{
    if (!file.has("retry")) {
        return;
    }
    const FileSection section(file.at("retry"), file.pathOf("retry"),
                              {"kind", "channel", "interval", "intervalMax", "jitter", "triesMax"});
    Retry& retry = plan.info.defaults.retry;
    readKindOfRetry(section, retry, plan);
    retry.interval = section.durationOr("interval", retry.interval);
    retry.intervalMax = section.durationOr("intervalMax",
                                           std::max(retry.intervalMax, retry.interval));
    retry.jitter = section.durationOr("jitter", retry.jitter);
    retry.triesMax = section.number("triesMax", 1, kTriesMax);
    if (retry.interval < std::chrono::milliseconds(1)) {
        section.fail("interval", KernelText::tr("The interval must be at least 1ms."));
    }
    if (retry.intervalMax < retry.interval) {
        section.fail("intervalMax",
                     KernelText::tr("The largest interval is smaller than the first."));
    }
}

void readRenewal(const FileSection& file, Renewal& renewal)
{
    if (!file.has("renewal")) {
        return;
    }
    if (!file.has("renew")) {
        file.fail("renewal", KernelText::tr("There is no \"renew\" step to run."));
    }
    const FileSection section(file.at("renewal"), file.pathOf("renewal"),
                              {"period", "countMax", "atOnce"});
    section.at("period");
    renewal.period = section.durationOr("period", renewal.period);
    renewal.countMax = section.number("countMax", 1, kTriesMax);
    renewal.isFirstAtOnce = section.flagOr("atOnce", false);
    if (renewal.period < std::chrono::milliseconds(1)) {
        section.fail("period", KernelText::tr("The period must be at least 1ms."));
    }
}

/// Misuse is no fault of a lock: an identity that two clients share, leases of one lock that
/// differ, a release by another task than the one that took it.
constexpr Conditions kUsedAsMeant = Conditions(Condition::OwnIdentity) | Condition::EqualLeases
                                    | Condition::OwnRelease;

/// What a lock of this kind can be held to: no lease helps against a holder that is too late for
/// it, and no script against a server that forgets.
Claim usualClaim(Promise promise)
{
    static constexpr Claim kClaims[] = {
        {Promise::MutualExclusion,
         QT_TRANSLATE_NOOP("KernelText", "the holder is never slower than its lease, and the "
                                         "server loses no acknowledged write"),
         Condition::HolderInTime | Condition::DurableWrites},
        {Promise::ReadWriteExclusion,
         QT_TRANSLATE_NOOP("KernelText", "holders are never slower than their leases, and the "
                                         "server loses no acknowledged write"),
         Condition::HolderInTime | Condition::DurableWrites},
        {Promise::NoStuckLock,
         QT_TRANSLATE_NOOP("KernelText", "the task that took a lock gives it back"),
         {}},
        {Promise::ReentryBalance,
         QT_TRANSLATE_NOOP("KernelText", "no request and no answer is lost"),
         Condition::NothingLost},
        {Promise::FencingOrder,
         QT_TRANSLATE_NOOP("KernelText", "the server loses no acknowledged write"),
         Condition::DurableWrites},
        {Promise::LeaseHonesty,
         QT_TRANSLATE_NOOP("KernelText",
                           "the clocks of client and server run equally fast, and the "
                           "server loses no acknowledged write"),
         Condition::EqualClockRates | Condition::DurableWrites},
        {Promise::Fairness, QT_TRANSLATE_NOOP("KernelText", "no waiter dies"),
         Condition::NobodyDies},
    };
    const auto* const found = std::ranges::find(kClaims, promise, &Claim::promise);
    Claim claim = found != std::end(kClaims) ? *found : Claim{promise, ""};
    claim.conditions |= kUsedAsMeant;
    return claim;
}

/// What a file does not say is what most locks are for.
std::vector<Claim> readClaims(const FileSection& file)
{
    if (!file.has("promises")) {
        return {usualClaim(Promise::MutualExclusion), usualClaim(Promise::OwnerOnlyRelease),
                usualClaim(Promise::NoStuckLock), usualClaim(Promise::Progress)};
    }
    std::vector<Claim> claims;
    for (const std::string& id : file.texts("promises")) {
        const auto promise = promiseNamed(id);
        if (!promise) {
            throw FileFault{file.pathOf("promises") + '/' + std::to_string(claims.size()),
                            "Unknown promise."};
        }
        claims.push_back(usualClaim(*promise));
    }
    return claims;
}

void readInfo(const FileSection& file, OwnLockPlan& plan)
{
    ProtocolInfo& info = plan.info;
    info.id = readId(file);
    info.title = file.text("title");
    info.summary = file.text("summary");
    info.flaw = file.textOr("flaw", {});
    info.imitates = file.textOr("imitates", {});
    info.claims = readClaims(file);
    info.needs = {{"acquire", ServerFeature::Scripts}, {"release", ServerFeature::Scripts}};
    if (file.has("renew")) {
        info.needs.push_back({"renew", ServerFeature::Scripts});
    }
    info.hasExpiry = file.flagOr("expires", true);
    info.isReentrant = file.flagOr("reentrant", false);
    info.hasPermits = file.flagOr("permits", false);
    info.defaults.lease = file.durationOr("lease", info.defaults.lease);
    if (info.defaults.lease < std::chrono::milliseconds(1)) {
        file.fail("lease", KernelText::tr("The lease must be at least 1ms."));
    }
    readRetry(file, plan);
    readRenewal(file, info.defaults.renewal);
}

OwnLockPlan readPlan(const json& root)
{
    const FileSection file(root, "",
                           {"id", "title", "summary", "flaw", "imitates", "promises", "lease",
                            "expires", "reentrant", "permits", "retry", "renewal", "acquire",
                            "renew", "release"});
    OwnLockPlan plan;
    readInfo(file, plan);
    readAcquire(file, plan);
    readRenew(file, plan);
    readRelease(file, plan);
    if (plan.info.isReentrant && !plan.holdsAt) {
        file.fail(
            "reentrant",
            KernelText::tr("\"acquire\" must declare with \"holds\" how often the lock is held."));
    }
    return plan;
}

} // namespace

std::variant<OwnLockPlan, ProtocolFileError> readOwnLockPlan(std::string_view text)
{
    OwnLockPlan plan;
    auto error = readJsonFile(text, [&plan](const json& root) { plan = readPlan(root); });
    if (error) {
        return std::move(*error);
    }
    return plan;
}

std::variant<std::unique_ptr<LockProtocol>, ProtocolFileError> readProtocol(std::string_view text)
{
    auto read = readOwnLockPlan(text);
    if (auto* const error = std::get_if<ProtocolFileError>(&read)) {
        return std::move(*error);
    }
    return std::make_unique<OwnLock>(std::move(std::get<OwnLockPlan>(read)));
}

} // namespace lockscope::protocol
