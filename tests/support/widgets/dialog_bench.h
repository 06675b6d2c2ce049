#pragma once

#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "ui/widgets/locks/lock_facts.h"
#include "ui/widgets/locks/release/release_dialog.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>

#include <chrono>
#include <memory>
#include <string>

namespace lockscope::test {

/// What the tests of the dialogs about one lock begin with.
class DialogBench {
protected:
    static constexpr Instant kNow = Instant(std::chrono::hours(100));

    std::unique_ptr<ScriptedReleaseDesk> m_desk;
    QPointer<QDialog> m_dialog;
    std::string m_environment;
    bool m_isReadOnly = false;
    Instant m_now = kNow;

    widgets::FactContext context() const
    {
        store::Endpoint endpoint;
        endpoint.environment = m_environment;
        endpoint.isReadOnly = m_isReadOnly;
        return {m_now, wallTimeOfMs(1'795'185'067'000), {endpoint}};
    }

    template<class Dialog>
    Dialog* open(const inspect::LockRecord& lock)
    {
        auto* dialog = new Dialog(
            *m_desk, [this] { return context(); }, lock.id);
        m_dialog = dialog;
        dialog->open();
        return dialog;
    }

    widgets::ReleaseDialog* openRelease(const inspect::LockRecord& lock)
    {
        auto* dialog = open<widgets::ReleaseDialog>(lock);
        m_desk->answer(detailsOf(lock));
        return dialog;
    }

    template<class Widget>
    Widget* find(const char16_t* name) const
    {
        auto* widget = m_dialog->findChild<Widget*>(QString::fromUtf16(name));
        return widget;
    }
    QPushButton* button(const char16_t* name) const { return find<QPushButton>(name); }
    QLineEdit* edit(const char16_t* name) const { return find<QLineEdit>(name); }
    QString text(const char16_t* name) const { return find<QLabel>(name)->text(); }

    void begin()
    {
        m_desk = std::make_unique<ScriptedReleaseDesk>();
        m_environment.clear();
        m_isReadOnly = false;
        m_now = kNow;
    }

    void end()
    {
        delete m_dialog;
        m_desk.reset();
    }
};

} // namespace lockscope::test
