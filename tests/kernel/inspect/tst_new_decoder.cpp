#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "tests/support/seen_keys.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>
#include <set>
#include <span>

// A decoder answers every question about its format itself: adding one takes its file.
namespace lockscope::tst_new_decoder {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::string_literals;

namespace {

/// A format that the program does not know: "ticket <owner>", with a list of waiters beside it.
namespace ticket {

constexpr std::string_view kQueues = "tickets:";

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    if (!snapshot.main().value.starts_with("ticket ")) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.holders.emplace_back().owner = snapshot.main().value;
    return decoded;
}

ReleaseRecipe release(const LockSnapshot&, const DecodedLock&, HolderChoice)
{
    return {};
}

std::vector<CompanionKey> companions(const LockSnapshot& snapshot)
{
    return {{Bytes(kQueues) + snapshot.main().key, ValueType::List}};
}

bool isBookkeeping(std::string_view key)
{
    return key.starts_with(kQueues);
}

std::vector<Bytes> locksOf(std::string_view queue)
{
    return {Bytes(queue.substr(kQueues.size()))};
}

const Decoder kDecoder{
    .id = "ticket",
    .library = "",
    .title = "Ticket",
    .summary = "A ticket.",
    .read = read,
    .release = release,
    .companions = companions,
    .isBookkeeping = isBookkeeping,
    .waiterQueues = {kQueues, locksOf},
    .quorumRole = QuorumRole::Vote,
};

} // namespace ticket

/// The source files in which `literal` stands outside of comments.
QStringList filesWith(const QByteArray& literal, const QStringList& files)
{
    QStringList found;
    for (const QString& path : files) {
        QFile file(path);
        const bool isOpen = file.open(QIODevice::ReadOnly);
        const QList<QByteArray> lines = isOpen ? file.readAll().split('\n') : QList<QByteArray>();
        if (std::ranges::any_of(lines, [&literal](const QByteArray& line) {
                return line.left(line.indexOf("//")).contains(literal);
            })) {
            found << path;
        }
    }
    return found;
}

} // namespace

class TestNewDecoder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsCompanionsAndQueuesAreItsOwnAnswers();
    void itsKeysOnSeveralServersAreOneLock();
    void noOtherFileNamesAFormat();

private:
    const std::array<Decoder, 1> m_decoders{ticket::kDecoder};
    const LockSnapshot m_snapshot = of(stringKey("lock:x", "ticket 7"));
};

void TestNewDecoder::itsCompanionsAndQueuesAreItsOwnAnswers()
{
    const std::vector<CompanionKey> companions = companionsOf(m_snapshot, m_decoders);
    QCOMPARE(companions.size(), 1U);
    QCOMPARE(companions.front().key, "tickets:lock:x"s);
    QVERIFY(isBookkeepingOf("tickets:lock:x", m_decoders));
    QVERIFY(!isBookkeepingOf("lock:x", m_decoders));
    QVERIFY(locksOfQueue("tickets:lock:x", m_decoders) == std::vector{"lock:x"s});
    QVERIFY(locksOfQueue("lock:x", m_decoders).empty());
}

void TestNewDecoder::itsKeysOnSeveralServersAreOneLock()
{
    LockBook book(3, std::span<const Decoder>(m_decoders));
    for (const std::uint16_t server : {std::uint16_t(0), std::uint16_t(2)}) {
        LockSnapshot seen = m_snapshot;
        seen.server = server;
        book.see(std::move(seen), kStart);
    }
    const std::vector<LockPtr> rows = book.rows();
    QCOMPARE(rows.size(), 1U);
    QVERIFY(rows.front()->id.server == LockId::kWholeSet);
    QCOMPARE(int(rows.front()->quorum().held), 2);
    QCOMPARE(int(rows.front()->quorum().total), 3);
}

void TestNewDecoder::noOtherFileNamesAFormat()
{
    QStringList files;
    for (const char* const folder :
         {"core/kernel/inspect", "core/kernel/report", "core/operations", "core/wire", "ui"}) {
        QDirIterator found(inSourceTree(QString::fromLatin1(folder)),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (found.hasNext()) {
            const QString path = found.next();
            if (!path.contains(QLatin1String("/inspect/decoders/"))) {
                files << path;
            }
        }
    }
    QVERIFY(files.size() > 100);
    // Words with another meaning as well: a mode, a word of the filter.
    const std::set<std::string_view> otherWords{"flag", "semaphore"};
    for (const Decoder& decoder : builtinDecoders()) {
        const QByteArray literal = '"' + QByteArray(decoder.id.data(), qsizetype(decoder.id.size()))
                                   + '"';
        const QStringList named = filesWith(literal, files);
        QVERIFY2(named.isEmpty() || otherWords.contains(decoder.id),
                 qPrintable(QString::fromUtf8(literal) + QLatin1String(" in ")
                            + named.join(QLatin1Char(' '))));
    }
}

LOCKSCOPE_TEST(TestNewDecoder, None)

} // namespace lockscope::tst_new_decoder

#include "tst_new_decoder.moc"
