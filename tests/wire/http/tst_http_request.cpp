#include "core/wire/http/http_request.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <string>

namespace lockscope::tst_http_request {

using lockscope::testing::RandomInput;
using namespace lockscope::wire;

namespace {

/// "GET /metrics accept", the status of a refusal, or "more".
QString resultOf(std::string_view bytes)
{
    const auto read = readHttpRequest(bytes);
    if (!read) {
        return QStringLiteral("more");
    }
    if (const auto* const refusal = std::get_if<HttpRefusal>(&*read)) {
        return QString::number(refusal->status);
    }
    const auto& request = std::get<HttpRequest>(*read);
    return QString::fromStdString(request.method + ' ' + request.path + ' ' + request.accept);
}

} // namespace

class TestHttpRequest final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void requestsAreRead_data();
    void requestsAreRead();
    void aHeadComesInPieces();
    void aLongHeadIsRefused();
    void garbageIsRefusedOrIncomplete();
};

void TestHttpRequest::requestsAreRead_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("result");
    const auto row = [](const char* name, const char* bytes, const char* result) {
        QTest::newRow(name) << QByteArray(bytes) << QString::fromUtf8(result);
    };
    row("as curl asks", "GET /metrics HTTP/1.1\r\nHost: a:1\r\nAccept: */*\r\n\r\n",
        "GET /metrics */*");
    row("an old client", "HEAD / HTTP/1.0\r\n\r\n", "HEAD / ");
    row("with a question", "GET /metrics?name=a HTTP/1.1\r\n\r\n", "GET /metrics ");
    row("names in any case", "GET / HTTP/1.1\r\naCCEPT:\ttext/plain \r\n\r\n", "GET / text/plain");
    row("accepted in parts", "GET / HTTP/1.1\r\nAccept: a\r\nAccept: b\r\n\r\n", "GET / a,b");
    row("a body follows", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "POST / ");
    row("no method", " / HTTP/1.1\r\n\r\n", "400");
    row("no path", "GET HTTP/1.1\r\n\r\n", "400");
    row("through a proxy", "GET http://a/metrics HTTP/1.1\r\n\r\n", "400");
    row("no version", "GET /metrics\r\n\r\n", "400");
    row("another protocol", "GET / SIP/2.0\r\n\r\n", "400");
    row("another version", "GET / HTTP/2.0\r\n\r\n", "505");
    row("control characters", "GET /a\x01 HTTP/1.1\r\n\r\n", "400");
    row("no colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", "400");
    row("no name", "GET / HTTP/1.1\r\n: a\r\n\r\n", "400");
    row("space before the colon", "GET / HTTP/1.1\r\nAccept : a\r\n\r\n", "400");
    row("a line that goes on", "GET / HTTP/1.1\r\nAccept: a\r\n b:\r\n\r\n", "400");
    row("TLS", "\x16\x03\x01\x02\r\n\r\n", "400");
    row("not all of it", "GET / HTTP/1.1\r\nHost: a\r\n", "more");
    row("nothing", "", "more");
}

void TestHttpRequest::requestsAreRead()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, result);
    QCOMPARE(resultOf(bytes.toStdString()), result);
}

void TestHttpRequest::aHeadComesInPieces()
{
    const std::string whole = "GET /metrics HTTP/1.1\r\nAccept: */*\r\n\r\n";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        QCOMPARE(resultOf(std::string_view(whole).substr(0, length)), QStringLiteral("more"));
    }
    QCOMPARE(resultOf(whole), QStringLiteral("GET /metrics */*"));
}

void TestHttpRequest::aLongHeadIsRefused()
{
    const std::string start = "GET / HTTP/1.1\r\nA: ";
    const std::string longest = start + std::string(kHttpHeadBytesMax - start.size(), 'a');
    QCOMPARE(resultOf(longest), QStringLiteral("more"));
    QCOMPARE(resultOf(longest + "\r\n\r\n"), QStringLiteral("GET / "));
    QCOMPARE(resultOf(longest + "a"), QStringLiteral("431"));
    QCOMPARE(resultOf(longest + "a\r\n\r\n"), QStringLiteral("431"));
}

void TestHttpRequest::garbageIsRefusedOrIncomplete()
{
    static constexpr std::array<std::string_view, 12> kPieces{
        "GET", "HEAD", " ", "/", "/metrics", "?", "HTTP/1.1", "\r\n", "Accept:", "\t", ":", "\xff"};
    RandomInput random;
    for (int i = 0; i < 20'000; ++i) {
        const Bytes bytes = random.assembled(kPieces, 20)
                            + (random.rng().below(2) == 0 ? "\r\n\r\n" : "");
        const auto read = readHttpRequest(bytes);
        const auto* const request = read ? std::get_if<HttpRequest>(&*read) : nullptr;
        const bool isSound = request == nullptr
                             || (!request->method.empty() && request->path.starts_with('/')
                                 && bytes.find(request->path) != Bytes::npos);
        QVERIFY2(isSound, random.recipe(bytes).c_str());
        const bool isWhole = bytes.find("\r\n\r\n") != Bytes::npos;
        QVERIFY2(read.has_value() == isWhole, random.recipe(bytes).c_str());
    }
}

LOCKSCOPE_TEST(TestHttpRequest, Core)

} // namespace lockscope::tst_http_request

#include "tst_http_request.moc"
