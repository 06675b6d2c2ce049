#include "tests/support/test_program.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/icons.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyleOption>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

namespace lockscope::tst_theme {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestTheme : public QObject {
    Q_OBJECT

private:
    static int inkOf(const QImage& image, const QColor& color)
    {
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                count += pixel.alpha() > 200 && std::abs(pixel.red() - color.red()) < 8
                         && std::abs(pixel.green() - color.green()) < 8
                         && std::abs(pixel.blue() - color.blue()) < 8;
            }
        }
        return count;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { applyTheme(*qApp, ThemeChoice::Light); }

    void whatLooksLikeMarkupStaysText()
    {
        const QString foreign = u"<b>ERR</b><br>unknown <i>command</i>"_s;
        QLabel label(foreign);
        label.show();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QCOMPARE_GE(label.sizeHint().width(), label.fontMetrics().horizontalAdvance(foreign));
        QToolTip::showText(QPoint(5, 5), foreign, &label);
        const QLabel* tip = nullptr;
        for (const QWidget* window : QApplication::topLevelWidgets()) {
            tip = window->inherits("QTipLabel") ? qobject_cast<const QLabel*>(window) : tip;
        }
        QVERIFY(tip != nullptr);
        QCOMPARE(tip->text(), foreign);
        QCOMPARE(tip->textFormat(), Qt::PlainText);
        QToolTip::hideText();
    }

    void everyButtonShowsThatItHasTheFocus()
    {
        QPushButton plain(u"Start"_s);
        QPushButton primary(u"Start"_s);
        setEmphasis(&primary, Emphasis::Primary);
        QPushButton danger(u"Start"_s);
        setEmphasis(&danger, Emphasis::Danger);
        QToolButton raised;
        raised.setText(u"Start"_s);
        raised.setAutoRaise(true);
        for (QAbstractButton* button :
             std::initializer_list<QAbstractButton*>{&plain, &primary, &danger, &raised}) {
            button->show();
            button->activateWindow();
            button->setFocus(Qt::TabFocusReason);
            QTRY_VERIFY(button->hasFocus());
            const QImage focused = button->grab().toImage();
            button->clearFocus();
            QTRY_VERIFY(!button->hasFocus());
            QVERIFY2(button->grab().toImage() != focused, button->metaObject()->className());
        }
    }

    void everyTextCanBeRead_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }

    void everyTextCanBeRead()
    {
        QFETCH(QPalette, palette);
        for (const auto surface :
             {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Highlight}) {
            for (const auto text : {QPalette::Text, QPalette::PlaceholderText}) {
                QVERIFY2(contrastRatio(palette.color(text), palette.color(surface)) >= 4.5,
                         qPrintable(u"role %1 on role %2"_s.arg(text).arg(surface)));
            }
        }
        QVERIFY(contrastRatio(palette.color(QPalette::BrightText), palette.color(QPalette::Link))
                >= 4.5); // the label of a primary button
        for (const int severity : {0, 1, 2}) {
            const QColor color = severityColor(severity, palette);
            const QColor tint = tintOf(color, palette.color(QPalette::Window));
            QVERIFY2(contrastRatio(color, tint) >= 4.5, qPrintable(color.name())); // the verdict
        }
    }

    void theTwoPalettesAreLightAndDark()
    {
        QVERIFY(!isDark(lightPalette()));
        QVERIFY(isDark(darkPalette()));
    }

    void theChoiceDecidesThePalette()
    {
        applyTheme(*qApp, ThemeChoice::Dark);
        QVERIFY(isDark(QApplication::palette()));
        applyTheme(*qApp, ThemeChoice::Light);
        QVERIFY(!isDark(QApplication::palette()));
        QVERIFY(qobject_cast<FlatStyle*>(QApplication::style()) != nullptr);
    }

    void followingTheSystemForgetsTheChoiceBefore()
    {
        QApplication::setPalette(QPalette());
        const bool isSystemDark = isDark(QApplication::palette());
        applyTheme(*qApp, isSystemDark ? ThemeChoice::Light : ThemeChoice::Dark);
        applyTheme(*qApp, ThemeChoice::FollowSystem);
        QCOMPARE(isDark(QApplication::palette()), isSystemDark);
    }

    void iconsTakeTheTextColourOfTheMoment()
    {
        QVERIFY(!tintedIcon(u"copy").isNull()); // also loads the resources
        for (const QString& name : QDir(u":/icons"_s).entryList({u"*.svg"_s})) {
            if (name == u"lockscope.svg") {
                continue;
            }
            const QIcon icon = tintedIcon(QString(name).chopped(4));
            for (const auto theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
                applyTheme(*qApp, theme);
                const QColor color = QApplication::palette().color(QPalette::ButtonText);
                QVERIFY2(inkOf(icon.pixmap(64, 64).toImage(), color) > 20, qPrintable(name));
            }
        }
        QVERIFY(!applicationIcon().pixmap(64, 64).isNull());
    }

    void onlyProductionHasAColour()
    {
        QVERIFY(environmentColor(u"production"_s).isValid());
        QVERIFY(environmentColor(u" Prod "_s).isValid());
        QVERIFY(!environmentColor(u"staging"_s).isValid());
        QVERIFY(!environmentColor({}).isValid());
        QVERIFY(contrastRatio(environmentColor(u"production"_s), Qt::white) >= 4.5);
    }

    void emphasisIsPainted()
    {
        QPushButton button(u"Release"_s);
        button.resize(button.sizeHint());
        const QColor danger = severityColor(2, button.palette());
        QCOMPARE(inkOf(button.grab().toImage(), danger), 0);
        setEmphasis(&button, Emphasis::Danger);
        QVERIFY(inkOf(button.grab().toImage(), danger) > 20);
        setEmphasis(&button, Emphasis::Primary);
        QVERIFY(inkOf(button.grab().toImage(), button.palette().color(QPalette::Link)) > 200);
    }

    void theThumbOfAScrollBarStaysInItsGroove_data()
    {
        QTest::addColumn<int>("maximum");
        QTest::addColumn<int>("value");
        QTest::newRow("nothing to scroll") << 0 << 0;
        QTest::newRow("start") << 1'000'000 << 0;
        QTest::newRow("end") << 1'000'000 << 1'000'000;
        QTest::newRow("middle") << 100 << 50;
    }

    void theThumbOfAScrollBarStaysInItsGroove()
    {
        QFETCH(int, maximum);
        QFETCH(int, value);
        QStyleOptionSlider option;
        option.orientation = Qt::Vertical;
        option.rect = QRect(0, 0, 10, 200);
        option.maximum = maximum;
        option.pageStep = 10;
        option.sliderPosition = value;
        const auto part = [&option](QStyle::SubControl which) {
            return QApplication::style()->subControlRect(QStyle::CC_ScrollBar, &option, which);
        };
        const QRect thumb = part(QStyle::SC_ScrollBarSlider);
        QVERIFY(option.rect.contains(thumb));
        QVERIFY(thumb.height() >= 20); // it can be grabbed
        QCOMPARE(part(QStyle::SC_ScrollBarSubPage).height() + thumb.height()
                     + part(QStyle::SC_ScrollBarAddPage).height(),
                 200);
    }

    void checkedAndUncheckedDiffer()
    {
        QCheckBox box(u"Read-only"_s);
        box.resize(box.sizeHint());
        const QImage unchecked = box.grab().toImage();
        box.setChecked(true);
        QVERIFY(box.grab().toImage() != unchecked);
    }

    void progressIsPaintedInProportion()
    {
        QProgressBar bar;
        bar.setTextVisible(false);
        bar.resize(200, 4);
        bar.setRange(0, 100);
        const QColor accent = bar.palette().color(QPalette::Link);
        bar.setValue(25);
        const int quarter = inkOf(bar.grab().toImage(), accent);
        bar.setValue(100);
        const int whole = inkOf(bar.grab().toImage(), accent);
        QVERIFY2(std::abs(whole - 4 * quarter) < whole / 10,
                 qPrintable(u"%1 of %2"_s.arg(quarter).arg(whole)));
    }
};

LOCKSCOPE_TEST(TestTheme, Widgets)

} // namespace lockscope::tst_theme

#include "tst_theme.moc"
