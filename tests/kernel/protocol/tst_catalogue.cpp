#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/promise.h"
#include "core/kernel/protocol/protocol_info.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <set>

namespace lockscope::tst_catalogue {

using namespace lockscope::protocol;

namespace {

QString textOf(const QString& path)
{
    QFile file(lockscope::testing::inSourceTree(path));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return QString::fromUtf8(file.readAll());
}

/// The cells of the rows of the first table below the heading.
QList<QStringList> rowsBelow(const QString& page, const QString& heading)
{
    QList<QStringList> rows;
    const QString section = page.section(heading, 1, 1).section(QStringLiteral("\n## "), 0, 0);
    for (const QString& line : section.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("| "))) {
            QStringList cells = line.split(QLatin1Char('|')).mid(1);
            cells.removeLast();
            for (QString& cell : cells) {
                cell = cell.trimmed();
            }
            rows.append(cells);
        }
    }
    return rows.mid(1); // without the head
}

/// As the pages call it: "lease honesty".
QString labelOf(Promise promise)
{
    switch (promise) {
    case Promise::OwnerOnlyRelease: return QStringLiteral("only the owner releases");
    case Promise::NoLostWakeup: return QStringLiteral("no lost wake-up");
    case Promise::ReadWriteExclusion: return QStringLiteral("read-write exclusion");
    default: return QString::fromUtf8(idOf(promise).data()).replace(u'-', u' ');
    }
}

void addProtocols()
{
    QTest::addColumn<const LockProtocol*>("protocol");
    for (const LockProtocol* const protocol : builtinProtocols()) {
        QTest::newRow(protocol->info().id.c_str()) << protocol;
    }
}

} // namespace

class TestCatalogue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIdIsUnique();
    void aProtocolIsFoundByItsId();
    void whatIsKnownIsComplete_data() { addProtocols(); }
    void whatIsKnownIsComplete();
    void theFactsAgreeWithEachOther_data() { addProtocols(); }
    void theFactsAgreeWithEachOther();
    void theProtocolHasAPage_data() { addProtocols(); }
    void theProtocolHasAPage();
    void thePageSaysWhatIsClaimed_data() { addProtocols(); }
    void thePageSaysWhatIsClaimed();
    void theListOfPagesIsTheCatalogue();
    void everyPromiseHasAnIdOfItsOwn();
    void everyKeyUseAndFeatureHasAnId();
    void aPromiseIsClaimedOrNot();
    void aRequestBeginsWithTheDefaults();
};

void TestCatalogue::everyIdIsUnique()
{
    std::set<std::string> ids;
    for (const LockProtocol* const protocol : builtinProtocols()) {
        QVERIFY2(ids.insert(protocol->info().id).second, protocol->info().id.c_str());
    }
}

void TestCatalogue::aProtocolIsFoundByItsId()
{
    QCOMPARE(findProtocol("redisson-lock"), &builtin::redissonLock());
    QCOMPARE(findProtocol("redisson"), nullptr);
    QCOMPARE(findProtocol(""), nullptr);
}

void TestCatalogue::whatIsKnownIsComplete()
{
    QFETCH(const LockProtocol* const, protocol);
    const ProtocolInfo& info = protocol->info();
    static const QRegularExpression kebab(QStringLiteral("^[a-z0-9]+(-[a-z0-9]+)*$"));
    QVERIFY(kebab.match(QString::fromStdString(info.id)).hasMatch());
    QVERIFY(!info.title.empty());
    QVERIFY(info.summary.ends_with('.'));
    QVERIFY(info.flaw.empty() || info.flaw.ends_with('.'));
    QVERIFY(!info.claims.empty());
}

void TestCatalogue::theFactsAgreeWithEachOther()
{
    QFETCH(const LockProtocol* const, protocol);
    const ProtocolInfo& info = protocol->info();
    QVERIFY(info.defaults.lease >= std::chrono::milliseconds(1));
    QVERIFY(info.canRenew || !info.defaults.renewal.isOn());
    QCOMPARE(info.claimsPromise(Promise::FencingOrder), info.hasFence);
    QVERIFY(info.isReentrant || !info.claimsPromise(Promise::ReentryBalance));
    QVERIFY(info.hasModes || !info.claimsPromise(Promise::ReadWriteExclusion));
    std::set<Promise> claimed;
    for (const Claim& claim : info.claims) {
        QVERIFY2(claimed.insert(claim.promise).second, idOf(claim.promise).data());
    }
    QVERIFY(protocol->makeMemory() != nullptr);
}

void TestCatalogue::theProtocolHasAPage()
{
    QFETCH(const LockProtocol* const, protocol);
    const QString id = QString::fromStdString(protocol->info().id);
    const QString page = textOf(QStringLiteral("docs/protocols/%1.md").arg(id));
    QVERIFY2(
        page.section(QLatin1Char('\n'), 0, 0).contains(QLatin1Char('`') + id + QLatin1Char('`')),
        "the first line of its page names it");
}

void TestCatalogue::thePageSaysWhatIsClaimed()
{
    QFETCH(const LockProtocol* const, protocol);
    const ProtocolInfo& info = protocol->info();
    const QString page =
        textOf(QStringLiteral("docs/protocols/%1.md").arg(QString::fromStdString(info.id)));
    const QList<QStringList> rows = rowsBelow(page, QStringLiteral("## Promises\n"));
    QCOMPARE(std::size_t(rows.size()), info.claims.size());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const Claim& claim = info.claims[std::size_t(i)];
        QCOMPARE(rows[i].value(0), labelOf(claim.promise));
        const QString asLongAs = rows[i].value(1);
        if (claim.assuming.empty()) {
            QVERIFY2(asLongAs.startsWith(QLatin1String("always")), qPrintable(asLongAs));
        } else {
            QCOMPARE(asLongAs,
                     QString::fromUtf8(claim.assuming.data(), qsizetype(claim.assuming.size())));
        }
    }
}

void TestCatalogue::theListOfPagesIsTheCatalogue()
{
    const QString list = textOf(QStringLiteral("docs/protocols/README.md"));
    const QList<QStringList> rows = rowsBelow(list, QStringLiteral("## The catalogue\n"));
    QStringList listed;
    QStringList expected;
    for (const QStringList& row : rows) {
        listed += row.value(0) + QLatin1String(", keys: ") + row.value(3);
    }
    for (const LockProtocol* const protocol : builtinProtocols()) {
        const ProtocolInfo& info = protocol->info();
        expected += QStringLiteral("[%1](%1.md), keys: %2")
                        .arg(QString::fromStdString(info.id),
                             QString::fromUtf8(idOf(info.keys).data()));
    }
    QCOMPARE(listed, expected);
}

void TestCatalogue::everyPromiseHasAnIdOfItsOwn()
{
    std::set<std::string_view> ids;
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        ids.insert(idOf(static_cast<Promise>(i)));
    }
    QCOMPARE(ids.size(), static_cast<std::size_t>(Promise::PromiseCount));
    QVERIFY(!ids.contains("unknown"));
    QVERIFY(ids.contains("no-lost-wakeup"));
}

void TestCatalogue::everyKeyUseAndFeatureHasAnId()
{
    QCOMPARE(idOf(KeyUse::One), std::string_view("one"));
    QCOMPARE(idOf(KeyUse::Two), std::string_view("two"));
    QCOMPARE(idOf(KeyUse::OnePerServer), std::string_view("n servers"));
    std::set<std::string_view> ids;
    for (const ServerFeature feature :
         {ServerFeature::SetOptions, ServerFeature::Scripts, ServerFeature::ScriptTime,
          ServerFeature::PubSub, ServerFeature::BlockingPop, ServerFeature::SeveralMasters}) {
        ids.insert(idOf(feature));
    }
    QCOMPARE(ids.size(), std::size_t(6));
    QVERIFY(!ids.contains("unknown"));
}

void TestCatalogue::aPromiseIsClaimedOrNot()
{
    ProtocolInfo info;
    info.claims = {{Promise::Fairness, "somehow"}};
    QVERIFY(info.claimsPromise(Promise::Fairness));
    QVERIFY(!info.claimsPromise(Promise::Progress));
}

void TestCatalogue::aRequestBeginsWithTheDefaults()
{
    ProtocolInfo info;
    info.defaults.lease = std::chrono::seconds(7);
    info.defaults.retry.interval = std::chrono::milliseconds(3);
    const LockRequest request = LockRequest::withDefaults(info, "k");
    QCOMPARE(request.key, lockscope::Bytes("k"));
    QCOMPARE(request.lease, lockscope::Duration(std::chrono::seconds(7)));
    QCOMPARE(request.retry.interval, lockscope::Duration(std::chrono::milliseconds(3)));
}

LOCKSCOPE_TEST(TestCatalogue, Core)

} // namespace lockscope::tst_catalogue

#include "tst_catalogue.moc"
