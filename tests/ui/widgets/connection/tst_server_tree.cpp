#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/connection/profile_dialog.h"
#include "ui/widgets/connection/server_tree.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_server_tree {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

ServerProfile profile(const QString& name, const QString& folder)
{
    return {{u"redis://%1:1"_s.arg(name)}, {}, false, name, folder};
}

struct Rig {
    Rig()
    {
        saveProfile(settings, profile(u"blog"_s, {}));
        saveProfile(settings, profile(u"billing"_s, u"Shop"_s));
        saveProfile(settings, profile(u"stock"_s, u"Shop"_s));
        rememberServer(settings, {{u"redis://10.0.0.5:6379"_s}, u"production"_s});
        tree.refresh();
        tree.show();
    }

    /// "Group: name, name" for each group.
    QStringList groups() const
    {
        QStringList texts;
        for (int i = 0; i < tree.topLevelItemCount(); ++i) {
            const QTreeWidgetItem* group = tree.topLevelItem(i);
            QStringList names;
            for (int j = 0; j < group->childCount(); ++j) {
                names += group->child(j)->text(0);
            }
            texts += group->text(0) + u": "_s + names.join(u", "_s);
        }
        return texts;
    }
    QTreeWidgetItem* item(int group, int row) const { return tree.topLevelItem(group)->child(row); }
    void act(const QString& name) const { tree.findChild<QAction*>(name)->trigger(); }

    Settings settings;
    test::ScriptedPrompter prompter;
    ServerTree tree{settings, prompter};
};

} // namespace

class TestServerTree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyTreeSaysWhatWillStandInIt()
    {
        Rig rig;
        const auto* const nothing = rig.tree.findChild<QLabel*>(u"serverTreeEmpty"_s);
        QVERIFY(nothing->isHidden());
        rig.settings = {};
        rig.tree.refresh();
        QVERIFY(!nothing->isHidden());
    }

    void profilesStandInTheirFolders()
    {
        const Rig rig;
        QCOMPARE(rig.groups(), (QStringList{u"Profiles: blog"_s, u"Shop: billing, stock"_s,
                                            u"Recent: production · 10.0.0.5:6379/0"_s}));
        QCOMPARE(rig.item(1, 0)->toolTip(0), u"redis://billing:1"_s);
        QVERIFY(!rig.tree.chosen());
    }

    void choosingTellsTheServer()
    {
        Rig rig;
        QSignalSpy chosen(&rig.tree, &ServerTree::serverChosen);
        rig.tree.setCurrentItem(rig.item(1, 1));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(rig.tree.chosen()->name, u"stock"_s);
    }

    void aProfileIsRenamedInPlace()
    {
        Rig rig;
        rig.item(1, 0)->setText(0, u" zinc "_s);
        QTRY_COMPARE(rig.groups()[1], u"Shop: stock, zinc"_s);
        QCOMPARE(rig.settings.profiles[2].urls, QStringList{u"redis://billing:1"_s});
    }

    void aRecentServerGetsAName()
    {
        Rig rig;
        rig.item(2, 0)->setText(0, u"Billing"_s);
        QTRY_COMPARE(rig.groups()[2], u"Recent: production · Billing"_s);
        QCOMPARE(rig.settings.recentServers[0].name, u"Billing"_s);
    }

    void whatIsChosenIsRemoved()
    {
        Rig rig;
        QVERIFY(!rig.tree.findChild<QAction*>(u"actionRemoveServer"_s)->isEnabled());
        QSignalSpy removed(&rig.tree, &ServerTree::serverRemoved);
        rig.tree.setCurrentItem(rig.item(1, 0));
        rig.act(u"actionRemoveServer"_s);
        QCOMPARE(removed.size(), 1);
        rig.tree.setCurrentItem(rig.item(2, 0));
        rig.act(u"actionRemoveServer"_s);
        QCOMPARE(rig.groups(), (QStringList{u"Profiles: blog"_s, u"Shop: stock"_s}));
    }

    void profilesGoThroughAFile()
    {
        const QTemporaryDir folder;
        Rig rig;
        rig.prompter.willChooseFile(folder.filePath(u"p.json"_s));
        rig.act(u"actionExportProfiles"_s);
        QTRY_VERIFY(QFile::exists(folder.filePath(u"p.json"_s)));
        Rig other;
        other.settings.profiles.clear();
        other.tree.refresh();
        QVERIFY(!other.tree.findChild<QAction*>(u"actionExportProfiles"_s)->isEnabled());
        other.prompter.willChooseFile(folder.filePath(u"p.json"_s));
        other.act(u"actionImportProfiles"_s);
        QTRY_COMPARE(other.settings.profiles, rig.settings.profiles);
    }

    void aFileThatIsNoneIsRefused()
    {
        const QTemporaryDir folder;
        Rig rig;
        rig.prompter.willChooseFile(folder.filePath(u"missing.json"_s));
        rig.act(u"actionImportProfiles"_s);
        QTRY_COMPARE(rig.prompter.asked().size(), std::size_t(1));
        QVERIFY(rig.prompter.asked()[0].text.contains(u"missing.json"_s));
        QCOMPARE(rig.settings.profiles.size(), 3);
    }

    void aNameIsAskedFor()
    {
        const Rig rig;
        ProfileDialog dialog({{u"redis://a"_s}}, rig.settings.profiles);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        auto* const save = dialog.findChild<QPushButton*>(u"saveProfileButton"_s);
        QVERIFY(!save->isEnabled());
        dialog.findChild<QLineEdit*>(u"profileName"_s)->setText(u" stock "_s);
        QVERIFY(save->isEnabled());
        const auto* const note = dialog.findChild<QLabel*>(u"profileNote"_s);
        QVERIFY(!note->text().contains(u"replaced"_s));
        dialog.findChild<QComboBox*>(u"profileFolder"_s)->setCurrentText(u"Shop"_s);
        QVERIFY(note->text().contains(u"replaced"_s));
        QCOMPARE(dialog.profile(),
                 (ServerProfile{{u"redis://a"_s}, {}, false, u"stock"_s, u"Shop"_s}));
    }
};

LOCKSCOPE_TEST(TestServerTree, Widgets)

} // namespace lockscope::tst_server_tree

#include "tst_server_tree.moc"
