#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/formats/own_formats.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_own_formats {

using namespace lockscope::inspect;
using namespace std::chrono_literals;

namespace {

constexpr Instant kNow = Instant(1000s);
const std::string kAcme = R"({"id": "acme", "library": "Acme", "summary": "A job of Acme.",
  "keys": ["acme:job:*"], "values": ["{text}/{digits}"], "confidence": "high"})";

std::string replaced(std::string text, std::string_view part, std::string_view other)
{
    return text.replace(text.find(part), part.size(), other);
}

struct Table {
    explicit Table(const std::vector<std::string>& texts, const std::string& treatments = {},
                   FormatTablePtr previous = nullptr)
    {
        std::vector<OwnFile> files;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            files.push_back({std::to_string(i) + ".json", texts[i]});
        }
        formats = tableOf(files, {"treat-as.json", treatments}, std::move(previous), problems);
    }

    FormatTablePtr formats;
    std::vector<OwnFileProblem> problems;
};

std::string treating(const std::string& keys, const std::string& format)
{
    return treatmentsText(std::vector<Treatment>{{keys, format}});
}

LockSnapshot held(const Bytes& key, const Bytes& value)
{
    Observation seen;
    seen.key = key;
    seen.type = ValueType::String;
    seen.value = value;
    seen.size = value.size();
    seen.isComplete = true;
    seen.ttl = 600s;
    seen.seenAt = kNow;
    LockSnapshot snapshot;
    snapshot.name = key;
    snapshot.keys = {seen};
    return snapshot;
}

std::string_view formatOf(const LockSnapshot& snapshot, const Table& table)
{
    const auto decoded = decode(snapshot, table.formats->recognisers());
    return decoded.empty() ? std::string_view("none") : decoded.front().format;
}

} // namespace

class TestOwnFormats : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFileOfTheUserIsAFormat()
    {
        const Table table({kAcme});
        QVERIFY(table.problems.empty());
        QCOMPARE(formatOf(held("acme:job:1", "host-1/4711"), table), std::string_view("acme"));
        QVERIFY(!NameRules().looksLikeLock("acme:job:1"));
        QVERIFY(NameRules({}, table.formats).looksLikeLock("acme:job:1"));
        QVERIFY(table.formats->lockNames() == std::vector<std::string>{"acme:job:*"});
    }

    void itIsAskedBeforeThoseThatAreBuiltIn()
    {
        const Table table({replaced(kAcme, "acme:job:*", "lock:*")});
        const LockSnapshot snapshot = held("lock:x", "host-1/4711");
        QCOMPARE(formatOf(snapshot, table), std::string_view("acme"));
        QVERIFY(formatOf(snapshot, Table({})) != std::string_view("acme"));
    }

    void aPatternOfTheUserIsNotDoubted()
    {
        const Table table({replaced(kAcme, "acme:job:*", "*:busy")});
        LockSnapshot snapshot = held("job:1:busy", "host-1/4711");
        snapshot.keys.front().ttl = std::chrono::hours(8);
        const auto decoded = decode(snapshot, table.formats->recognisers());
        QVERIFY(!decoded.empty());
        QCOMPARE(decoded.front().format, std::string_view("acme"));
        QCOMPARE(decoded.front().confidence, Confidence::High);
    }

    void aMistakeIsNamedAndTheOtherFilesCount_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("no JSON") << QByteArray("{") << QByteArray("0.json: line 1");
        QTest::newRow("built in") << QByteArray::fromStdString(replaced(kAcme, "\"acme\"",
                                                                        "\"token\""))
                                  << QByteArray("\"token\" is that of a built-in format");
        QTest::newRow("reserved") << QByteArray::fromStdString(replaced(kAcme, "\"acme\"",
                                                                        "\"not-a-lock\""))
                                  << QByteArray("\"not-a-lock\"");
    }

    void aMistakeIsNamedAndTheOtherFilesCount()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, sentence);
        const Table table({text.toStdString(), kAcme});
        QCOMPARE(table.problems.size(), 1U);
        QCOMPARE(table.problems.front().path, std::string("0.json"));
        QVERIFY2(QByteArray::fromStdString(table.problems.front().sentence).contains(sentence),
                 table.problems.front().sentence.c_str());
        QCOMPARE(formatOf(held("acme:job:1", "host-1/4711"), table), std::string_view("acme"));
    }

    void anIdIsTakenOnce()
    {
        const Table table({kAcme, replaced(kAcme, "A job", "Another job")});
        QCOMPARE(table.problems.size(), 1U);
        QCOMPARE(table.problems.front().path, std::string("1.json"));
        QCOMPARE(table.formats->recognisers().decoderOf("acme")->summary,
                 std::string_view("A job of Acme."));
    }

    void whatTheUserSaysOfANameCounts()
    {
        const LockSnapshot snapshot = held("cart:7", "1");
        QCOMPARE(formatOf(snapshot, Table({})), std::string_view("none"));
        const Table table({}, treating("cart:*", "flag"));
        QCOMPARE(formatOf(snapshot, table), std::string_view("flag"));
        QVERIFY(NameRules({}, table.formats).looksLikeLock("cart:7"));
        QVERIFY(!NameRules({}, table.formats).looksLikeLock("basket:7"));
    }

    void theChosenFormatWinsOverABetterOne()
    {
        const std::string acme = replaced(replaced(kAcme, "acme:job:*", "lock:*"), "high", "low");
        const LockSnapshot snapshot = held("lock:x", "host-1/4711");
        QCOMPARE(formatOf(snapshot, Table({acme}, treating("lock:*", "token"))),
                 std::string_view("token"));
        QCOMPARE(formatOf(snapshot, Table({acme}, treating("lock:*", "acme"))),
                 std::string_view("acme"));
    }

    void whatIsNoLockIsNeitherReadNorShown()
    {
        const Table table({}, treating("lock:*", "not-a-lock"));
        QCOMPARE(formatOf(held("lock:x", "host-1/4711"), table), std::string_view("none"));
        QVERIFY(NameRules({}, table.formats).isBookkeeping("lock:x"));
        QVERIFY(!NameRules({}, table.formats).isBookkeeping("locks:x"));
    }

    void theNewestTreatmentComesFirstAndReplacesTheOldOne()
    {
        const std::vector<Treatment> treatments{{"a:*", "token"}, {"b:*", ""}};
        QVERIFY((withTreatment(treatments, {"b:*", "flag"})
                 == std::vector<Treatment>{{"b:*", "flag"}, {"a:*", "token"}}));
        QVERIFY((withTreatment(treatments, {"c:*", ""})
                 == std::vector<Treatment>{{"c:*", ""}, {"a:*", "token"}, {"b:*", ""}}));
    }

    void aTreatmentAsAnUnknownFormatIsAMistake()
    {
        const Table table({}, treating("lock:*", "tokn"));
        QCOMPARE(table.problems.size(), 1U);
        QVERIFY(table.problems.front().sentence.starts_with("treat-as.json: line "));
        QVERIFY(table.problems.front().sentence.find("\"tokn\"") != std::string::npos);
    }

    void treatmentsAreReadAsTheyWereWritten()
    {
        const std::vector<Treatment> treatments{{"a:*", "token"}, {"b\\*:\xc3\xa4", ""}};
        std::vector<OwnFileProblem> problems;
        const OwnFile file{"treat-as.json", treatmentsText(treatments)};
        QVERIFY(readTreatments(file, builtinDecoders(), problems) == treatments);
        QVERIFY(problems.empty());
        QVERIFY(!treatmentsText(std::vector<Treatment>{{"\xff", ""}}).empty());
    }

    void aBookForgetsWhatIsNoLockAnyMore()
    {
        const Table first({kAcme});
        LockBook book(1, first.formats);
        book.see(held("acme:job:1", "host-1/4711"), kNow);
        book.see(held("lock:x", "8b1a9953-c461-4296-a827-abf8c47804d7"), kNow);
        book.see(held("lock:y", "1c2d9953-c461-4296-a827-abf8c47804d7"), kNow);
        QCOMPARE(book.takeDelta().changes.size(), 3U);
        const Table second({}, treating("lock:x", "not-a-lock"), first.formats);
        book.setFormats(second.formats, kNow);
        const LockDelta delta = book.takeDelta();
        QCOMPARE(delta.changes.size(), 2U);
        for (const LockChange& change : delta.changes) {
            QVERIFY(change.kind == ChangeKind::Unwatched);
        }
        QCOMPARE(book.rowCount(), 1U);
        QVERIFY(!book.see(held("lock:x", "8b1a9953-c461-4296-a827-abf8c47804d7"), kNow));
    }

    void whatIsRecognisedOnlyNowWasNotTakenJustNow()
    {
        LockBook book(1, Table({}).formats);
        book.setLive(0, true);
        book.setFormats(Table({kAcme}).formats, kNow);
        book.see(held("acme:job:1", "host-1/4711"), kNow);
        QCOMPARE(book.rows().size(), 1U);
        QVERIFY(!book.rows().front()->isTakenWhileWatching);
    }

    void locksOutliveTheTableTheyWereReadBy()
    {
        std::string_view format;
        FormatTablePtr newest;
        {
            const Table first({kAcme});
            format = formatOf(held("acme:job:1", "host-1/4711"), first);
            newest = Table({}, {}, first.formats).formats;
        }
        QCOMPARE(format, std::string_view("acme")); // the sanitizer looks whether it is still there
        QVERIFY(newest->isOwn("acme"));
        QVERIFY(newest->recognisers().decoderOf("acme") == nullptr);
    }

    void namesLikeOneLeaveOutWhatVaries_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("names");
        const auto row = [](const char* key, const char* names) {
            QTest::newRow(key) << QByteArray(key) << QByteArray(names);
        };
        row("lock:order:42", "lock:order:*");
        row("order42:lock", "order*:lock");
        row("lock:8b1a9953-c461-4296-a827-abf8c47804d7", "lock:*");
        row("lock:8B1A9953-C461-4296-A827-ABF8C47804D7:x", "lock:*:x");
        row("job:5f0c2e1ab0:lock", "job:*:lock");
        row("job:decade:lock", "job:decade:lock");
        row("a:1:2", "a:*:*");
        row("what?[x]*\\", "what\\?\\[x]\\*\\\\");
        row("\xff:lock", "?:lock");
        row("сделка:7", "сделка:*");
    }

    void namesLikeOneLeaveOutWhatVaries()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, names);
        const std::string pattern = namesLike(key.toStdString());
        QCOMPARE(QByteArray::fromStdString(pattern), names);
        QVERIFY(matchesGlob(pattern, key.toStdString()));
    }
};

LOCKSCOPE_TEST(TestOwnFormats, Core)

} // namespace lockscope::tst_own_formats

#include "tst_own_formats.moc"
