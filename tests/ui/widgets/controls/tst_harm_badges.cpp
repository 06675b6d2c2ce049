#include "tests/support/test_program.h"
#include "ui/widgets/controls/harm_badges.h"

#include <QTest>

namespace lockscope::tst_harm_badges {

using namespace Qt::StringLiterals;
using search::Harm;
using widgets::HarmBadges;

class TestHarmBadges : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsSeenOfNone()
    {
        HarmBadges badges;
        badges.showHarms({Harm::Stuck}, true);
        QVERIFY(badges.isVisible());
        badges.showHarms({}, true);
        QVERIFY(!badges.isVisible());
    }

    void theyAreNamedInWords()
    {
        HarmBadges badges;
        badges.showHarms({Harm::TwoHolders, Harm::Unfair}, true);
        const QString names = QString::fromStdString(search::nameOf(Harm::TwoHolders)) + u", "_s
                              + QString::fromStdString(search::nameOf(Harm::Unfair));
        QCOMPARE(badges.toolTip(), names);
        QCOMPARE(badges.accessibleName(), names);
    }

    void eachLooksLikeItself()
    {
        QList<QImage> looks;
        for (const Harm harm : search::allHarms()) {
            for (const bool isPromised : {true, false}) {
                HarmBadges badges;
                badges.showHarms({harm}, isPromised);
                badges.resize(badges.sizeHint());
                const QImage look = badges.grab().toImage();
                QVERIFY(!looks.contains(look));
                looks += look;
            }
        }
    }

    void twoAreWiderThanOne()
    {
        HarmBadges badges;
        badges.showHarms({Harm::Stuck}, true);
        const int one = badges.sizeHint().width();
        badges.showHarms({Harm::Stuck, Harm::Unfair}, true);
        QVERIFY(badges.sizeHint().width() > 2 * one);
    }
};

LOCKSCOPE_TEST(TestHarmBadges, Widgets)

} // namespace lockscope::tst_harm_badges

#include "tst_harm_badges.moc"
