#include "ui/widgets/locks/treatments/own_formats.h"

#include "ui/widgets/controls/notice_bar.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/table/lock_table_view.h"
#include "ui/widgets/locks/treatments/treat_dialog.h"
#include "ui/widgets/locks/treatments/treatments_dialog.h"
#include "ui/widgets/shell/main_window.h"

#include <QAction>

#include <utility>

namespace lockscope::widgets {

namespace {

std::vector<inspect::Treatment> treatmentsOf(const service::FormatStore& store)
{
    const auto treatments = store.formats()->recognisers().treatments;
    return {treatments.begin(), treatments.end()};
}

} // namespace

FormatProblems::FormatProblems(service::FormatStore& store, MainWindow& window, QObject* parent)
    : QObject(parent),
      m_store(store),
      m_window(window)
{
    connect(&store, &service::FormatStore::changed, this, &FormatProblems::show);
    show();
}

/// A mistake that was mended is no news any more.
void FormatProblems::show()
{
    const std::vector<inspect::OwnFileProblem> problems = m_store.problems();
    QString notice;
    if (!problems.empty()) {
        notice = tr("Ignored: %1").arg(QString::fromStdString(problems.front().sentence));
    }
    if (problems.size() > 1) {
        notice += tr(" (and %1 more)").arg(problems.size() - 1);
    }
    const bool isOursShown = m_window.notice().text() == m_shown;
    if (!notice.isEmpty() || (!m_shown.isEmpty() && isOursShown)) {
        m_window.showNotice(notice);
    }
    m_shown = notice;
}

OwnFormats::OwnFormats(Parts parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    connect(&m_parts.store, &service::FormatStore::changed, this, &OwnFormats::takeFormats);
    const LockActions& actions = m_parts.actions;
    connect(actions.treatAs, &QAction::triggered, this, [this] { openTreatDialog(false); });
    connect(actions.notALock, &QAction::triggered, this, [this] { openTreatDialog(true); });
    connect(actions.treatments, &QAction::triggered, this, &OwnFormats::openTreatmentsDialog);
}

void OwnFormats::takeFormats()
{
    m_parts.monitor.setFormats(m_parts.store.formats());
}

void OwnFormats::openTreatDialog(bool isNoLock)
{
    const inspect::LockPtr lock = m_parts.table.currentLock();
    if (lock == nullptr) {
        return;
    }
    auto* dialog = new TreatDialog(*lock, *m_parts.store.formats(),
                                   isNoLock ? TreatDialog::Proposal::NotALock
                                            : TreatDialog::Proposal::Format,
                                   &m_parts.window);
    connect(dialog, &TreatDialog::chosen, this, [this](const inspect::Treatment& treatment) {
        save(inspect::withTreatment(treatmentsOf(m_parts.store), treatment));
    });
    dialog->open();
}

void OwnFormats::openTreatmentsDialog()
{
    auto* dialog = new TreatmentsDialog(treatmentsOf(m_parts.store), &m_parts.window);
    connect(dialog, &TreatmentsDialog::treatmentsChanged, this, &OwnFormats::save);
    dialog->open();
}

void OwnFormats::save(std::vector<inspect::Treatment> treatments)
{
    const QString problem = m_parts.store.setTreatments(std::move(treatments));
    if (!problem.isEmpty()) {
        m_parts.window.showNotice(tr("Could not remember it: %1").arg(problem));
    }
}

} // namespace lockscope::widgets
