#include "app/cli/options/listen_address.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_listen_address {

using namespace lockscope::cli;

class TestListenAddress final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addressesAreRead_data();
    void addressesAreRead();
    void whatIsWrongIsSaid_data();
    void whatIsWrongIsSaid();
};

void TestListenAddress::addressesAreRead_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("read");
    const auto row = [](const char* typed, const char* read) {
        QTest::newRow(typed) << QString::fromUtf8(typed) << QString::fromUtf8(read);
    };
    row("127.0.0.1:9469", "127.0.0.1:9469");
    row("localhost:0", "127.0.0.1:0");
    row("0.0.0.0:65535", "0.0.0.0:65535");
    row("[::1]:9469", "[::1]:9469");
    row("[::]:1", "[::]:1");
}

void TestListenAddress::addressesAreRead()
{
    QFETCH(const QString, typed);
    QFETCH(const QString, read);
    ListenAddress address;
    QCOMPARE(readListenAddress(typed.toStdString(), address), std::string());
    QCOMPARE(QString::fromStdString(address.text()), read);
}

void TestListenAddress::whatIsWrongIsSaid_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const char* typed, const char* complaint) {
        QTest::newRow(typed) << QString::fromUtf8(typed) << QString::fromUtf8(complaint);
    };
    row("9469", "has no port");
    row("127.0.0.1", "has no port");
    row(":9469", "is no IP address");
    row("example.com:9469", "is no IP address");
    row("::1:9469", "is no IP address");
    row("[127.0.0.1]:9469", "is no IP address");
    row("127.0.0.1:", "the port");
    row("127.0.0.1:65536", "the port");
    row("127.0.0.1:http", "the port");
}

void TestListenAddress::whatIsWrongIsSaid()
{
    QFETCH(const QString, typed);
    QFETCH(const QString, complaint);
    ListenAddress address{QHostAddress(QHostAddress::LocalHost), 7};
    const std::string said = readListenAddress(typed.toStdString(), address);
    QVERIFY2(QString::fromStdString(said).contains(complaint), said.c_str());
    QCOMPARE(address.port, std::uint16_t(7));
}

LOCKSCOPE_TEST(TestListenAddress, Core)

} // namespace lockscope::tst_listen_address

#include "tst_listen_address.moc"
