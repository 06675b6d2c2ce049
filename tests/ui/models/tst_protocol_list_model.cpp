#include "core/kernel/protocol/catalogue.h"
#include "tests/support/test_program.h"
#include "ui/models/protocol_list_model.h"
#include "ui/models/protocol_text.h"
#include "ui/models/server_choice.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace lockscope::tst_protocol_list_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

/// A protocol of the user's own, as far as the list looks at it.
class OwnProtocol : public protocol::LockProtocol {
public:
    explicit OwnProtocol(std::string id, std::string title = {}, std::string imitates = {})
    {
        m_info.imitates = std::move(imitates);
        m_info.id = std::move(id);
        m_info.title = std::move(title);
    }
    const protocol::ProtocolInfo& info() const override { return m_info; }
    async::Task<protocol::AcquireOutcome> attempt(protocol::Contender& /*self*/,
                                                  protocol::LockRequest /*request*/) const override
    {
        co_return protocol::Refused{};
    }
    async::Task<protocol::ReleaseOutcome> release(protocol::Contender& /*self*/,
                                                  protocol::Grant /*grant*/) const override
    {
        co_return protocol::Released{};
    }

private:
    protocol::ProtocolInfo m_info;
};

class TestProtocolListModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyBuiltinProtocolIsThereOnceBelowAHeading()
    {
        ProtocolListModel model;
        const QAbstractItemModelTester tester(&model);
        QVERIFY(model.index(0).data(ProtocolListModel::IsHeadingRole).toBool());
        QVERIFY(!model.flags(model.index(0)).testFlag(Qt::ItemIsSelectable));
        int count = 0;
        for (int row = 0; row < model.rowCount(); ++row) {
            count += model.protocolAt(row) != nullptr ? 1 : 0;
        }
        QCOMPARE(count, int(protocol::builtinProtocols().size()));
        for (const protocol::LockProtocol* each : protocol::builtinProtocols()) {
            QCOMPARE(model.find(QString::fromStdString(each->info().id)).get(), each);
        }
    }

    void whatIsKnownToBreakIsMarked()
    {
        const ProtocolListModel model;
        const auto isFlawed = [&model](const QString& id) {
            return model.index(model.rowOf(id)).data(ProtocolListModel::IsFlawedRole).toBool();
        };
        QVERIFY(isFlawed(u"set-nx-ex"_s));
        QVERIFY(!isFlawed(u"set-nx-px-token"_s));
    }

    void anOwnProtocolJoinsAndIsReplacedByItsSuccessor()
    {
        ProtocolListModel model;
        const QAbstractItemModelTester tester(&model);
        const int before = model.rowCount();
        QVERIFY(model.addOwn(std::make_shared<OwnProtocol>("mine"), u"/tmp/own.json"_s));
        QCOMPARE(model.rowCount(), before + 2); // with the heading
        QVERIFY(model.addOwn(std::make_shared<OwnProtocol>("mine", "better"), u"/tmp/own.json"_s));
        QCOMPARE(model.rowCount(), before + 2);
        QCOMPARE(model.find(u"mine"_s)->info().title, std::string("better"));
        QCOMPARE(model.fileOf(*model.find(u"mine"_s)), u"/tmp/own.json"_s);
        QCOMPARE(model.fileOf(*model.find(u"set-nx-ex"_s)), QString());
        QVERIFY(model.addOwn(std::make_shared<OwnProtocol>("other"), u"/tmp/own.json"_s));
        QCOMPARE(model.rowCount(), before + 3);
        QVERIFY(!model.addOwn(std::make_shared<OwnProtocol>("set-nx-ex"), u"/tmp/own.json"_s));
    }

    void theHintNamesTheLibraryThatIsImitated()
    {
        ProtocolListModel model;
        const auto hintOf = [&model](const char* id) {
            return model.index(model.rowOf(QString::fromLatin1(id))).data(Qt::ToolTipRole);
        };
        model.addOwn(std::make_shared<OwnProtocol>("mine", "My lock"), {});
        QCOMPARE(hintOf("mine").toString(), u"My lock"_s);
        model.addOwn(std::make_shared<OwnProtocol>("mine", "My lock", "redis-py"), {});
        QCOMPARE(hintOf("mine").toString(), u"My lock\nImitates redis-py"_s);
    }

    void promisesAreToldWithTheirConditions()
    {
        protocol::ProtocolInfo info;
        QCOMPARE(promisesLine(info), u"Makes no promises."_s);
        info.claims = {{protocol::Promise::MutualExclusion, "all goes well"},
                       {protocol::Promise::NoStuckLock, ""}};
        QCOMPARE(promisesLine(info),
                 u"Promises: one holder at a time* · a crash does not block others forever"_s);
        QCOMPARE(
            promisesInFull(info),
            u"* one holder at a time, if all goes well\na crash does not block others forever"_s);
        for (int i = 0; i < static_cast<int>(protocol::Promise::PromiseCount); ++i) {
            QVERIFY(!promiseText(static_cast<protocol::Promise>(i)).isEmpty());
        }
    }

    void serversAreOfferedOneByOneOrTogether()
    {
        store::Endpoint one;
        store::Endpoint two;
        two.port = 6380;
        protocol::ProtocolInfo info;
        auto choices = serverChoices({one, two}, info);
        QCOMPARE(choices.size(), std::size_t(3));
        QVERIFY(choices.front().isPrivate());
        QCOMPARE(choices[2].label, u"127.0.0.1:6380/0"_s);
        QCOMPARE(indexOfChoice(choices, {two}), std::size_t(2));
        QCOMPARE(indexOfChoice(choices, {one, two}), std::size_t(0));
        info.keys = protocol::KeyUse::OnePerServer;
        choices = serverChoices({one, two}, info);
        QCOMPARE(choices.size(), std::size_t(2));
        QCOMPARE(choices[1].servers.size(), std::size_t(2));
        QCOMPARE(indexOfChoice(choices, {one, two}), std::size_t(1));
        QCOMPARE(serverChoices({}, info).size(), std::size_t(1));
    }

    void nothingRunsOnAReadOnlyServer()
    {
        store::Endpoint readOnly;
        readOnly.isReadOnly = true;
        const auto choices = serverChoices({readOnly}, {});
        QVERIFY(choices[0].obstacle.isEmpty());
        QVERIFY(!choices[1].obstacle.isEmpty());
    }
};

LOCKSCOPE_TEST(TestProtocolListModel, Core)

} // namespace lockscope::tst_protocol_list_model

#include "tst_protocol_list_model.moc"
