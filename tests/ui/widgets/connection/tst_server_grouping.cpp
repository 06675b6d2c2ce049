#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/connection/connection_dialog.h"
#include "ui/widgets/connection/profile_file.h"
#include "ui/widgets/connection/server_profiles.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QTest>

namespace lockscope::tst_server_grouping {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using store::Endpoint;
using store::Grouping;

namespace {

std::vector<Endpoint> serversIn(Grouping grouping)
{
    std::vector<Endpoint> servers(2);
    servers[0].host = "a";
    servers[1].host = "b";
    store::setGrouping(servers, grouping);
    return servers;
}

} // namespace

/// What several servers of a connection are to each other: chosen in the form, kept in profiles.
class TestServerGrouping : public QObject {
    Q_OBJECT

private:
    test::ScriptedConnectionTester m_tester;
    test::ScriptedSecretStore m_secrets;
    Settings m_settings;
    PasswordKeeper m_passwords{m_secrets, m_settings};
    test::ScriptedPrompter m_prompter;
    std::unique_ptr<ConnectionDialog> m_dialog;

    QComboBox* choice() const { return m_dialog->findChild<QComboBox*>(u"groupingCombo"_s); }

private Q_SLOTS:
    void init()
    {
        m_dialog = std::make_unique<ConnectionDialog>(ConnectionDialog::Parts{
            m_tester, m_passwords, m_settings, m_prompter});
        m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    }

    void cleanup() { m_dialog.reset(); }

    void itIsAskedOfSeveralServersOnly()
    {
        QVERIFY(!choice()->isVisible());
        m_dialog->findChild<QPlainTextEdit*>(u"alsoEdit"_s)->setPlainText(u"redis://b:2"_s);
        QVERIFY(choice()->isVisible());
        QCOMPARE(choice()->currentData().toInt(), static_cast<int>(Grouping::Unsaid));
        choice()->setCurrentIndex(choice()->findData(static_cast<int>(Grouping::Separate)));
        for (const Endpoint& endpoint : m_dialog->endpoints()) {
            QVERIFY(endpoint.grouping == Grouping::Separate);
        }
        m_dialog->findChild<QPlainTextEdit*>(u"alsoEdit"_s)->clear();
        QVERIFY(m_dialog->endpoints().front().grouping == Grouping::Unsaid);
    }

    void theConnectionThatIsFilledInBringsItsOwn()
    {
        for (const Grouping grouping :
             {Grouping::RedlockSet, Grouping::Separate, Grouping::Unsaid}) {
            m_dialog->setEndpoints(serversIn(grouping));
            QCOMPARE(choice()->currentData().toInt(), static_cast<int>(grouping));
            QVERIFY(m_dialog->endpoints().back().grouping == grouping);
        }
    }

    void aProfileKeepsIt()
    {
        ServerProfile profile = profileOf(serversIn(Grouping::RedlockSet));
        QVERIFY(endpointsOf(profile).back().grouping == Grouping::RedlockSet);
        profile.name = u"Payments"_s;
        const ReadProfiles read = profilesFromJson(profilesToJson({profile}));
        QCOMPARE(read.profiles.front(), profile);
    }

    void aFileWithoutItIsReadAsBefore()
    {
        ServerProfile profile = profileOf(serversIn(Grouping::RedlockSet));
        profile.name = u"Old"_s;
        QByteArray json = profilesToJson({profile});
        json.replace("\"grouping\"", "\"other\"");
        const ReadProfiles read = profilesFromJson(json);
        QVERIFY(endpointsOf(read.profiles.front()).front().grouping == Grouping::Unsaid);
    }
};

LOCKSCOPE_TEST(TestServerGrouping, Widgets)

} // namespace lockscope::tst_server_grouping

#include "tst_server_grouping.moc"
