#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/connection/connection_dialog.h"
#include "ui/widgets/connection/endpoint_form.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/connection/server_tree.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

namespace lockscope::tst_connection_dialog {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestConnectionDialog : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<test::ScriptedConnectionTester> m_tester;
    std::unique_ptr<test::ScriptedSecretStore> m_secrets;
    std::unique_ptr<PasswordKeeper> m_passwords;
    std::unique_ptr<Settings> m_settings;
    test::ScriptedPrompter m_prompter;
    std::unique_ptr<ConnectionDialog> m_dialog;

    void open(const QList<ServerProfile>& recent = {})
    {
        m_dialog.reset();
        m_secrets = std::make_unique<test::ScriptedSecretStore>();
        m_settings = std::make_unique<Settings>();
        m_settings->recentServers = recent;
        m_passwords = std::make_unique<PasswordKeeper>(*m_secrets, *m_settings);
        reopen();
    }

    void reopen()
    {
        m_dialog = std::make_unique<ConnectionDialog>(ConnectionDialog::Parts{
            *m_tester, *m_passwords, *m_settings, m_prompter});
        m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }

    template<class Widget>
    Widget* find(const char16_t* name) const
    {
        return m_dialog->findChild<Widget*>(QString::fromUtf16(name));
    }
    QTreeWidgetItem* lastGroup() const
    {
        const auto* tree = find<ServerTree>(u"serverTree");
        return tree->topLevelItem(tree->topLevelItemCount() - 1);
    }
    void chooseRecent(int row) const
    {
        find<ServerTree>(u"serverTree")->setCurrentItem(lastGroup()->child(row));
    }
    QLineEdit* edit(const char16_t* name) const { return find<QLineEdit>(name); }
    QString text(const char16_t* name) const { return find<QLabel>(name)->text(); }

    void type(const char16_t* name, const QString& value) const
    {
        edit(name)->setFocus();
        edit(name)->selectAll();
        QTest::keyClick(edit(name), Qt::Key_Delete);
        QTest::keyClicks(edit(name), value);
    }

    store::Endpoint only() const
    {
        const auto endpoints = m_dialog->endpoints();
        return endpoints.size() == 1 ? endpoints.front() : store::Endpoint();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init()
    {
        m_tester = std::make_unique<test::ScriptedConnectionTester>();
        open();
    }

    void cleanup()
    {
        m_dialog.reset();
        m_passwords.reset();
        m_tester.reset();
    }

    void aUrlFillsTheFields()
    {
        type(u"urlEdit", u"rediss://watcher:s3cret@10.0.0.5:6380/3"_s);
        QCOMPARE(edit(u"hostEdit")->text(), u"10.0.0.5"_s);
        QCOMPARE(find<QSpinBox>(u"portSpin")->value(), 6380);
        QCOMPARE(edit(u"userEdit")->text(), u"watcher"_s);
        QCOMPARE(edit(u"passwordEdit")->text(), u"s3cret"_s);
        QCOMPARE(find<QSpinBox>(u"databaseSpin")->value(), 3);
        QCOMPARE(find<QComboBox>(u"transportCombo")->currentText(), u"TCP with TLS"_s);
        QVERIFY(only().transport == store::Endpoint::Transport::Tls);
    }

    void filesForTlsAreAskedForWithTlsAlone()
    {
        type(u"urlEdit", u"redis://10.0.0.5"_s);
        QVERIFY(edit(u"caEdit")->isHidden());
        type(u"urlEdit", u"rediss://10.0.0.5?ca=/etc/ca.pem&server-name=cache-1"_s);
        QVERIFY(!edit(u"caEdit")->isHidden());
        QCOMPARE(edit(u"caEdit")->text(), u"/etc/ca.pem"_s);
        QCOMPARE(edit(u"serverNameEdit")->text(), u"cache-1"_s);
        type(u"certificateEdit", u"/home/me/client.pem"_s);
        type(u"keyEdit", u"/home/me/client.key"_s);
        QCOMPARE(edit(u"urlEdit")->text(),
                 u"rediss://10.0.0.5:6379?ca=/etc/ca.pem&cert=/home/me/client.pem"
                 "&key=/home/me/client.key&server-name=cache-1"_s);
        const store::TlsOptions expected{"/etc/ca.pem", "/home/me/client.pem",
                                         "/home/me/client.key", "cache-1"};
        QVERIFY(only().tls == expected);
        type(u"passphraseEdit", u"open sesame"_s);
        QCOMPARE(edit(u"passphraseEdit")->echoMode(), QLineEdit::Password);
        QVERIFY(!edit(u"urlEdit")->text().contains(u"sesame"_s));
        type(u"hostEdit", u"10.0.0.6"_s); // the key stays, and what opens it
        QCOMPARE(only().keyPassphrase, std::string("open sesame"));
        find<QComboBox>(u"transportCombo")->setCurrentText(u"TCP"_s);
        QVERIFY(edit(u"keyEdit")->isHidden());
        QVERIFY(only().tls.isDefault());
    }

    void thePasswordLeavesTheUrlWhenItIsFinished()
    {
        type(u"urlEdit", u"redis://watcher:s3cret@10.0.0.5"_s);
        edit(u"hostEdit")->setFocus();
        QVERIFY2(!edit(u"urlEdit")->text().contains(u"s3cret"),
                 qPrintable(edit(u"urlEdit")->text()));
        QCOMPARE(only().password, std::string("s3cret"));
        QCOMPARE(edit(u"passwordEdit")->echoMode(), QLineEdit::Password);
    }

    void theFieldsFillTheUrl()
    {
        type(u"hostEdit", u"redis.internal"_s);
        find<QSpinBox>(u"portSpin")->setValue(7000);
        find<QSpinBox>(u"databaseSpin")->setValue(2);
        type(u"userEdit", u"watcher"_s);
        type(u"passwordEdit", u"s3cret"_s);
        QCOMPARE(edit(u"urlEdit")->text(), u"redis://watcher@redis.internal:7000/2"_s);
        QCOMPARE(only().host, std::string("redis.internal"));
        QCOMPARE(only().password, std::string("s3cret"));
    }

    void aSocketShowsItsPathAndHidesHostAndPort()
    {
        type(u"urlEdit", u"unix:///run/redis/redis.sock?db=4"_s);
        QVERIFY(edit(u"socketEdit")->isVisible());
        QVERIFY(!edit(u"hostEdit")->isVisible());
        QVERIFY(!find<QSpinBox>(u"portSpin")->isVisible());
        QCOMPARE(only().socketPath, std::string("/run/redis/redis.sock"));
        QCOMPARE(only().database, 4);
    }

    /// The form with most fields: Sentinels, reached by TLS, with a file for each purpose.
    void theButtonsStayOnTheScreen()
    {
        type(u"urlEdit", u"rediss+sentinel://s1,s2,s3/mymaster"_s);
        const QRect screen = m_dialog->screen()->availableGeometry();
        QTRY_VERIFY(m_dialog->height() <= screen.height());
        const auto* const connectButton = find<QPushButton>(u"connectButton");
        const QRect place(connectButton->mapTo(m_dialog.get(), QPoint()), connectButton->size());
        QVERIFY(m_dialog->rect().contains(place));
    }

    void noSecretGoesToOtherSentinels()
    {
        type(u"urlEdit", u"redis+sentinel://s1/mymaster"_s);
        type(u"passwordEdit", u"s3cret"_s);
        type(u"sentinelPasswordEdit", u"open sesame"_s);
        type(u"sentinelsEdit", u"s1, evil"_s);
        QCOMPARE(only().password, std::string());
        QCOMPARE(only().sentinelPassword, std::string());
        type(u"sentinelsEdit", u"s1"_s); // they come back with the address
        QCOMPARE(only().password, std::string("s3cret"));
        QCOMPARE(only().sentinelPassword, std::string("open sesame"));
    }

    void whatIsMissingOfTheSentinelsIsSaid()
    {
        find<QComboBox>(u"transportCombo")->setCurrentText(u"Sentinel with TLS"_s);
        QCOMPARE(text(u"urlError"), u"the host is missing"_s);
        type(u"sentinelsEdit", u"s1, s2"_s);
        QCOMPARE(text(u"urlError"), u"Enter the name of the master."_s);
        QVERIFY(m_dialog->endpoints().empty());
        type(u"masterNameEdit", u"mymaster"_s);
        QVERIFY(only().hasSentinels());
        QVERIFY(only().transport == store::Endpoint::Transport::Tls);
        QVERIFY(!edit(u"caEdit")->isHidden());
    }

    void aMalformedUrlExplainsItselfAndCannotBeUsed()
    {
        type(u"urlEdit", u"redis://10.0.0.5:99999"_s);
        QVERIFY(find<QLabel>(u"urlError")->isVisible());
        QVERIFY2(text(u"urlError").contains(u"99999"), qPrintable(text(u"urlError")));
        QVERIFY(!find<QPushButton>(u"connectButton")->isEnabled());
        QVERIFY(!find<QPushButton>(u"testButton")->isEnabled());
        type(u"urlEdit", u"redis://10.0.0.5:6379"_s);
        QVERIFY(!find<QLabel>(u"urlError")->isVisible());
        QVERIFY(find<QPushButton>(u"connectButton")->isEnabled());
    }

    void aMissingHostSaysSo()
    {
        type(u"hostEdit", u""_s);
        QVERIFY(!text(u"urlError").isEmpty());
        QVERIFY(m_dialog->endpoints().empty());
        QVERIFY(!find<EndpointForm>(u"endpointForm")->endpoint().has_value());
    }

    void connectHandsOverWhatWasEntered()
    {
        QSignalSpy requested(m_dialog.get(), &ConnectionDialog::connectRequested);
        type(u"urlEdit", u"redis://10.0.0.5"_s);
        find<QCheckBox>(u"readOnlyCheck")->setChecked(true);
        find<QComboBox>(u"environmentCombo")->setCurrentText(u"production"_s);
        QTest::mouseClick(find<QPushButton>(u"connectButton"), Qt::LeftButton);
        QCOMPARE(requested.count(), 1);
        const auto endpoints = requested.first().first().value<std::vector<store::Endpoint>>();
        QCOMPARE(endpoints.size(), std::size_t(1));
        QCOMPARE(endpoints.front().environment, std::string("production"));
        QVERIFY(endpoints.front().isReadOnly);
        QVERIFY(!m_dialog->isVisible());
    }

    void furtherUrlsMakeARedlockSet()
    {
        type(u"urlEdit", u"redis://watcher:s3cret@a:1"_s);
        find<QPlainTextEdit>(u"alsoEdit")
            ->setPlainText(u"redis://b:2\n\n redis://other:pw@c:3 \n"_s);
        const auto endpoints = m_dialog->endpoints();
        QCOMPARE(endpoints.size(), std::size_t(3));
        QCOMPARE(endpoints[1].host, std::string("b"));
        QCOMPARE(endpoints[1].password, std::string("s3cret")); // silent about it: as the first
        QVERIFY(find<QLabel>(u"alsoNote")->isVisible());        // and the dialog says so
        QCOMPARE(endpoints[2].user, std::string("other"));
        QCOMPARE(endpoints[2].password, std::string("pw"));
        find<QPlainTextEdit>(u"alsoEdit")->setPlainText(u"redis://b:99999"_s);
        QVERIFY2(text(u"alsoError").startsWith(u"Line 1: the port 99999"),
                 qPrintable(text(u"alsoError")));
        QVERIFY(m_dialog->endpoints().empty());
    }

    void noMessageRepeatsAPassword_data()
    {
        QTest::addColumn<QString>("url");
        for (const char16_t* const url :
             {u"redis://u:s3cret@h:99999", u"redis://u:s3cret", u"redis://h?password=s3cret",
              u"redis://h/0?s3cret", u"unix:///run/s?db=0&password=s3cret",
              u"/run/s?password=s3cret"}) {
            QTest::newRow(qPrintable(QString::fromUtf16(url))) << QString::fromUtf16(url);
        }
    }

    void noMessageRepeatsAPassword()
    {
        QFETCH(QString, url);
        type(u"urlEdit", url);
        QVERIFY(!text(u"urlError").isEmpty());
        QVERIFY2(!text(u"urlError").contains(u"s3cret"), qPrintable(text(u"urlError")));
        type(u"urlEdit", u"redis://a"_s);
        find<QPlainTextEdit>(u"alsoEdit")->setPlainText(u"redis://b\n"_s + url);
        QVERIFY(text(u"alsoError").startsWith(u"Line 2: "));
        QVERIFY2(!text(u"alsoError").contains(u"s3cret"), qPrintable(text(u"alsoError")));
    }

    /// A connection with everything that belongs to one server.
    static store::Endpoint production()
    {
        store::Endpoint endpoint;
        endpoint.host = "prod";
        endpoint.user = "admin";
        endpoint.password = "s3cret";
        endpoint.environment = "production";
        endpoint.isReadOnly = true;
        return endpoint;
    }

    void aTypedUrlTakesNothingOfTheServerBefore()
    {
        m_dialog->setEndpoints({production()});
        QCOMPARE(only().password, std::string("s3cret"));
        QSignalSpy requested(m_dialog.get(), &ConnectionDialog::connectRequested);
        type(u"urlEdit", u"redis://elsewhere:6379"_s);
        QVERIFY2(text(u"passwordNote").contains(u"prod:6379"), qPrintable(text(u"passwordNote")));
        QVERIFY(find<QLabel>(u"passwordNote")->isVisible());
        QTest::keyClick(edit(u"urlEdit"), Qt::Key_Return);
        QCOMPARE(requested.count(), 1);
        const auto endpoints = requested.first().first().value<std::vector<store::Endpoint>>();
        QCOMPARE(endpoints.size(), std::size_t(1));
        QCOMPARE(endpoints.front().host, std::string("elsewhere"));
        QCOMPARE(endpoints.front().password, std::string());
        QCOMPARE(endpoints.front().user, std::string());
        QCOMPARE(endpoints.front().environment, std::string());
        QVERIFY(!endpoints.front().isReadOnly);
    }

    void anotherAddressTakesNothingOfTheServerBefore_data()
    {
        QTest::addColumn<int>("field");
        QTest::newRow("host") << 0;
        QTest::newRow("port") << 1;
        QTest::newRow("transport") << 2;
        QTest::newRow("scheme of the URL") << 3;
        QTest::newRow("socket") << 4;
    }

    void anotherAddressTakesNothingOfTheServerBefore()
    {
        QFETCH(int, field);
        m_dialog->setEndpoints({production()});
        switch (field) {
        case 0: type(u"hostEdit", u"elsewhere"_s); break;
        case 1: find<QSpinBox>(u"portSpin")->setValue(6380); break;
        case 2: find<QComboBox>(u"transportCombo")->setCurrentText(u"TCP with TLS"_s); break;
        case 3: type(u"urlEdit", u"rediss://prod:6379"_s); break;
        default: type(u"urlEdit", u"unix:///run/redis.sock"_s); break;
        }
        QCOMPARE(only().password, std::string());
        QCOMPARE(only().user, std::string());
        QCOMPARE(only().environment, std::string());
        QVERIFY(!only().isReadOnly);
        QTest::mouseClick(find<QPushButton>(u"testButton"), Qt::LeftButton);
        QCOMPARE(m_tester->tried().back().password, std::string());
    }

    void anotherDatabaseOfTheServerKeepsItsCredentials()
    {
        m_dialog->setEndpoints({production()});
        type(u"urlEdit", u"redis://admin@prod:6379/5"_s); // by way of prod:6 and prod:63
        QVERIFY(!find<QLabel>(u"passwordNote")->isVisible());
        QCOMPARE(only().password, std::string("s3cret"));
        QCOMPARE(only().environment, std::string("production"));
        QVERIFY(only().isReadOnly);
        find<QSpinBox>(u"databaseSpin")->setValue(7);
        QCOMPARE(only().password, std::string("s3cret"));
    }

    void whatIsKnownOfAServerComesWithItsAddress()
    {
        open({{{u"redis://stage:7"_s}, u"staging"_s, true}});
        type(u"urlEdit", u"redis://stage:7"_s);
        QCOMPARE(only().environment, std::string("staging"));
        QVERIFY(only().isReadOnly);
        type(u"urlEdit", u"redis://stage:78"_s);
        QCOMPARE(only().environment, std::string());
        QVERIFY(!only().isReadOnly);
    }

    void labelsThatWereChosenBeforeTheAddressStay()
    {
        open({{{u"redis://stage:7"_s}, {}, false}});
        find<QCheckBox>(u"readOnlyCheck")->setChecked(true);
        type(u"urlEdit", u"redis://stage:7"_s);
        QVERIFY(only().isReadOnly);
    }

    void everyMasterOfASetKeepsItsOwnPassword()
    {
        store::Endpoint other = production();
        other.host = "b";
        other.password = "another";
        store::Endpoint open = production();
        open.host = "c";
        open.password.clear();
        m_dialog->setEndpoints({production(), other, open});
        const auto endpoints = m_dialog->endpoints();
        QCOMPARE(endpoints.size(), std::size_t(3));
        QCOMPARE(endpoints[0].password, std::string("s3cret"));
        QCOMPARE(endpoints[1].password, std::string("another"));
        QCOMPARE(endpoints[2].password, std::string());
        QVERIFY(!find<QLabel>(u"alsoNote")->isVisible());
    }

    void aTestThatSucceedsTellsVersionRoleAndKeys()
    {
        QTest::mouseClick(find<QPushButton>(u"testButton"), Qt::LeftButton);
        QCOMPARE(m_tester->tried().size(), std::size_t(1));
        QCOMPARE(text(u"testResult"), u"Trying…"_s);
        service::TestResult result;
        result.info.version = "7.0.15";
        result.info.role = store::ServerInfo::Role::Master;
        result.keyCount = 1'000'412;
        result.roundTrip = Duration(420);
        store::Problem limit;
        limit.kind = store::Problem::Kind::NoPermission;
        limit.command = "client|tracking";
        limit.rule = "+client|tracking";
        result.limits = {limit};
        m_tester->answer(result);
        QCOMPARE(
            text(u"testResult"),
            u"Connection successful. Redis 7.0.15 · master · 1,000,412 keys · replies in 0.4 ms"_s);
        QVERIFY(find<QLabel>(u"testLimits")->isVisible());
        QVERIFY2(text(u"testLimits").contains(u"+client|tracking"),
                 qPrintable(text(u"testLimits")));
    }

    void aTestSaysWhatKindOfServerAnswers()
    {
        QTest::mouseClick(find<QPushButton>(u"testButton"), Qt::LeftButton);
        service::TestResult result;
        result.info.role = store::ServerInfo::Role::Replica;
        result.info.master = "10.0.0.5:6379";
        result.info.isMasterLinkUp = true;
        m_tester->answer(result);
        QVERIFY2(text(u"testResult").startsWith(u"Connection successful."),
                 qPrintable(text(u"testResult")));
        QVERIFY2(text(u"testResult").contains(u"replica of 10.0.0.5:6379"),
                 qPrintable(text(u"testResult")));
        QTest::mouseClick(find<QPushButton>(u"testButton"), Qt::LeftButton);
        result.info.role = store::ServerInfo::Role::Sentinel;
        m_tester->answer(result);
        QVERIFY2(text(u"testResult").startsWith(u"This is a Sentinel"),
                 qPrintable(text(u"testResult")));
    }

    void aTestThatFailsShowsTheRealReason()
    {
        QTest::mouseClick(find<QPushButton>(u"testButton"), Qt::LeftButton);
        service::TestResult result;
        result.problem.kind = store::Problem::Kind::PasswordWrong;
        result.problem.detail = "WRONGPASS invalid username-password pair or user is disabled.";
        m_tester->answer(result);
        QCOMPARE(text(u"testResult"), QString::fromStdString(store::explain(result.problem)));
    }

    void anAnswerAboutWhatTheFormSaidBeforeIsIgnored()
    {
        QTest::mouseClick(find<QPushButton>(u"testButton"), Qt::LeftButton);
        type(u"hostEdit", u"elsewhere"_s);
        m_tester->answer({});
        QCOMPARE(text(u"testResult"), QString());
    }

    void aRecentServerFillsTheForm()
    {
        open({{{u"redis://a:1"_s}, u"staging"_s, false},
              {{u"redis://b:2"_s, u"redis://c:3"_s}, u"production"_s, true}});
        chooseRecent(1);
        const auto endpoints = m_dialog->endpoints();
        QCOMPARE(endpoints.size(), std::size_t(2));
        QCOMPARE(endpoints[0].host, std::string("b"));
        QCOMPARE(endpoints[1].host, std::string("c"));
        QCOMPARE(endpoints[1].environment, std::string("production"));
        QVERIFY(endpoints[0].isReadOnly);
    }

    void reachingTheRecentListWithTabReplacesNothing()
    {
        open({{{u"redis://a:1"_s}, u"staging"_s, false}});
        type(u"urlEdit", u"redis://typed:7"_s);
        auto* list = find<ServerTree>(u"serverTree");
        list->setFocus(Qt::TabFocusReason);
        QVERIFY(list->hasFocus());
        QCOMPARE(only().host, std::string("typed"));
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(only().host, std::string("a"));
    }

    void anotherServerLeavesTheSetThatWasFilledIn()
    {
        store::Endpoint a;
        a.host = "a";
        store::Endpoint b;
        b.host = "b";
        m_dialog->setEndpoints({a, b});
        QCOMPARE(m_dialog->endpoints().size(), std::size_t(2));
        type(u"urlEdit", u"redis://elsewhere"_s);
        QCOMPARE(only().host, std::string("elsewhere"));
    }

    void furtherServersThatWereTypedStay()
    {
        find<QPlainTextEdit>(u"alsoEdit")->setPlainText(u"redis://b"_s);
        type(u"urlEdit", u"redis://elsewhere"_s);
        QCOMPARE(m_dialog->endpoints().size(), std::size_t(2));
    }

    void whatIsRememberedHasNoPasswordAndComesBack()
    {
        store::Endpoint endpoint;
        endpoint.host = "10.0.0.5";
        endpoint.user = "watcher";
        endpoint.password = "s3cret";
        endpoint.environment = "production";
        endpoint.isReadOnly = true;
        const ServerProfile recent = profileOf({endpoint});
        QVERIFY(!recent.urls.join(u' ').contains(u"s3cret"));
        endpoint.password.clear();
        const auto back = endpointsOf(recent);
        QCOMPARE(back.size(), std::size_t(1));
        QVERIFY(back.front() == endpoint);
        QCOMPARE(titleOf(recent), u"production · 10.0.0.5:6379/0 · read-only"_s);
    }

    void aKeptPasswordComesFromTheKeyring()
    {
        open({{{u"redis://watcher@a:1/3"_s}, {}, false, u"Billing"_s, {}, true}});
        m_secrets->secrets.insert(u"redis://watcher@a:1"_s, u"s3cret"_s); // of all databases
        chooseRecent(0);
        QVERIFY(find<QCheckBox>(u"keepPasswordCheck")->isChecked());
        QTRY_COMPARE(only().password, std::string("s3cret"));
        QCOMPARE(m_dialog->passwordWish(), PasswordKeeper::Wish::Keep);
        find<QCheckBox>(u"keepPasswordCheck")->setChecked(false);
        QCOMPARE(m_dialog->passwordWish(), PasswordKeeper::Wish::Forget);
        type(u"urlEdit", u"redis://elsewhere"_s); // of which nothing is kept
        QCOMPARE(m_dialog->passwordWish(), PasswordKeeper::Wish::Leave);
    }

    void aKeptPassphraseComesBackWithItsKey()
    {
        open({{{u"rediss://a:1?cert=/c.pem"_s}, {}, false, {}, {}, true}});
        m_secrets->secrets.insert(u"passphrase of /c.pem"_s, u"open sesame"_s);
        chooseRecent(0);
        QTRY_COMPARE(only().keyPassphrase, std::string("open sesame"));
        QCOMPARE(m_dialog->passwordWish(), PasswordKeeper::Wish::Keep);
    }

    void aPasswordThatWasTypedMeanwhileStays()
    {
        open({{{u"redis://a:1"_s}, {}, false, {}, {}, true}});
        m_secrets->secrets.insert(u"redis://a:1"_s, u"old"_s);
        QSignalSpy fetched(m_secrets.get(), &service::SecretStore::fetched);
        chooseRecent(0);
        type(u"passwordEdit", u"new"_s);
        QTRY_COMPARE(fetched.size(), 1);
        QCOMPARE(only().password, std::string("new"));
    }

    void aServerIsSavedAsAProfile()
    {
        type(u"urlEdit", u"redis://watcher:s3cret@10.0.0.5"_s);
        QTest::mouseClick(find<QPushButton>(u"saveAsProfileButton"), Qt::LeftButton);
        type(u"profileName", u"Billing"_s);
        find<QComboBox>(u"profileFolder")->setCurrentText(u"Shop"_s);
        QTest::mouseClick(find<QPushButton>(u"saveProfileButton"), Qt::LeftButton);
        QCOMPARE(m_settings->profiles, (QList<ServerProfile>{{{u"redis://watcher@10.0.0.5:6379"_s},
                                                              {},
                                                              false,
                                                              u"Billing"_s,
                                                              u"Shop"_s,
                                                              false}}));
        const QTreeWidgetItem* group = lastGroup();
        QCOMPARE(group->text(0), u"Shop"_s);
        QCOMPARE(group->child(0)->text(0), u"Billing"_s);
    }

    void aPasswordInTheSettingsFileIsNotShown()
    {
        open({{{u"redis://u:s3cret@a:1"_s}, {}, false}, {{u"redis://u:s3cret@"_s}, {}, false}});
        const QTreeWidgetItem* recent = lastGroup();
        QCOMPARE(recent->childCount(), 2);
        for (int row = 0; row < recent->childCount(); ++row) {
            QVERIFY(!recent->child(row)->text(0).contains(u"s3cret"));
            QVERIFY(!recent->child(row)->toolTip(0).contains(u"s3cret"));
        }
    }

    void aRecentUrlThatCannotBeReadIsLeftOut()
    {
        QVERIFY(endpointsOf({{u"redis://host:99999"_s, u"ftp://x"_s}, {}, false}).empty());
    }
};

LOCKSCOPE_TEST(TestConnectionDialog, Widgets)

} // namespace lockscope::tst_connection_dialog

#include "tst_connection_dialog.moc"
