#pragma once

#include "tests/support/sample_locks.h"
#include "tests/ui/window_rig.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QAction>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

namespace lockscope::test {

/// What the tests of the whole window begin with.
class WindowBench {
protected:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<WindowRig> m_rig;

    static store::Endpoint server(const std::string& environment = {}, bool isReadOnly = false)
    {
        store::Endpoint endpoint;
        endpoint.host = "10.0.0.5";
        endpoint.environment = environment;
        endpoint.isReadOnly = isReadOnly;
        return endpoint;
    }

    void restart()
    {
        m_rig = std::make_unique<WindowRig>(m_directory->filePath(QStringLiteral("settings.ini")));
        QVERIFY(QTest::qWaitForWindowActive(m_rig->window.get()));
    }

    template<class Widget>
    Widget* find(const char16_t* name) const
    {
        // Names are unique on a page; what both pages have is looked up on the first.
        const QString wanted = QString::fromUtf16(name);
        auto* const page = m_rig->window->findChild<QWidget*>(QStringLiteral("locksPage"));
        auto* const found = page->findChild<Widget*>(wanted);
        return found != nullptr ? found : m_rig->window->findChild<Widget*>(wanted);
    }
    QString text(const char16_t* name) const { return find<QLabel>(name)->text(); }
    QAction* action(const char16_t* name) const { return find<QAction>(name); }
    widgets::LockTableView& table() const { return *find<widgets::LockTableView>(u"lockTable"); }
    Instant now() const { return m_rig->monitor.now(); }

    void add(const inspect::LockRecord& lock) const
    {
        m_rig->monitor.change(inspect::ChangeKind::Appeared, lock);
    }

    /// Connected, swept, and two locks in the table, the first of them chosen.
    void showTwoLocks(const store::Endpoint& endpoint = server()) const
    {
        m_rig->monitor.goOnline({endpoint});
        m_rig->monitor.finishSweep(100);
        add(stuckFlag("job:1", now()));
        add(heldToken("order:1", "token-abcdef", now()));
        QTRY_VERIFY(table().isVisible());
        table().setCurrentLock({0, "job:1"});
    }

    void begin()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        restart();
    }
};

} // namespace lockscope::test
