#include "tests/support/test_program.h"
#include "ui/widgets/controls/notifier.h"

#include <QTest>

namespace lockscope::tst_notifier {

using namespace lockscope::widgets;

class TestNotifier : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The platform of the tests has no tray, as some desktops.
    void withoutATrayItSaysSoAndDoesNothing()
    {
        TrayNotifier notifier;
        QVERIFY(notifier.obstacle().endsWith(u'.'));
        notifier.notify(QStringLiteral("a"), QStringLiteral("b"));
        QVERIFY(!notifier.obstacle().isEmpty());
    }
};

LOCKSCOPE_TEST(TestNotifier, Widgets)

} // namespace lockscope::tst_notifier

#include "tst_notifier.moc"
