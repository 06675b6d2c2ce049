#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/models/locks/activity_filter.h"
#include "ui/models/locks/activity_model.h"
#include "ui/widgets/locks/activity_panel.h"
#include "ui/widgets/locks/activity_view.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_activity_view {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using models::ActivityKind;
using models::ActivityModel;

namespace {

struct Rig {
    ActivityModel activity{[](Instant) { return WallTime(); }};
    test::ScriptedPrompter prompter;
    ActivityView view{activity, prompter};

    Rig()
    {
        for (const char* key : {"order:1", "job:2", "order:3"}) {
            activity.append({wallTimeOfMs(1'795'185'067'123), ActivityKind::Appeared,
                             inspect::LockId{0, key}, u"by me"_s});
        }
        view.show();
    }
    ActivityPanel& list() const { return *view.findChild<ActivityPanel*>(); }
    void filter(const QString& text)
    {
        view.findChild<QLineEdit*>(u"activityFilter"_s)->setText(text);
    }
};

} // namespace

class TestActivityView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theBoxFindsLinesAndALineItsLock()
    {
        Rig rig;
        rig.filter(u"job"_s);
        QCOMPARE(test::columnTexts(*rig.list().model(), ActivityModel::KeyColumn),
                 QStringList{u"job:2"_s});
        const QSignalSpy chosen(&rig.view, &ActivityView::lockChosen);
        Q_EMIT rig.list().activated(rig.list().model()->index(0, 0));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.value(0).value(0).value<inspect::LockId>().name, "job:2");
    }

    void selectedLinesAreCopiedInTheirOrder()
    {
        Rig rig;
        rig.filter(u"order"_s);
        rig.list().setFocus();
        QTest::keyClick(&rig.list(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&rig.list(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].endsWith(u"\torder:1\tby me"_s), qPrintable(lines[0]));
        QVERIFY(lines[1].contains(u"order:3"_s));
    }

    void whatIsShownIsExported()
    {
        Rig rig;
        const QTemporaryDir folder;
        rig.filter(u"order"_s);
        for (const auto& [action, name] : {std::pair(u"exportActivityCsv"_s, u"a.csv"_s),
                                           std::pair(u"exportActivityJson"_s, u"a.json"_s)}) {
            QFile file(folder.filePath(name));
            rig.prompter.willChooseFile(file.fileName());
            rig.view.findChild<QAction*>(action)->trigger();
            QTRY_VERIFY(file.exists());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray content = file.readAll();
            QVERIFY(content.contains("order:3"));
            QVERIFY(!content.contains("job:2"));
        }
    }
};

LOCKSCOPE_TEST(TestActivityView, Widgets)

} // namespace lockscope::tst_activity_view

#include "tst_activity_view.moc"
