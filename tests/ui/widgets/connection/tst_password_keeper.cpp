#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/connection/password_keeper.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_password_keeper {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using Wish = PasswordKeeper::Wish;

namespace {

const QStringList kUrls{u"redis://a:1"_s};

struct Rig {
    Rig() { rememberServer(settings, {kUrls}); }

    bool isKept() const { return settings.recentServers[0].keepsPassword; }

    test::ScriptedSecretStore secrets;
    Settings settings;
    PasswordKeeper keeper{secrets, settings};
    QSignalSpy failed{&keeper, &PasswordKeeper::failed};
};

std::vector<store::Endpoint> serverA(const std::string& password = {})
{
    store::Endpoint endpoint;
    endpoint.host = "a";
    endpoint.port = 1;
    endpoint.password = password;
    return {endpoint};
}

} // namespace

class TestPasswordKeeper : public QObject {
    Q_OBJECT

    /// Both secrets of a server are kept, and are there when it is opened again.
    static void keepAndLend(Rig& rig, const std::vector<store::Endpoint>& servers)
    {
        rig.keeper.fulfil(Wish::Keep, servers);
        QTRY_COMPARE(rig.secrets.secrets.size(), 2);
        QTRY_VERIFY(rig.isKept());
        std::vector<store::Endpoint> lent;
        rig.keeper.complete(rig.settings.recentServers[0],
                            [&lent](const auto& endpoints) { lent = endpoints; });
        QTRY_COMPARE(lent.size(), std::size_t(1));
        QVERIFY(lent == servers);
    }

private Q_SLOTS:
    void aPasswordIsKeptLentAndForgotten()
    {
        Rig rig;
        rig.keeper.fulfil(Wish::Keep, serverA("s3cret"));
        QVERIFY(!rig.isKept()); // not before the keyring has it
        QTRY_VERIFY(rig.isKept());
        std::vector<store::Endpoint> lent;
        rig.keeper.complete(rig.settings.recentServers[0],
                            [&lent](const auto& endpoints) { lent = endpoints; });
        QTRY_COMPARE(lent.size(), std::size_t(1));
        QCOMPARE(lent[0].password, std::string("s3cret"));
        rig.keeper.fulfil(Wish::Forget, serverA());
        QVERIFY(!rig.isKept());
        QTRY_VERIFY(rig.secrets.secrets.isEmpty());
        QCOMPARE(rig.failed.size(), 0);
    }

    void thePasswordGoesWithTheLastEntryOfItsAccount()
    {
        Rig rig;
        rig.keeper.fulfil(Wish::Keep, serverA("s3cret"));
        QTRY_VERIFY(rig.isKept());
        saveProfile(rig.settings, {{u"redis://a:1/3"_s}, {}, false, u"A"_s, {}, true});
        const ServerProfile profile = rig.settings.profiles.takeFirst();
        QSignalSpy stored(&rig.secrets, &service::SecretStore::stored);
        rig.keeper.forget(profile); // the recent one has the same account
        const ServerProfile recent = rig.settings.recentServers.takeFirst();
        rig.keeper.forget(recent);
        QTRY_VERIFY(rig.secrets.secrets.isEmpty());
        QCOMPARE(stored.size(), 1);
    }

    void thePassphraseOfAKeyIsKeptBesideThePassword()
    {
        Rig rig;
        const QStringList urls{u"rediss://a:1?cert=/c.pem&key=/c.key"_s};
        rememberServer(rig.settings, {urls});
        std::vector<store::Endpoint> servers = endpointsOf(rig.settings.recentServers[0]);
        servers[0].password = "s3cret";
        servers[0].keyPassphrase = "open sesame";
        keepAndLend(rig, servers);
        // The same key serves another server, which goes on needing it.
        rememberServer(rig.settings, {{u"rediss://b:1?cert=/c.pem&key=/c.key"_s}});
        setKeepsPassword(rig.settings, {u"rediss://b:1?cert=/c.pem&key=/c.key"_s}, true);
        rig.keeper.forget(rig.settings.recentServers.takeAt(1));
        QTRY_COMPARE(rig.secrets.secrets.size(), 1);
        QCOMPARE(rig.secrets.secrets.first(), u"open sesame"_s);
    }

    void thePasswordOfSentinelsIsKeptBesideThatOfTheServer()
    {
        Rig rig;
        rememberServer(rig.settings, {{u"redis+sentinel://s1:1,s2:2/m?sentinel-user=w"_s}});
        std::vector<store::Endpoint> servers = endpointsOf(rig.settings.recentServers[0]);
        servers[0].password = "s3cret";
        servers[0].sentinelPassword = "open sesame";
        keepAndLend(rig, servers);
        QVERIFY(!rig.settings.recentServers[0].urls.join(u' ').contains(u"sesame"));
    }

    void whatIsNotKeptIsNotAskedFor()
    {
        Rig rig;
        rig.secrets.secrets.insert(kUrls[0], u"of somebody else"_s);
        QSignalSpy fetched(&rig.secrets, &service::SecretStore::fetched);
        std::vector<store::Endpoint> lent;
        rig.keeper.complete(rig.settings.recentServers[0],
                            [&lent](const auto& endpoints) { lent = endpoints; });
        QCOMPARE(lent.size(), std::size_t(1)); // at once
        QCOMPARE(lent[0].password, std::string());
        rig.keeper.fulfil(Wish::Leave, serverA("typed"));
        QCOMPARE(rig.secrets.secrets.size(), 1);
    }

    void aKeyringThatIsMissingIsSaidAndTheServerIsOpenedWithoutIt()
    {
        Rig rig;
        rig.secrets.problem = u"no keyring is running"_s;
        rig.keeper.fulfil(Wish::Keep, serverA("s3cret"));
        QTRY_COMPARE(rig.failed.size(), 1);
        QVERIFY(rig.failed[0][0].toString().contains(rig.secrets.problem));
        QVERIFY(!rig.failed[0][0].toString().contains(u"s3cret"_s));
        QVERIFY(!rig.isKept());
        setKeepsPassword(rig.settings, kUrls, true);
        std::vector<store::Endpoint> lent;
        rig.keeper.complete(rig.settings.recentServers[0],
                            [&lent](const auto& endpoints) { lent = endpoints; });
        QTRY_COMPARE(lent.size(), std::size_t(1));
        QCOMPARE(lent[0].password, std::string());
        QCOMPARE(rig.failed.size(), 2);
    }
};

LOCKSCOPE_TEST(TestPasswordKeeper, Core)

} // namespace lockscope::tst_password_keeper

#include "tst_password_keeper.moc"
