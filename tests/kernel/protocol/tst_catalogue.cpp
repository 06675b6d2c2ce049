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

/// "setNxPxToken": the function that builtin.h declares for "set-nx-px-token".
QString functionOf(std::string_view id)
{
    QString name;
    for (const QString& part :
         QString::fromUtf8(id.data(), qsizetype(id.size())).split(QLatin1Char('-'))) {
        name += name.isEmpty() ? part : part.left(1).toUpper() + part.mid(1);
    }
    return name;
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
    void theOrderIsThatOfBuiltin();
    void aProtocolIsFoundByItsId();
    void whatIsKnownIsComplete_data() { addProtocols(); }
    void whatIsKnownIsComplete();
    void theFactsAgreeWithEachOther_data() { addProtocols(); }
    void theFactsAgreeWithEachOther();
    void theProtocolHasAPage_data() { addProtocols(); }
    void theProtocolHasAPage();
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

void TestCatalogue::theOrderIsThatOfBuiltin()
{
    static const QRegularExpression declaration(
        QStringLiteral("const LockProtocol& (\\w+)\\(\\);"));
    QStringList declared;
    for (auto it = declaration.globalMatch(
             textOf(QStringLiteral("core/kernel/protocol/builtin/builtin.h")));
         it.hasNext();) {
        declared.append(it.next().captured(1));
    }
    QStringList listed;
    for (const LockProtocol* const protocol : builtinProtocols()) {
        listed.append(functionOf(protocol->info().id));
    }
    QVERIFY(!declared.isEmpty());
    QCOMPARE(listed, declared);
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
