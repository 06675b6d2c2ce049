#include "core/kernel/inspect/decoder.h"
#include "tests/kernel/inspect/capture.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

// What the formats say of themselves in plain words.
namespace lockscope::tst_plain_words {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

Bytes inMs(Duration span)
{
    return std::to_string(toEpochMs(kServerTime) + toMs(span));
}

Bytes inSeconds(Duration span)
{
    return std::to_string((toEpochMs(kServerTime) + toMs(span)) / 1000) + ".0";
}

Observation ofType(Observation seen, ValueType type)
{
    seen.type = type;
    return seen;
}

const Decoder& decoderOfBest(const LockSnapshot& snapshot)
{
    return *decoderOfFormat(decodedLocksOf(snapshot).at(0).format);
}

/// What is said of all parts of a key, joined by spaces.
std::string partsOf(const LockSnapshot& snapshot, const Observation& key)
{
    const Decoder& decoder = decoderOfBest(snapshot);
    if (key.type == ValueType::String) {
        return decoder.words.part(snapshot, key, {{}, key.value});
    }
    std::string text;
    for (const HashField& part : key.fields) {
        text += (text.empty() ? "" : " ") + decoder.words.part(snapshot, key, part);
    }
    return text;
}

std::string partsOf(const LockSnapshot& snapshot)
{
    return partsOf(snapshot, snapshot.main());
}

} // namespace

class TestPlainWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aThreadOfRedissonIsNamed();
    void theQueueOfAFairLockIsTold();
    void readersAndTheWriterOfRedissonAreTold();
    void permitsAreTold();
    void theJobsOfSidekiqAreTold();
    void membersOfSymfonyAreTold();
    void theMachineOfADistributedLockIsTold();
    void theRustPortNamesNoMachine();
    void thePartsOfATokenAreTold_data();
    void thePartsOfATokenAreTold();
    void whatACapturedKeySaysIsASentence();
    void constantsAreSentences();
};

void TestPlainWords::aThreadOfRedissonIsNamed()
{
    const LockSnapshot snapshot = of(hashKey("order", {{kAlice + ":63", "2"}}));
    QCOMPARE(partsOf(snapshot),
             "The field \"" + kAlice + ":63\" is the holder: thread 63 of the Redisson client "
                 + kAlice
                 + ". Its value 2 is how often that thread has acquired the lock and not given it "
                   "back yet.");
}

void TestPlainWords::theQueueOfAFairLockIsTold()
{
    LockSnapshot snapshot = of(hashKey("order", {{kAlice + ":63", "1"}}));
    const Bytes waiting = kBob + ":8";
    const Bytes gone = kBob + ":9";
    snapshot.companions = {
        ofType(hashKey("redisson_lock_queue:{order}", {{gone, {}}, {waiting, {}}}),
               ValueType::List),
        ofType(hashKey("redisson_lock_timeout:{order}", {{gone, inMs(-5s)}, {waiting, inMs(90s)}}),
               ValueType::SortedSet),
        stringKey("redisson_lock_token:{order}", "41", std::nullopt)};
    QCOMPARE(partsOf(snapshot, snapshot.companions[0]),
             "\"" + gone + "\" is in it, but has given up: thread 9 of the Redisson client " + kBob
                 + ". \"" + waiting + "\" waits: thread 8 of the Redisson client " + kBob + '.');
    QCOMPARE(partsOf(snapshot, snapshot.companions[1]),
             "\"" + gone + "\" gives up 5.0 s ago; the score is that instant in epoch ms. \""
                 + waiting + "\" gives up in 1 m 30 s; the score is that instant in epoch ms.");
    QVERIFY(partsOf(snapshot, snapshot.companions[2]).find("41") != std::string::npos);
    const PlainWords& words = decoderOfBest(snapshot).words;
    for (const Observation& companion : snapshot.companions) {
        QVERIFY(!words.key(snapshot, companion).empty());
    }
    QVERIFY(words.renewal.find("30 s again every 10 s") != std::string_view::npos);
}

void TestPlainWords::readersAndTheWriterOfRedissonAreTold()
{
    const LockSnapshot snapshot =
        of(hashKey("order", {{"mode", "write"}, {kAlice + ":7:write", "1"}, {kAlice + ":7", "2"}}));
    QCOMPARE(partsOf(snapshot),
             "The field mode says that the lock is held for writing. The field \"" + kAlice
                 + ":7:write\" is the writer: thread 7 of the Redisson client " + kAlice
                 + ". Its value 1 is how often that thread holds the lock. The field \"" + kAlice
                 + ":7\" is a reader: thread 7 of the Redisson client " + kAlice
                 + ". Its value 2 is how often that thread holds the lock.");
}

void TestPlainWords::permitsAreTold()
{
    LockSnapshot snapshot = of(stringKey("order", "3", std::nullopt));
    const Bytes permit(32, 'a');
    snapshot.companions = {
        ofType(hashKey("{order}:timeout", {{permit, inMs(12s)}}), ValueType::SortedSet)};
    QCOMPARE(partsOf(snapshot), "Its value 3 is the number of free permits."s);
    QCOMPARE(partsOf(snapshot, snapshot.companions[0]),
             "The permit \"" + permit + "\" ends at its score, in epoch ms: in 12.0 s.");
    QVERIFY(decoderOfBest(snapshot).words.ifHolderDies.starts_with("Its permit comes back"));
}

void TestPlainWords::theJobsOfSidekiqAreTold()
{
    const LockSnapshot old = of(hashKey("uniquejobs:abc:LOCKED", {{"jid1", inSeconds(-60s)}}));
    QCOMPARE(partsOf(old), "The field \"jid1\" is the id of a job that holds the lock, and its "
                           "value when it took it, in epoch seconds: 1 m 00 s ago."s);
    const LockSnapshot recent = of(hashKey("uniquejobs:abc:LOCKED", {{"jid2", "{\"a\":1}"}}));
    QVERIFY(partsOf(recent).find("what the gem knows") != std::string::npos);
}

void TestPlainWords::membersOfSymfonyAreTold()
{
    const Bytes token = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const LockSnapshot snapshot = of(ofType(hashKey("order",
                                                    {{token, inMs(12s)}, {"__write__", inMs(12s)}}),
                                            ValueType::SortedSet));
    QCOMPARE(partsOf(snapshot),
             "The member \"" + token
                 + "\" is the token of the writer; its hold ends at the score, in epoch ms: in "
                   "12.0 s. The member __write__ is no holder: it says that the only token is that "
                   "of a writer.");
}

void TestPlainWords::theMachineOfADistributedLockIsTold()
{
    const Bytes id = "WEB_2_4711_0b2e54a79f0c4d518a6e1c2d3e4f5a6b";
    const LockSnapshot snapshot = of(ofType(hashKey("order", {{id, inMs(12s)}}),
                                            ValueType::SortedSet));
    QCOMPARE(partsOf(snapshot), "\"" + id
                                    + "\" is a permit of process 4711 on the machine \"WEB_2\"; it "
                                      "ends at its score, in epoch ms: in 12.0 s.");
}

void TestPlainWords::theRustPortNamesNoMachine()
{
    LockSnapshot snapshot{0, "distributed-lock:stock", {}};
    snapshot.keys = {ofType(stringKey("distributed-lock:stock:readers", ""), ValueType::None),
                     stringKey("distributed-lock:stock:writer", "812_3_c0ffee00deadbeef")};
    QCOMPARE(partsOf(snapshot, snapshot.keys[1]),
             "\"812_3_c0ffee00deadbeef\" is hold 3 of process 812, and a random number."s);
}

void TestPlainWords::thePartsOfATokenAreTold_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("value");
    QTest::addColumn<std::string>("said");
    QTest::newRow("host and process, of a process")
        << "PHPREDIS_SESSION:abc_LOCK"s
        << "web-2|4711"s
        << "the same for every hold of its process: a release compares the expiry as well. It "
           "consists of: host: web-2; pid: 4711."s;
    QTest::newRow("no holder") << "arq:in-progress:42"s
                               << "1"s
                               << "Its value \"1\" names no holder."s;
    QTest::newRow("one random number")
        << "gitlab:exclusive_lease:a"s << kUuid
        << "Its value \"" + kUuid
               + "\" is the token of the holder: only the client that knows it may release the "
                 "lock.";
    const Bytes end = std::to_string(toEpochMs(kServerTime) + 30'000);
    QTest::newRow("its end") << "lock.order"s << end
                             << "It consists of: ends at: " + end + " (in 30.0 s).";
    QTest::newRow("time, host and a random number")
        << "job-lock:default:nightly"s
        << "ADDED:2026-11-18T10:26:30.000Z@web-2:0b2e54a7-9f0c-4d51-8a6e-1c2d3e4f5a6b"s
        << "It consists of: when it was taken: 2026-11-18T10:26:30.000Z ("s;
}

void TestPlainWords::thePartsOfATokenAreTold()
{
    QFETCH(const std::string, key);
    QFETCH(const std::string, value);
    QFETCH(const std::string, said);
    const std::string text = partsOf(of(stringKey(key, value)));
    QVERIFY2(text.find(said) != std::string::npos, text.c_str());
}

/// Whatever real clients leave: no format stumbles over it, and none answers with half a sentence.
void TestPlainWords::whatACapturedKeySaysIsASentence()
{
    for (const Capture& capture : allCaptures()) {
        const std::vector<DecodedLock> decoded = decode(capture.snapshot,
                                                        {builtinDecoders(), capture.treatments});
        if (decoded.empty()) {
            continue;
        }
        const PlainWords& words = decoderOfFormat(decoded.front().format)->words;
        std::vector<Observation> keys = capture.snapshot.keys;
        keys.insert(keys.end(), capture.snapshot.companions.begin(),
                    capture.snapshot.companions.end());
        for (const Observation& key : keys) {
            std::vector<HashField> parts = key.fields;
            if (key.type == ValueType::String) {
                parts = {{{}, key.value}};
            }
            for (const HashField& part : parts) {
                const std::string said = words.part && key.exists()
                                             ? words.part(capture.snapshot, key, part)
                                             : std::string();
                QVERIFY2(said.empty() || said.ends_with('.'), qPrintable(capture.path));
                QVERIFY2(said.find('%') == std::string::npos || key.value.find('%') != Bytes::npos
                             || part.name.find('%') != Bytes::npos,
                         said.c_str());
            }
            const std::string opening = words.key ? words.key(capture.snapshot, key)
                                                  : std::string();
            QVERIFY2(opening.empty() || opening.ends_with('.'), qPrintable(capture.path));
        }
    }
}

void TestPlainWords::constantsAreSentences()
{
    for (const Decoder& decoder : builtinDecoders()) {
        const PlainWords& words = decoder.words;
        for (const std::string_view text : {words.renewal, words.ifHolderDies, words.waiting}) {
            QVERIFY2(text.empty() || text.ends_with('.'), std::string(decoder.id).c_str());
        }
    }
}

LOCKSCOPE_TEST(TestPlainWords, None)

} // namespace lockscope::tst_plain_words

#include "tst_plain_words.moc"
