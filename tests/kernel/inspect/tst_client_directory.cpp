#include "core/kernel/inspect/client_directory.h"
#include "core/kernel/store/limits.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_client_directory {

using namespace lockscope::inspect;
using namespace lockscope::testing;

namespace {

ClientDirectory directoryOf(std::vector<ClientEntry> clients)
{
    return ClientDirectory(clients);
}

Bytes addressOf(const ClientDirectory& directory, std::string_view owner)
{
    const auto client = directory.find(owner);
    return client ? client->address : Bytes("nobody");
}

} // namespace

class TestClientDirectory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aListAsRedis7SaysIt();
    void aListAsRedis3SaysIt();
    void twoClientsOverAUnixSocketAreTold();
    void linesThatMakeNoSenseAreSkipped();
    void aListOfTooManyIsNoList();
    void aNameOfAMegabyteIsNotRemembered();
    void anyBytesAreSurvived();
    void aTokenThatIsTheClientsName();
    void aTokenThatNamesTheAddress();
    void aNameThatContainsTheToken();
    void aPartOfTheTokenThatIsTheName();
    void shortPiecesIdentifyNobody();
    void twoClientsOfOneNameAreNeither();
    void oneClientMayRepeatItself();
    void aWordOfOneClientOutweighsAWordOfMany();
    void noOwnerMeansNoClient();
    void thoseWhoBlockOnListsAreCounted();
};

void TestClientDirectory::aListAsRedis7SaysIt()
{
    const auto clients = parseClientList(
        "id=3 addr=10.0.0.7:51622 laddr=10.0.0.1:6379 fd=8 name=billing-3 age=5 idle=0 flags=N "
        "db=0 sub=0 psub=0\n"
        "id=4 addr=/run/redis.sock:0 laddr=/run/redis.sock:0 fd=9 name= age=5 idle=0 flags=U\n");
    QVERIFY(clients
            == (std::vector<ClientEntry>{{"10.0.0.7:51622", "billing-3", false, 3},
                                         {"/run/redis.sock:0", "", false, 4}}));
}

/// They have the same address.
void TestClientDirectory::twoClientsOverAUnixSocketAreTold()
{
    const ClientDirectory two({{"/run/redis.sock:0", "billing-worker-7", false, 3},
                               {"/run/redis.sock:0", "billing-worker-7", false, 4}});
    QVERIFY(two.find("billing-worker-7") == nullptr);
    QVERIFY(two.hasAnyFor("billing-worker-7"));
}

void TestClientDirectory::aListAsRedis3SaysIt()
{
    const auto clients = parseClientList("id=2 addr=127.0.0.1:5 fd=7 name=a age=1 cmd=client\n");
    QVERIFY(clients == (std::vector<ClientEntry>{{"127.0.0.1:5", "a", false, 2}}));
}

void TestClientDirectory::linesThatMakeNoSenseAreSkipped()
{
    QVERIFY(parseClientList("")->empty());
    QVERIFY(parseClientList("\n\n  \nname=only\naddr\nlocaladdr=1\n")->empty());
}

void TestClientDirectory::aListOfTooManyIsNoList()
{
    std::string text;
    for (std::size_t i = 0; i < store::limits::kClientsMax; ++i) {
        text += "addr=1:" + std::to_string(i) + "\n";
    }
    QCOMPARE(parseClientList(text)->size(), store::limits::kClientsMax);
    QVERIFY(!parseClientList(text + "addr=2:1\n"));
}

void TestClientDirectory::aNameOfAMegabyteIsNotRemembered()
{
    const std::string piece(20, 'p');
    std::string name;
    while (name.size() < 1'000'000) {
        name += piece + ':';
    }
    const auto clients = parseClientList("addr=10.0.0.7:1 name=" + name + '\n');
    QVERIFY(clients == (std::vector<ClientEntry>{{"10.0.0.7:1", ""}}));
}

void TestClientDirectory::anyBytesAreSurvived()
{
    RandomInput input;
    static const std::vector<Bytes> kPieces = {"addr=",      "name=", " ",          "\n",
                                               "10.0.0.7:1", "=",     "abcdefghij", "\xff"};
    for (int i = 0; i < 2000; ++i) {
        const Bytes text = input.assembled(kPieces, 30);
        const ClientDirectory directory(*parseClientList(text));
        const Bytes owner = input.assembled(kPieces, 6);
        const auto client = directory.find(owner);
        QVERIFY2(!client || directory.hasAnyFor(owner), input.recipe(text).c_str());
    }
}

void TestClientDirectory::aTokenThatIsTheClientsName()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", "w1"}, {"10.0.0.8:1", "w2"}});
    QCOMPARE(addressOf(directory, "w1"), Bytes("10.0.0.7:1"));
    QCOMPARE(directory.find("w1")->how, std::string("the token names the client"));
}

void TestClientDirectory::aTokenThatNamesTheAddress()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:51622", ""}, {"10.0.0.7:51623", ""}});
    QCOMPARE(addressOf(directory, "10.0.0.7:51622"), Bytes("10.0.0.7:51622"));
    QCOMPARE(addressOf(directory, "pid 12@10.0.0.7:51623"), Bytes("10.0.0.7:51623"));
    QCOMPARE(directory.find("10.0.0.7:51622")->how, std::string("the token names the address"));
    QCOMPARE(addressOf(directory, "10.0.0.7"), Bytes("nobody"));
}

void TestClientDirectory::aNameThatContainsTheToken()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", "billing:5f0c9a41-77"}});
    QCOMPARE(addressOf(directory, "5f0c9a41-77"), Bytes("10.0.0.7:1"));
    QCOMPARE(addressOf(directory, "5f0c9a41-77:63"), Bytes("10.0.0.7:1"));
    QCOMPARE(directory.find("5f0c9a41-77")->how,
             std::string("the client's name contains the token"));
}

void TestClientDirectory::aPartOfTheTokenThatIsTheName()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", "billing-3"}});
    QCOMPARE(addressOf(directory, "billing-3:4711"), Bytes("10.0.0.7:1"));
}

void TestClientDirectory::shortPiecesIdentifyNobody()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", "63"},
                                                   {"10.0.0.8:1", "app:web"}});
    QCOMPARE(addressOf(directory, "5f0c9a41:63"), Bytes("nobody"));
    QCOMPARE(addressOf(directory, "web"), Bytes("nobody"));
}

void TestClientDirectory::twoClientsOfOneNameAreNeither()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", "billing-3"},
                                                   {"10.0.0.7:2", "billing-3"}});
    QVERIFY(directory.find("billing-3") == nullptr);
    QVERIFY(directory.hasAnyFor("billing-3"));
    QVERIFY(!directory.hasAnyFor("billing-4"));
}

void TestClientDirectory::oneClientMayRepeatItself()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", "billing-3:billing-3"}});
    QCOMPARE(addressOf(directory, "billing-3"), Bytes("10.0.0.7:1"));
}

void TestClientDirectory::aWordOfOneClientOutweighsAWordOfMany()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", "hostname:aaaaaaaa"},
                                                   {"10.0.0.7:2", "hostname:bbbbbbbb"}});
    QCOMPARE(addressOf(directory, "hostname:bbbbbbbb:9"), Bytes("10.0.0.7:2"));
    QCOMPARE(addressOf(directory, "hostname:cccccccc"), Bytes("nobody"));
}

void TestClientDirectory::noOwnerMeansNoClient()
{
    const ClientDirectory directory = directoryOf({{"10.0.0.7:1", ""}});
    QVERIFY(directory.find("") == nullptr);
    QVERIFY(ClientDirectory().isEmpty());
    QVERIFY(ClientDirectory().find("10.0.0.7:1") == nullptr);
}

void TestClientDirectory::thoseWhoBlockOnListsAreCounted()
{
    QVERIFY(!ClientDirectory().blockedOnListCount()); // not listed: not none
    const auto clients = parseClientList("addr=10.0.0.7:1 name= flags=b db=0 cmd=blpop\n"
                                         "addr=10.0.0.7:2 name= flags=Pb db=3 cmd=brpoplpush\n"
                                         "addr=10.0.0.7:3 name= flags=N db=0 cmd=blpop\n"
                                         "addr=10.0.0.7:4 name= flags=b db=0 cmd=wait\n"
                                         "addr=10.0.0.7:5 name= flags=b db=0 cmd=xread\n"
                                         "addr= name= flags=b db=0 cmd=blmove\n");
    QVERIFY(ClientDirectory(*clients).blockedOnListCount() == 3);
    QVERIFY(ClientDirectory(std::vector<ClientEntry>()).blockedOnListCount() == 0);
}

LOCKSCOPE_TEST(TestClientDirectory, Core)

} // namespace lockscope::tst_client_directory

#include "tst_client_directory.moc"
