#include "tests/support/test_program.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/named_filters.h"

#include <QMenu>
#include <QTest>

#include <memory>

namespace lockscope::tst_named_filters {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestNamedFilters : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFilterOfTheBoxGetsAName()
    {
        Settings settings;
        LockFilterEdit edit;
        NamedFilters filters(edit, settings);
        edit.apply(u" held>10m "_s);
        const std::unique_ptr<QMenu> menu(filters.createMenu());
        auto* name = menu->findChild<QLineEdit*>(u"filterName"_s);
        QVERIFY(name->isEnabled());
        name->setText(u" old & odd "_s);
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(settings.namedFilters, QList<NamedFilter>({{u"old & odd"_s, u"held>10m"_s}}));
    }

    void whatCannotBeReadGetsNone()
    {
        Settings settings;
        LockFilterEdit edit;
        NamedFilters filters(edit, settings);
        edit.apply(u"onwer:x"_s);
        const std::unique_ptr<QMenu> menu(filters.createMenu());
        QVERIFY(!menu->findChild<QLineEdit*>(u"filterName"_s)->isEnabled());
    }

    void aNamedFilterIsAppliedAndRemoved()
    {
        Settings settings;
        settings.namedFilters = {{u"a & b"_s, u"held>1m"_s}, {u"stuck"_s, u"flag:no-expiry"_s}};
        LockFilterEdit edit;
        NamedFilters filters(edit, settings);
        const std::unique_ptr<QMenu> menu(filters.createMenu());
        QCOMPARE(menu->actions().at(0)->text(), u"a && b\theld>1m"_s);
        menu->actions().at(1)->trigger();
        QCOMPARE(edit.text(), u"flag:no-expiry"_s);
        QCOMPARE(edit.condition(), LockFilterEdit::Condition::Valid);
        auto* removal = menu->findChild<QMenu*>();
        QVERIFY(removal != nullptr);
        removal->actions().at(0)->trigger();
        QCOMPARE(settings.namedFilters, QList<NamedFilter>({{u"stuck"_s, u"flag:no-expiry"_s}}));
    }
};

LOCKSCOPE_TEST(TestNamedFilters, Widgets)

} // namespace lockscope::tst_named_filters

#include "tst_named_filters.moc"
