#include "tests/support/test_program.h"
#include "ui/widgets/connection/endpoint_form.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTest>

namespace lockscope::tst_cluster_fields {

using namespace Qt::StringLiterals;

/// The fields of the form that are about a cluster.
class TestClusterFields : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nodesOfAClusterHaveAFieldOfTheirOwn()
    {
        widgets::EndpointForm form;
        store::Endpoint cluster;
        cluster.clusterSeeds = {{"n1", 6379}, {"n2", 7001}};
        form.setEndpoint(cluster);
        auto* const nodes = form.findChild<QLineEdit*>(u"nodesEdit"_s);
        auto* const transport = form.findChild<QComboBox*>(u"transportCombo"_s);
        QCOMPARE(transport->currentText(), u"Cluster"_s);
        QCOMPARE(nodes->text(), u"n1:6379, n2:7001"_s);
        QVERIFY(!nodes->isHidden() && form.findChild<QLineEdit*>(u"hostEdit"_s)->isHidden());
        QVERIFY(form.endpoint() == cluster);
        nodes->clear();
        QTest::keyClicks(nodes, u"n1, n3:7002"_s);
        QCOMPARE(form.findChild<QLineEdit*>(u"urlEdit"_s)->text(),
                 u"redis+cluster://n1:6379,n3:7002"_s);
        transport->setCurrentText(u"TCP"_s);
        QVERIFY(nodes->isHidden());
    }
};

LOCKSCOPE_TEST(TestClusterFields, Widgets)

} // namespace lockscope::tst_cluster_fields

#include "tst_cluster_fields.moc"
