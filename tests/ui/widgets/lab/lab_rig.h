#pragma once

#include "core/pool/search_pool.h"
#include "tests/support/manual_clock.h"
#include "tests/support/scripted_services.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/widgets/lab/lab_page.h"
#include "ui/widgets/shell/settings.h"

#include <QListView>
#include <QTabWidget>

namespace lockscope::test {

/// A Lab page that searches for real, on runs and answers that the test makes up.
struct LabRig {
    testing::ManualClock clock;
    pool::SearchPool searcher{clock};
    ScriptedLiveRunner runner;
    ScriptedProofRunner prover;
    models::ProtocolListModel protocols;
    ScriptedPrompter prompter;
    widgets::Settings settings;
    widgets::LabPage page{{searcher, runner, prover, protocols, prompter, settings}};

    QTabWidget& runs() const { return *page.findChild<QTabWidget*>(QStringLiteral("labRuns")); }

    /// In the run that is shown, or else on the page.
    template<class Widget>
    Widget& find(const QString& name) const
    {
        const QWidget* const run = runs().currentWidget();
        auto* found = run != nullptr ? run->findChild<Widget*>(name) : nullptr;
        if (found == nullptr) {
            found = page.findChild<Widget*>(name);
        }
        if (found == nullptr) {
            qFatal("there is no %s", qPrintable(name));
        }
        return *found;
    }
    QAbstractItemModel& storyLines() const
    {
        return *find<QListView>(QStringLiteral("storyList")).model();
    }
    QAbstractItemModel& verdicts() const
    {
        return *find<QListView>(QStringLiteral("verdictList")).model();
    }
};

} // namespace lockscope::test
