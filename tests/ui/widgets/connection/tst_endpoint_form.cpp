#include "tests/support/test_program.h"
#include "tests/support/widgets/tab_order.h"
#include "ui/widgets/connection/endpoint_form.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTest>

namespace lockscope::tst_endpoint_form {

using namespace Qt::StringLiterals;

/// The fields of each kind of server, and how they go together with the URL.
class TestEndpointForm : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<widgets::EndpointForm> m_form;

    QLineEdit* edit(const char16_t* name) const
    {
        return m_form->findChild<QLineEdit*>(QString::fromUtf16(name));
    }
    void type(const char16_t* name, const QString& text) const
    {
        edit(name)->selectAll();
        QTest::keyClicks(edit(name), text);
    }
    store::Endpoint endpoint() const { return m_form->endpoint().value_or(store::Endpoint()); }

private Q_SLOTS:
    void init()
    {
        m_form = std::make_unique<widgets::EndpointForm>();
        m_form->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_form.get()));
    }
    void cleanup()
    {
        m_form->hide(); // as its dialog does: a field that is left finishes its text
        m_form.reset();
    }

    void theServerMayBeBehindSsh()
    {
        type(u"urlEdit", u"redis://h:1?ssh=ops@bastion"_s);
        QCOMPARE(edit(u"sshEdit")->text(), u"ops@bastion"_s);
        type(u"sshEdit", u"web-2"_s);
        QCOMPARE(edit(u"urlEdit")->text(), u"redis://h:1?ssh=web-2"_s);
        QCOMPARE(endpoint().sshHost, std::string("web-2"));
        type(u"sshEdit", u"-oProxyCommand=x"_s);
        QVERIFY(!m_form->endpoint());
        m_form->findChild<QComboBox*>(u"transportCombo"_s)->setCurrentText(u"Unix socket"_s);
        QVERIFY(!edit(u"sshEdit")->isVisible());
    }

    void sentinelsHaveFieldsOfTheirOwn()
    {
        type(u"urlEdit", u"redis+sentinel://alice:s3cret@s1,s2:1/mymaster?db=2"_s);
        auto* const transport = m_form->findChild<QComboBox*>(u"transportCombo"_s);
        QCOMPARE(transport->currentText(), u"Sentinel"_s);
        QCOMPARE(edit(u"sentinelsEdit")->text(), u"s1:26379, s2:1"_s);
        QCOMPARE(edit(u"masterNameEdit")->text(), u"mymaster"_s);
        QVERIFY(edit(u"sentinelsEdit")->isVisible() && !edit(u"hostEdit")->isVisible());
        QCOMPARE(endpoint().password, std::string("s3cret"));
        type(u"sentinelUserEdit", u"watcher"_s);
        type(u"sentinelPasswordEdit", u"open sesame"_s);
        QCOMPARE(edit(u"sentinelPasswordEdit")->echoMode(), QLineEdit::Password);
        QCOMPARE(edit(u"urlEdit")->text(),
                 u"redis+sentinel://alice@s1:26379,s2:1/mymaster?db=2&sentinel-user=watcher"_s);
        QCOMPARE(endpoint().sentinelPassword, std::string("open sesame"));
        transport->setCurrentText(u"TCP"_s);
        QVERIFY(!edit(u"sentinelsEdit")->isVisible() && edit(u"hostEdit")->isVisible());
        QVERIFY(!endpoint().hasSentinels());
    }

    void tabGoesFromTopToBottom_data()
    {
        QTest::addColumn<QString>("url");
        for (const QString& url :
             {u"redis://h"_s, u"rediss://h"_s, u"unix:///run/redis.sock"_s,
              u"rediss+sentinel://s1/mymaster"_s, u"rediss+cluster://n1,n2"_s}) {
            QTest::newRow(qPrintable(url)) << url;
        }
    }

    void tabGoesFromTopToBottom()
    {
        QFETCH(const QString, url);
        type(u"urlEdit", url);
        QCOMPARE(testing::jumpsOfTab(*m_form), QStringList());
    }
};

LOCKSCOPE_TEST(TestEndpointForm, Widgets)

} // namespace lockscope::tst_endpoint_form

#include "tst_endpoint_form.moc"
