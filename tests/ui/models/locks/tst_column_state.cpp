#include "core/kernel/report/lock_fields.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/column_state.h"

#include <QTest>

namespace lockscope::tst_column_state {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestColumnState : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTextIsReadable()
    {
        const ColumnState state{false,
                                true,
                                report::HeldColumn,
                                Qt::DescendingOrder,
                                {{report::KeyColumn, 333, false}, {report::ModeColumn, 80, true}}};
        const QString text = u"1 resized chosen held:descending key:333 mode:80:hidden"_s;
        QCOMPARE(textOf(state), text);
        QVERIFY(columnStateOf(text) == state);
        QVERIFY(columnStateOf(textOf(ColumnState())) == ColumnState());
    }

    void everyColumnHasAName()
    {
        ColumnState state;
        for (int column = 0; column < report::ColumnCount; ++column) {
            state.columns.append({column, 100 + column, column % 2 == 1});
        }
        QVERIFY(columnStateOf(textOf(state)) == state);
    }

    void columnsOfAnotherVersionAreLeftOut()
    {
        const auto state = columnStateOf(u"1 fitted automatic mood:ascending mood:1 key:2"_s);
        QVERIFY(state == (ColumnState{true, false, -1, Qt::AscendingOrder, {{0, 2, false}}}));
    }

    void whatIsNoStateIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        const QString head = u"1 fitted automatic unsorted "_s;
        QTest::newRow("empty") << QString();
        QTest::newRow("another version") << u"2 fitted automatic unsorted"_s;
        QTest::newRow("no sorting") << u"1 fitted automatic"_s;
        QTest::newRow("another order") << u"1 fitted automatic held:sideways"_s;
        QTest::newRow("other words") << u"1 fitte automatic unsorted"_s;
        QTest::newRow("a column twice") << head + u"key:1 key:2"_s;
        QTest::newRow("no width") << head + u"key"_s;
        QTest::newRow("no number") << head + u"key:wide"_s;
        QTest::newRow("negative") << head + u"key:-1"_s;
        QTest::newRow("huge") << head + u"key:2147483647"_s;
        QTest::newRow("another flag") << head + u"key:1:shown"_s;
        QTest::newRow("too many parts") << head + u"key:1:hidden:hidden"_s;
        QTest::newRow("long") << head + u"mood:1 "_s.repeated(10'000);
    }

    void whatIsNoStateIsRefused()
    {
        QFETCH(const QString, text);
        QVERIFY(!columnStateOf(text).has_value());
    }

    /// The text of a file may have been changed anywhere.
    void changedTextsAreRefusedOrMeanAState()
    {
        testing::RandomInput input;
        const QString text = u"1 resized chosen held:descending key:333 mode:80:hidden owner:1"_s;
        for (int i = 0; i < 5000; ++i) {
            QString changed = text;
            const auto place =
                static_cast<qsizetype>(input.rng().below(static_cast<std::uint64_t>(text.size())));
            changed[place] = QChar(static_cast<char16_t>(input.rng().below(128)));
            const auto state = columnStateOf(changed);
            QVERIFY2(!state || columnStateOf(textOf(*state)) == state, qPrintable(changed));
        }
    }
};

LOCKSCOPE_TEST(TestColumnState, Core)

} // namespace lockscope::tst_column_state

#include "tst_column_state.moc"
