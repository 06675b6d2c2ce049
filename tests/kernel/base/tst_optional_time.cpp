#include "core/kernel/base/optional_time.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <optional>

namespace lockscope::tst_optional_time {

using namespace std::chrono_literals;

class TestOptionalTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isComparedAsAnOptional();
    void changesPlacesWithAnOptional();
    void takesNoRoomBesideTheTime();
};

void TestOptionalTime::isComparedAsAnOptional()
{
    const std::array<std::optional<Instant>, 4> all{std::nullopt, Instant(-1h), Instant(),
                                                    Instant(1h)};
    for (const auto& a : all) {
        for (const auto& b : all) {
            QCOMPARE(OptionalInstant(a) == OptionalInstant(b), a == b);
            QCOMPARE(OptionalInstant(a) == b, a == b);
            QCOMPARE(a == OptionalInstant(b), a == b);
            QCOMPARE(OptionalInstant(a) < OptionalInstant(b), a < b);
            QCOMPARE(std::min(OptionalInstant(a), OptionalInstant(b)),
                     OptionalInstant(std::min(a, b)));
        }
        QCOMPARE(OptionalInstant(a) == std::nullopt, !a.has_value());
        QCOMPARE(OptionalInstant(a) == Instant(1h), a == Instant(1h));
    }
}

void TestOptionalTime::changesPlacesWithAnOptional()
{
    OptionalInstant end = std::optional(Instant(1h));
    QVERIFY(end && end.has_value());
    QCOMPARE(*end - Instant(), Duration(1h));
    const std::optional<Instant> same = end;
    QVERIFY(same == Instant(1h));
    end = std::nullopt;
    QVERIFY(!end && !std::optional<Instant>(end));
    QVERIFY(end.value_or(Instant(2h)) == Instant(2h));
    end = Instant(3h);
    QVERIFY(end.value_or(Instant(2h)) == Instant(3h));
    end.reset();
    QVERIFY(!end);
}

void TestOptionalTime::takesNoRoomBesideTheTime()
{
    static_assert(sizeof(OptionalInstant) == sizeof(Instant));
    static_assert(sizeof(OptionalWallTime) == sizeof(WallTime));
}

LOCKSCOPE_TEST(TestOptionalTime, None)

} // namespace lockscope::tst_optional_time

#include "tst_optional_time.moc"
