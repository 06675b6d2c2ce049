#include "core/kernel/sim/stream_value.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_stream_value {

using sim::StreamId;
using sim::StreamTrim;
using sim::StreamValue;

class TestStreamValue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void idsAreReadAsRedisDoes();
    void approximateTrimsTakeWholeNodes();
    void theLastIdOutlivesTheEntries();
};

StreamValue streamOf(std::uint64_t count)
{
    StreamValue stream;
    for (std::uint64_t i = 1; i <= count; ++i) {
        stream.append({i, 0}, {"f", "v"});
    }
    return stream;
}

void TestStreamValue::idsAreReadAsRedisDoes()
{
    QVERIFY(StreamId::parse("5-1", 0) == (StreamId{5, 1}));
    QVERIFY(StreamId::parse("5", 7) == (StreamId{5, 7}));
    QVERIFY(StreamId::parse("007-3", 0) == (StreamId{7, 3}));
    QVERIFY(StreamId::parse("0-18446744073709551615", 0) == (StreamId{0, StreamId::kLast}));
    for (const char* const text : {"", "-", "-1", "5-", "5-x", "5--1", "18446744073709551616"}) {
        QVERIFY2(!StreamId::parse(text, 0), text);
    }
}

void TestStreamValue::approximateTrimsTakeWholeNodes()
{
    StreamValue stream = streamOf(250);
    const StreamTrim toTen{.maxLength = 10, .minId = {}, .isApproximate = true};
    StreamTrim limited = toTen;
    limited.limit = 199;
    QCOMPARE(stream.trim(limited), std::size_t(100)); // the second node would be too many
    QCOMPARE(stream.trim(toTen), std::size_t(100));
    QCOMPARE(stream.length(), std::size_t(50));
    QCOMPARE(stream.trim(toTen), std::size_t(0));
    const StreamTrim exactly{.maxLength = {}, .minId = StreamId{241, 0}};
    QCOMPARE(stream.trim(exactly), std::size_t(40));
    QCOMPARE(stream.between({}, {StreamId::kLast, 0}).front()->id.ms, std::uint64_t(241));
}

void TestStreamValue::theLastIdOutlivesTheEntries()
{
    StreamValue stream = streamOf(3);
    QCOMPARE(stream.trim({.maxLength = 0, .minId = {}}), std::size_t(3));
    QCOMPARE(stream.length(), std::size_t(0));
    QVERIFY(stream.lastId() == (StreamId{3, 0}));
    QVERIFY(stream.between({}, {StreamId::kLast, 0}).empty());
    QCOMPARE(stream.trim({.maxLength = 0, .minId = {}}), std::size_t(0));
    stream.append({4, 0}, {"f", "v"});
    QCOMPARE(stream.length(), std::size_t(1));
    QCOMPARE(stream.remembered().size(), std::size_t(1));
}

LOCKSCOPE_TEST(TestStreamValue, Core)

} // namespace lockscope::tst_stream_value

#include "tst_stream_value.moc"
