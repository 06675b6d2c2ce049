#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/controls/state_mark.h"
#include "ui/widgets/locks/table/lock_delegates.h"
#include "ui/widgets/locks/table/lock_table_header.h"
#include "ui/widgets/style/theme.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>

namespace lockscope::tst_lock_delegates {

using namespace lockscope::models;
using namespace lockscope::widgets;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using inspect::LockPtr;
using test::deltaOf;
using test::MadeLock;

namespace {

constexpr QSize kCell(200, 28);

/// One lock in a model, and its cells as pictures.
struct Fixture {
    Instant now{1h};
    LockTableModel model{[this] { return now; }};
    StateColors colors = stateColorsOf(darkPalette());

    explicit Fixture(const LockPtr& lock)
    {
        model.apply(deltaOf(ChangeKind::Appeared, {lock}, now));
    }

    QImage painted(const CellDelegate& delegate, int column,
                   QStyle::State state = QStyle::State_Enabled) const
    {
        QImage image(kCell, QImage::Format_RGB32);
        image.fill(darkPalette().color(QPalette::Base));
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.palette = darkPalette();
        option.rect = image.rect();
        option.state = state;
        option.font = QFont();
        option.fontMetrics = QFontMetrics(option.font);
        delegate.paint(&painter, option, model.index(0, column));
        return image;
    }
    QImage lease() const
    {
        const LeaseDelegate delegate([this] { return now; });
        return painted(delegate, LockTableModel::ExpiresColumn);
    }
};

int countOf(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            count += image.pixel(x, y) == color.rgb() ? 1 : 0;
        }
    }
    return count;
}

int brightestOf(const QImage& image)
{
    int brightest = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            brightest = std::max(brightest, qGray(image.pixel(x, y)));
        }
    }
    return brightest;
}

/// How much of a line near the upper edge of the bar has the colour, 0 to 1: above text and ticks.
double filledShare(const QImage& image, const QColor& fill, const QColor& track)
{
    const int y = 5;
    int filled = 0;
    int all = 0;
    for (int x = 0; x < image.width(); ++x) {
        filled += image.pixel(x, y) == fill.rgb() ? 1 : 0;
        all += image.pixel(x, y) == fill.rgb() || image.pixel(x, y) == track.rgb() ? 1 : 0;
    }
    return all == 0 ? -1 : static_cast<double>(filled) / all;
}

} // namespace

class TestLockDelegates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theBarDrainsWithoutTheModelChanging()
    {
        Fixture f(MadeLock("a").expires(Instant(1h) + 30s).lease(30s).ptr());
        QVERIFY(qAbs(filledShare(f.lease(), f.colors.greenTint, f.colors.track) - 1.0) < 0.02);
        f.now += 15s;
        QVERIFY(qAbs(filledShare(f.lease(), f.colors.greenTint, f.colors.track) - 0.5) < 0.02);
        f.now += 20s;
        QCOMPARE(filledShare(f.lease(), f.colors.greenTint, f.colors.track), 0.0);
        QVERIFY(countOf(f.lease(), f.colors.amber) > 0); // "due"
    }

    void aRuleTintsTheRowAndIsNamedInIt()
    {
        Fixture f(MadeLock("a").waiters(9).ptr());
        const KeyDelegate keys;
        const WhyDelegate whys;
        const CellDelegate cells;
        const StateColors::Mark& mark = f.colors.ofRule(RuleColor::Magenta);
        const auto keyCell = [&](QStyle::State state = QStyle::State_Enabled) {
            return f.painted(keys, LockTableModel::KeyColumn, state);
        };
        QCOMPARE(countOf(keyCell(), mark.tint), 0);
        f.model.setColorRules(ColorRules({{QStringLiteral("busy"), QStringLiteral("waiters>5"),
                                           RuleColor::Magenta}}));
        QCOMPARE_GE(countOf(keyCell(), mark.tint), kCell.width() * kCell.height() / 2);
        QCOMPARE_GE(countOf(keyCell(), mark.color), 4 * (kCell.height() - 1)); // the bar
        QCOMPARE_GE(countOf(f.painted(cells, LockTableModel::HoldsColumn), mark.tint),
                    kCell.width() * kCell.height() / 2);
        // The name, as text: more than the bar before it.
        QCOMPARE_GE(countOf(f.painted(whys, LockTableModel::WhyColumn), mark.color),
                    4 * kCell.height() * 3 / 5 + 4);
        const QImage selected = keyCell(QStyle::State_Enabled | QStyle::State_Selected);
        QCOMPARE(countOf(selected, mark.tint), 0); // a selection is seen as one
        QCOMPARE_GE(countOf(selected, mark.color), 4 * (kCell.height() - 1));
    }

    void neverIsRedOnAnEmptyBar()
    {
        const Fixture f(MadeLock("a").ptr());
        QCOMPARE(countOf(f.lease(), f.colors.greenTint), 0);
        QVERIFY(countOf(f.lease(), f.colors.track) > 0);
        QVERIFY(countOf(f.lease(), f.colors.red) > 0);
    }

    void renewalsLeaveTicks()
    {
        const Fixture without(MadeLock("a").expires(Instant(1h) + 30s).lease(30s).ptr());
        inspect::LockRecord record =
            MadeLock("a").expires(Instant(1h) + 30s).lease(30s).renewals(1).record();
        record.renewedAtMs = {10'000, 0, 0};
        const Fixture with(makeShared<inspect::LockRecord>(record));
        QCOMPARE(countOf(without.lease(), without.colors.green), 0);
        QVERIFY(countOf(with.lease(), with.colors.green) > 0);
    }

    void aLockThatIsGoneHasNoBar()
    {
        Fixture f(MadeLock("a").expires(Instant(1h) + 30s).lease(30s).ptr());
        f.model.apply(deltaOf(ChangeKind::Released, {MadeLock("a").ptr()}, f.now));
        QCOMPARE(filledShare(f.lease(), f.colors.greenTint, f.colors.track), -1.0);
    }

    void theReasonIsAPillInTheColourOfItsUrgency()
    {
        const WhyDelegate delegate;
        const Fixture stuck(MadeLock("a").flag(inspect::Flag::NoExpiry).ptr());
        const Fixture odd(MadeLock("a").flag(inspect::Flag::Stale).ptr());
        QVERIFY(countOf(stuck.painted(delegate, LockTableModel::WhyColumn), stuck.colors.red) > 20);
        QVERIFY(countOf(odd.painted(delegate, LockTableModel::WhyColumn), odd.colors.amber) > 20);
        QCOMPARE(countOf(odd.painted(delegate, LockTableModel::WhyColumn), odd.colors.red), 0);
    }

    void everyStateHasAShapeOfItsOwn()
    {
        QList<QImage> marks;
        for (int state = 0; state < static_cast<int>(inspect::LockState::StateCount); ++state) {
            QImage image(12, 12, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            paintStateMark(painter, QRectF(1, 1, 10, 10), static_cast<inspect::LockState>(state),
                           Qt::white);
            painter.end();
            QVERIFY2(!marks.contains(image), qPrintable(QString::number(state)));
            marks.append(image);
        }
    }

    void statesHaveTheirColours()
    {
        const StateColors colors = stateColorsOf(darkPalette());
        QCOMPARE(colorOfState(inspect::LockState::Suspicious, 2, colors), colors.red);
        QCOMPARE(colorOfState(inspect::LockState::Suspicious, 1, colors), colors.amber);
        QCOMPARE(colorOfState(inspect::LockState::Contended, 0, colors), colors.amber);
        QCOMPARE(colorOfState(inspect::LockState::ReadShared, 0, colors), colors.blue);
        QCOMPARE(colorOfState(inspect::LockState::Held, 0, colors), colors.green);
    }

    void onlyALockWithSeveralHoldersHasATriangle()
    {
        const KeyDelegate delegate;
        const Fixture shared(MadeLock("a").readers(2).ptr());
        const Fixture alone(MadeLock("a").owner("x").ptr());
        const QRect triangle = KeyDelegate::triangleRect(QRect({}, kCell), QFontMetrics(QFont()));
        const auto quietPixels = [&](const Fixture& f) {
            return countOf(f.painted(delegate, LockTableModel::KeyColumn).copy(triangle),
                           f.colors.quiet);
        };
        QVERIFY(quietPixels(shared) > 0);
        QCOMPARE(quietPixels(alone), 0);
    }

    void anUnknownOwnerIsQuiet()
    {
        const OwnerDelegate delegate;
        const Fixture known(MadeLock("a").owner("worker-1").ptr());
        const Fixture unknown(MadeLock("a").owner("").ptr());
        QVERIFY(brightestOf(known.painted(delegate, LockTableModel::OwnerColumn))
                > brightestOf(unknown.painted(delegate, LockTableModel::OwnerColumn)) + 20);
    }

    void aRowThatIsNotConfirmedIsGrey()
    {
        const auto paint = [](MadeLock lock) {
            Fixture f(lock.lease(30s).expires(Instant(1h) + 15s).ptr());
            return std::pair(brightestOf(f.painted(CellDelegate(), LockTableModel::FormatColumn)),
                             countOf(f.lease(), f.colors.greenTint));
        };
        const auto [confirmedText, confirmedGreen] = paint(MadeLock("a"));
        const auto [staleText, staleGreen] = paint(MadeLock("a").unconfirmed());
        QCOMPARE_LT(staleText, confirmedText);
        QVERIFY(confirmedGreen > 0);
        QCOMPARE(staleGreen, 0);
    }

    void aChangedCellIsMarkedForAMoment()
    {
        Fixture f(MadeLock("a").waiters(1).ptr());
        const auto marked = [&f](int column) {
            return countOf(f.painted(CellDelegate(), column), f.colors.hairline)
                   > kCell.width() * kCell.height() / 2;
        };
        f.model.apply(deltaOf(ChangeKind::Changed, {MadeLock("a").waiters(2).ptr()}, f.now));
        QVERIFY(marked(LockTableModel::WaitersColumn));
        QVERIFY(!marked(LockTableModel::HoldsColumn));
        QVERIFY(f.model.hasFreshCells());
        f.now += LockTableModel::kFreshDuration;
        f.model.advance(f.now);
        QVERIFY(!marked(LockTableModel::WaitersColumn));
        QVERIFY(!f.model.hasFreshCells());
    }

    void aSelectedRowIsTinted()
    {
        const CellDelegate delegate;
        const Fixture f(MadeLock("a").ptr());
        const QStyle::State selected = QStyle::State_Enabled | QStyle::State_Selected;
        QCOMPARE(f.painted(delegate, LockTableModel::FormatColumn).pixel(0, 0),
                 darkPalette().color(QPalette::Base).rgb());
        QCOMPARE(f.painted(delegate, LockTableModel::FormatColumn, selected).pixel(0, 0),
                 f.colors.selection.rgb());
    }

    void theHeaderMakesRoomForItsTitles()
    {
        Fixture f(MadeLock("a").ptr());
        LockTableHeader header;
        header.setModel(&f.model);
        QVERIFY(header.titleWidth(LockTableModel::RenewalsColumn)
                > header.titleWidth(LockTableModel::KeyColumn));
        QVERIFY(header.sizeHint().height() > header.fontMetrics().height());
    }
};

LOCKSCOPE_TEST(TestLockDelegates, Widgets)

} // namespace lockscope::tst_lock_delegates

#include "tst_lock_delegates.moc"
