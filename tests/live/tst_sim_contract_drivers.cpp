// The licence to believe the simulation, where drivers introduce themselves and ask whom they have
// met: the answers are held against a real server byte by byte, in both protocols, except for what
// is by its nature different.

#include "core/kernel/sim/command_table.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"
#include "core/kernel/store/reply_encoding.h"
#include "tests/kernel/random_input.h"
#include "tests/support/command_grammar.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QLocalSocket>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::tst_sim_contract_drivers {

using namespace lockscope::testing;
using sim::ServerTime;
using store::Command;

namespace {

constexpr std::size_t kSequenceLength = 40;

std::size_t stepCount()
{
    const QByteArray wanted = qgetenv("LOCKSCOPE_SOAK_STEPS");
    return wanted.isEmpty() ? 10'000 : wanted.toULongLong();
}

ServerTime wallNow()
{
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

Command commandOf(const QByteArray& line)
{
    Command command;
    for (const QByteArray& word : line.split(' ')) {
        command.append(word.toStdString());
    }
    return command;
}

/// Ids, addresses, times and amounts of memory; a blank shape is left of them.
QByteArray withoutParticulars(const QByteArray& bytes)
{
    static const QRegularExpression particulars(
        QLatin1String("(id\\r\\n:|id=|addr=|fd=|age=|idle=|qbuf=|qbuf-"
                      "free=|argv-mem=|multi-mem=|rbs=|rbp=|obl=|oll=|"
                      "omem=|tot-mem=)[^ \\r]*"));
    static const QRegularExpression lengths(QLatin1String("([$=])\\d+\\r\\n((?:txt:)?id=)"));
    QString text = QString::fromLatin1(bytes);
    text.replace(particulars, QStringLiteral("\\1?"));
    text.replace(lengths, QStringLiteral("\\1?\\r\\n\\2"));
    text.replace(QStringLiteral(" flags=U "), QStringLiteral(" flags=N ")); // a unix socket
    return text.toLatin1();
}

/// Both servers, side by side, and a connection to each.
class Pair {
public:
    /// Ends the connections and makes new ones.
    void connect()
    {
        m_socket.disconnectFromServer();
        m_socket.connectToServer(QString::fromStdString(m_real.endpoint().socketPath));
        if (!m_socket.waitForConnected(5000)) {
            throw std::runtime_error("no connection to the server");
        }
        m_simulated = sim::SimServer(m_lua);
        m_session = m_simulated.connect("127.0.0.1:50000", wallNow());
        m_real.client()("FLUSHALL");
        m_real.client()("SCRIPT", "FLUSH");
    }

    /// The bytes from the real server until it falls silent behind the mark, which is cut off.
    QByteArray askReal(const Command& command)
    {
        send(command);
        send(Command("echo", kMark));
        return readUntil("$" + QByteArray::number(qsizetype(kMark.size())) + "\r\n" + kMark.data()
                         + "\r\n");
    }

    QByteArray askSimulated(const Command& command)
    {
        std::string out;
        const auto reply = m_simulated.run(m_session, command, wallNow());
        if (reply) {
            store::appendEncoded(out, *reply, m_simulated.answerFormOf(m_session));
        }
        for (const sim::Delivery& delivery : m_simulated.takeDeliveries()) {
            store::appendEncoded(out, delivery.reply, m_simulated.formOf(delivery));
        }
        return QByteArray::fromStdString(out);
    }

    LiveServer& real() { return m_real; }
    sim::SimServer& simulated() { return m_simulated; }

private:
    static constexpr std::string_view kMark = "the-mark-behind-it";

    void send(const Command& command)
    {
        QByteArray bytes = "*" + QByteArray::number(qsizetype(command.words.size())) + "\r\n";
        for (const Bytes& word : command.words) {
            bytes += "$" + QByteArray::number(qsizetype(word.size())) + "\r\n"
                     + QByteArray::fromStdString(word) + "\r\n";
        }
        m_socket.write(bytes);
    }

    QByteArray readUntil(const QByteArray& end)
    {
        QByteArray bytes;
        // A subscriber and a transaction answer the mark in ways of their own.
        while (!bytes.contains(end) && !bytes.endsWith("+QUEUED\r\n+QUEUED\r\n")
               && !bytes.contains("-ERR Can't execute 'echo'")) {
            if (m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(5000)) {
                break;
            }
            bytes += m_socket.readAll();
        }
        const qsizetype place = bytes.indexOf(end);
        return place >= 0 ? bytes.left(place) : bytes;
    }

    LiveServer m_real;
    QLocalSocket m_socket;
    sim::LuaEngine m_lua;
    sim::SimServer m_simulated{m_lua};
    sim::SessionId m_session = 0;
};

/// What a driver may say; each line on a connection of its own, in both protocols.
constexpr const char* kLines[] = {
    "hello",
    "hello 2",
    "hello 3",
    "hello 4",
    "hello x",
    "hello 1",
    "hello 3 auth a b",
    "hello 3 auth default x",
    "hello 2 setname n",
    "hello 2 setname",
    "hello 2 foo",
    "hello 3 setname a\x01",
    "hello 3 auth default",
    "auth x",
    "auth default x",
    "auth a b",
    "auth a b c",
    "auth",
    "client",
    "client getname",
    "client info",
    "client setname",
    "client setname x",
    "client setinfo lib-name x",
    "client no-evict on",
    "client no-evict x",
    "client no-touch on",
    "client tracking off",
    "client tracking x",
    "client reply on",
    "client reply x",
    "client kill 1.1.1.1:2",
    "client kill",
    "client kill id",
    "client kill id x",
    "client kill id 0",
    "client kill id 99999999",
    "client kill type x",
    "client kill skipme x",
    "client kill user x",
    "client kill addr x",
    "client kill maxage 5",
    "client kill id 5 foo",
    "client kill type master",
    "client kill laddr x",
    "client list type x",
    "client list id x",
    "client list id",
    "client list foo",
    "client list id 99999999",
    "client list type master",
    "client nope",
    "role",
    "command nope",
    "command docs nope",
    "command info nope",
    "config",
    "config get",
    "config get save",
    "config get notify-keyspace-events",
    "config get Databases",
    "config get appendonly",
    "config get maxmemory-policy",
    "config get nope",
    "config nope",
    "pubsub",
    "pubsub channels",
    "pubsub channels x",
    "pubsub channels x y",
    "pubsub numpat",
    "pubsub numpat x",
    "pubsub numsub",
    "pubsub numsub a b",
    "pubsub shardchannels",
    "pubsub shardnumsub x",
    "spublish a b",
    "ssubscribe a b",
    "subscribe a",
    "psubscribe a*",
    "select 0",
    "select 16",
    "select -1",
    "select x",
    "select 99999999999",
    "ping",
    "ping x",
    "ping x y",
    "reset",
    "reset x",
    "eval_ro return(1) 0",
    "evalsha_ro x 0",
    "eval_ro return(redis.call('set','a','b')) 0",
    "eval_ro return(redis.pcall('set','a','b')) 0",
    "eval_ro return(redis.call('publish','a','b')) 0",
    "eval_ro return(redis.call('get','a')) 0",
    "cluster",
    "cluster info",
    "cluster slots",
    "cluster nodes",
    "cluster shards",
    "cluster myid",
    "cluster keyslot a",
    "cluster keyslot",
    "cluster nope",
    "sentinel",
    "sentinel masters",
    "readonly",
    "readwrite",
    "asking",
    "info nope",
    "info cluster",
    "info keyspace",
    "script",
    "waitaof 0 0 0",
    "lpop none 2",
    "zpopmin none 2",
    "lpop none",
    "multi",
    "exec",
};

} // namespace

class TestSimContractDrivers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyLineIsAnsweredAlike();
    void subscribersAreHeldBack();
    void infoHasTheFields();
    void clientLinesHaveTheFields();
    void commandsAreDescribedAlike();
    void randomAnswersAreEncodedAlike();
};

void TestSimContractDrivers::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestSimContractDrivers::everyLineIsAnsweredAlike()
{
    Pair pair;
    QByteArrayList differences;
    for (const char* const protocol : {"2", "3"}) {
        for (const char* const line : kLines) {
            pair.connect();
            pair.askReal(Command("hello", protocol));
            pair.askSimulated(Command("hello", protocol));
            const QByteArray real = withoutParticulars(pair.askReal(commandOf(line)));
            QByteArray simulated = withoutParticulars(pair.askSimulated(commandOf(line)));
            if (real.endsWith("+QUEUED\r\n")) { // the mark behind it
                simulated += "+QUEUED\r\n";
            }
            const QByteArray refused = "-ERR Can't execute 'echo'";
            const bool isSame = real.contains(refused) ? real.startsWith(simulated)
                                                       : real == simulated;
            if (!isSame) {
                differences.append(QByteArray("RESP") + protocol + " " + line
                                   + "\n  simulated: " + simulated + "\n  real:      " + real);
            }
        }
    }
    QVERIFY2(differences.isEmpty(), differences.join('\n').constData());
}

void TestSimContractDrivers::subscribersAreHeldBack()
{
    Pair pair;
    for (const char* const line :
         {"get a", "client setname x", "spublish a b", "multi", "hello 3"}) {
        pair.connect();
        const QByteArray mark = "-ERR Can't execute 'echo'";
        pair.askReal(Command("subscribe", "c"));
        pair.askSimulated(Command("subscribe", "c"));
        const QByteArray real = pair.askReal(commandOf(line));
        QCOMPARE(real.left(real.indexOf(mark)), pair.askSimulated(commandOf(line)));
    }
}

void TestSimContractDrivers::infoHasTheFields()
{
    const auto namesIn = [](const QByteArray& text) {
        QByteArrayList names;
        for (const QByteArray& line : text.split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (!line.startsWith('$') && !line.trimmed().isEmpty()) {
                names.append(colon > 0 ? line.left(colon) : line.trimmed());
            }
        }
        return names;
    };
    Pair pair;
    pair.connect();
    pair.askReal(Command("set", "k", "v"));
    pair.askSimulated(Command("set", "k", "v"));
    for (const char* const section :
         {"server", "clients", "persistence", "replication", "cluster", "keyspace"}) {
        QCOMPARE(namesIn(pair.askSimulated(Command("info", section))),
                 namesIn(pair.askReal(Command("info", section))));
    }
}

void TestSimContractDrivers::clientLinesHaveTheFields()
{
    Pair pair;
    pair.connect();
    for (const char* const line :
         {"client setname me", "client info", "client no-evict off", "client info"}) {
        const QByteArray real = withoutParticulars(pair.askReal(commandOf(line)));
        const QByteArray simulated = withoutParticulars(pair.askSimulated(commandOf(line)));
        QVERIFY2(real.startsWith(simulated), QByteArray(simulated + " is not " + real).constData());
    }
}

void TestSimContractDrivers::commandsAreDescribedAlike()
{
    Pair pair;
    pair.connect();
    for (const sim::CommandSpec& spec : sim::commandTable()) {
        if (spec.name.find('|') != std::string_view::npos) {
            continue;
        }
        const Command ask("command", "info", spec.name);
        const store::Reply realReply = pair.real().client().ask(ask);
        const auto simulatedReply = pair.simulated().run(1, ask, wallNow());
        const store::Reply::Array& real = *realReply.array()->front().array();
        const store::Reply::Array& simulated = *simulatedReply->array()->front().array();
        const QByteArray name = QByteArray::fromStdString(std::string(spec.name));
        QVERIFY2(real.size() == simulated.size(), name.constData());
        for (const std::size_t part : {0U, 1U, 3U, 4U, 5U}) {
            QVERIFY2(real[part] == simulated[part],
                     QByteArray(name + " part " + QByteArray::number(qsizetype(part))).constData());
        }
        const auto hasFlag = [](const store::Reply& flags, const char* flag) {
            return std::ranges::count(*flags.array(), store::Reply::ofStatus(flag)) > 0;
        };
        for (const char* const flag : {"write", "readonly", "blocking"}) {
            QVERIFY2(hasFlag(real[2], flag) == hasFlag(simulated[2], flag),
                     QByteArray(name + " " + flag).constData());
        }
    }
}

/// The commands of the random contract, in both protocols, down to the bytes.
void TestSimContractDrivers::randomAnswersAreEncodedAlike()
{
    RandomInput input;
    Pair pair;
    QByteArrayList differences;
    for (std::size_t done = 0; done < stepCount() && differences.size() < 5;
         done += kSequenceLength) {
        CommandGrammar grammar(input.rng().split(), sim::toEpochMs(wallNow()));
        pair.connect();
        const Command hello("hello", input.rng().below(4) == 0 ? "2" : "3");
        pair.askReal(hello);
        pair.askSimulated(hello);
        for (std::size_t i = 0; i < kSequenceLength; ++i) {
            const Command command = grammar.next();
            const QByteArray name = QByteArray::fromStdString(command.words.front()).toLower();
            // What time, order and the mark behind it make different.
            static const QByteArrayList leftOut{"ttl",  "pttl",     "keys",    "scan", "multi",
                                                "exec", "smembers", "evalsha", "eval", "client"};
            if (leftOut.contains(name) || name.contains("expiretime")) {
                continue;
            }
            const QByteArray real = pair.askReal(command);
            const QByteArray simulated = pair.askSimulated(command);
            if (real != simulated) {
                differences.append(QByteArray::fromStdString(store::toText(command))
                                   + "\n  simulated: " + simulated + "\n  real:      " + real);
                break;
            }
        }
    }
    QVERIFY2(
        differences.isEmpty(),
        QByteArray(QByteArray::fromStdString(input.recipe()) + differences.join('\n')).constData());
}

LOCKSCOPE_TEST(TestSimContractDrivers, Core)

} // namespace lockscope::tst_sim_contract_drivers

#include "tst_sim_contract_drivers.moc"
