#include "ui/widgets/lab/lab_page.h"

#include "core/kernel/report/run/contend_call.h"
#include "ui/models/formatting.h"
#include "ui/models/kept_protocols.h"
#include "ui/models/lab/lab_draft.h"
#include "ui/models/lab/run_record.h"
#include "ui/widgets/controls/empty_state.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/lab/client_proof.h"
#include "ui/widgets/lab/lab_bar.h"
#include "ui/widgets/lab/lab_form.h"
#include "ui/widgets/lab/live_run.h"
#include "ui/widgets/lab/run_view.h"
#include "ui/widgets/lab/searched_run.h"
#include "ui/widgets/lab/turning_point_search.h"
#include "ui/widgets/shell/settings.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabWidget>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using service::SearchProgress;

namespace {

constexpr int kFormCharacters = 48;
constexpr Duration kSilenceMax = std::chrono::milliseconds(500); // before findings are shown

} // namespace

LabPage::LabPage(Context context, QWidget* parent) : QWidget(parent), m_context(context)
{
    setObjectName(u"labPage"_s);
    m_form = new LabForm({m_context.protocols, m_context.prompter, m_context.settings}, this);
    auto* column = createFormColumn(m_form, u"labFormArea"_s, kFormCharacters, this);
    m_bar = new LabBar(this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(createEmptyState());
    createTabs();
    m_stack->addWidget(m_runs);
    createRow(this, {}, 0,
              {column, createHairline(Qt::Vertical, this),
               growing(createColumn(0, {m_bar, growing(m_stack)}))});
    m_proof = new ClientProof(m_context.prover, *m_bar, m_context.prompter,
                              {*m_runs,
                               [this](const QString& name, const QString& command) -> RunView& {
                                   return addRunBehind(name, command);
                               },
                               [this](RunView& view) { bringToFront(view); }},
                              this);
    connectParts();
}

LabPage::~LabPage()
{
    m_runs->disconnect(this); // it says that it is empty while it goes
}

QWidget* LabPage::createEmptyState()
{
    auto* empty = new EmptyState(this);
    EmptyText text;
    text.headline = tr("See how a lock breaks");
    text.text = tr("Choose a protocol and press Find a violation. Its real code and scripts run in "
                   "a simulation in which faults occur at the worst moment. Prove… does the same "
                   "to a real client. No server is needed.");
    empty->showText(text);
    return empty;
}

void LabPage::createTabs()
{
    m_runs = new QTabWidget(this);
    m_runs->setObjectName(u"labRuns"_s);
    m_runs->setAccessibleName(tr("Runs"));
    m_runs->setDocumentMode(true);
    m_runs->setTabsClosable(true);
    m_runs->setMovable(true);
    m_runs->setUsesScrollButtons(true);
}

void LabPage::connectParts()
{
    connect(m_form, &LabForm::changed, this, [this] { m_bar->setReady(m_form->isReady()); });
    connect(m_bar, &LabBar::findRequested, this, &LabPage::find);
    connect(m_bar, &LabBar::simulateRequested, this, &LabPage::simulate);
    connect(m_bar, &LabBar::contendRequested, this, &LabPage::contendLive);
    connect(m_bar, &LabBar::proofRequested, m_proof, &ClientProof::ask);
    connect(m_bar, &LabBar::pauseRequested, this, &LabPage::setPaused);
    connect(m_bar, &LabBar::cancelRequested, this, &LabPage::stop);
    connect(m_bar, &LabBar::openRequested, this, &LabPage::chooseFile);
    connect(m_bar, &LabBar::copyCommandRequested, this, &LabPage::copyCommand);
    connect(m_runs, &QTabWidget::tabCloseRequested, this, &LabPage::closeRun);
    connect(m_runs, &QTabWidget::currentChanged, this, &LabPage::refresh);
    connect(&m_context.searcher, &service::SearchRunner::progressed, this, &LabPage::showProgress);
    connect(&m_context.runner, &service::LiveRunner::progressed, this,
            [this](const workload::LiveRunProgress& progress) {
                m_bar->showActivity(models::activityOf(progress));
            });
}

void LabPage::find()
{
    startSearch(models::orderOf(m_form->draft()), m_form->command());
}

void LabPage::simulate()
{
    startSearch(models::simulateOrderOf(m_form->draft()), m_form->simulateCommand());
}

void LabPage::startSearch(service::SearchOrder order, const QString& command)
{
    m_order = std::move(order);
    m_command = command;
    m_tellingSince.reset();
    m_hasShownFindings = false;
    m_findings.clear();
    m_context.searcher.start(*m_order);
}

void LabPage::contendLive()
{
    const workload::LiveRunOrder order = models::liveOrderOf(m_form->draft());
    const QString file = m_context.protocols.fileOf(*order.protocol);
    const report::SavedProtocol saved = savedProtocol(order.protocol);
    const std::string call = report::contendCall(order, file.toStdString());
    RunView& view = addRun(tr("%1, live").arg(models::toQString(saved.info().id)),
                           models::toQString(call));
    new LiveRun(view, m_context.runner, order, saved.ownText);
}

void LabPage::showProgress(const SearchProgress& progress)
{
    if (!m_order) {
        return; // of a search that was ordered elsewhere
    }
    m_bar->showActivity(models::activityOf(progress));
    if (progress.phase == SearchProgress::Phase::Telling && !m_tellingSince) {
        m_tellingSince = progress.elapsed;
    }
    const bool isSlow = m_tellingSince && progress.elapsed - *m_tellingSince >= kSilenceMax;
    if (progress.isOver()) {
        showEnd();
    } else if (isSlow && !std::exchange(m_hasShownFindings, true)) {
        showFindings();
    }
}

/// Nobody has to wait for short stories to see what broke, and how often.
void LabPage::showFindings()
{
    const report::SavedProtocol protocol = savedProtocol(m_order->tasks.front().protocol);
    RunView& view = addRun(models::runName(*m_order), m_command);
    m_findings = SearchedRun::ofFindings(view, protocol, *m_order, m_context.searcher.findings());
}

void LabPage::showEnd()
{
    const service::SearchOrder order = *std::exchange(m_order, std::nullopt);
    if (m_findings != nullptr) {
        m_findings->complete(m_context.searcher.reports());
    } else {
        showReports(order, m_context.searcher.reports(), m_command);
    }
    m_findings.clear();
}

void LabPage::showCell(const service::SearchOrder& order,
                       const std::vector<report::CellReport>& reports, protocol::Promise promise)
{
    const search::SearchTask& cell = order.tasks.front();
    showReports(order, reports,
                models::cellCommand(cell, m_context.protocols.fileOf(*cell.protocol)), promise);
}

void LabPage::showReports(const service::SearchOrder& order,
                          const std::vector<report::CellReport>& reports, const QString& command,
                          std::optional<protocol::Promise> promise)
{
    const report::SavedProtocol protocol = savedProtocol(order.tasks.front().protocol);
    RunView& view = addRun(models::runName(order), command);
    new SearchedRun(view, protocol, order, reports, promise);
}

report::SavedProtocol LabPage::savedProtocol(const models::ProtocolPtr& protocol) const
{
    return {protocol, m_context.protocols.textOf(*protocol).toStdString()};
}

RunView& LabPage::addRun(const QString& name, const QString& command)
{
    RunView& view = addRunBehind(name, command);
    bringToFront(view);
    return view;
}

/// The other runs stay in front of it.
RunView& LabPage::addRunBehind(const QString& name, const QString& command)
{
    auto* view = new RunView(m_context.prompter, this);
    view->setCommand(command);
    const QString title = tr("%1 · %2").arg(++m_runCount).arg(name);
    const int index = m_runs->addTab(view, title);
    view->setTitle(title);
    m_runs->setTabToolTip(index, command);
    refresh();
    return *view;
}

void LabPage::bringToFront(RunView& view)
{
    m_runs->setCurrentWidget(&view);
    if (m_bar->isAncestorOf(window()->focusWidget())) {
        view.setFocus(); // who started or opened it reads on; the button may be grey now
    }
}

RunView* LabPage::currentRun() const
{
    return qobject_cast<RunView*>(m_runs->currentWidget());
}

void LabPage::closeRun(int index)
{
    QWidget* const view = m_runs->widget(index);
    m_runs->removeTab(index);
    view->deleteLater();
    refresh();
}

/// Every run with those in the other tabs.
void LabPage::compareRuns()
{
    RunView* const shown = currentRun();
    std::vector<models::RunFigures> others;
    for (int i = 0; i < m_runs->count(); ++i) {
        const auto* const run = qobject_cast<RunView*>(m_runs->widget(i));
        if (run != shown) {
            others.push_back(run->figures());
        }
    }
    if (shown != nullptr) {
        shown->setComparable(std::move(others));
    }
}

void LabPage::chooseFile()
{
    m_context.prompter.chooseFile(
        this, {tr("Open a run"), tr("Runs, counterexamples and scenarios (*.run.cbor *.json)"), {}},
        [this](const QString& path) { openFile(path); });
}

void LabPage::openFile(const QString& path)
{
    if (models::isScenarioFile(path)) {
        m_form->openScenario(path);
    } else {
        openRun(path);
    }
}

void LabPage::openRun(const QString& path)
{
    auto opened = models::openedRun(path);
    if (const auto* const complaint = std::get_if<QString>(&opened)) {
        m_context.prompter.tell(this, tr("Open a run"),
                                tr("The file is not a run, a counterexample or a scenario."),
                                *complaint);
        return;
    }
    auto& [run, example] = std::get<models::OpenedRun>(opened);
    const QString name = tr("%1 (%2)").arg(models::toQString(run.protocol.info().id),
                                           QFileInfo(path).fileName());
    RunView& view = addRun(name, models::toQString(run.command));
    view.promises().show(run.promises, run.statistics
                                           ? report::untestedText(*run.statistics, std::nullopt)
                                           : std::string());
    view.showRecord(models::recordOf(std::move(run)), tr("Story"));
    if (example) {
        search::Finding finding;
        finding.violation.promise = example->promise;
        finding.violation.kind = example->kind;
        finding.steps = example->steps;
        (new TurningPointSearch(view))->ask(example->protocol.protocol, example->plan, finding);
    }
}

void LabPage::refresh()
{
    compareRuns();
    const RunView* const run = currentRun();
    m_stack->setCurrentIndex(run != nullptr ? 1 : 0);
    m_bar->setCopyable(run != nullptr && !run->command().isEmpty());
}

void LabPage::setPaused(bool isPaused)
{
    if (m_order) {
        m_context.searcher.setPaused(isPaused);
    } else if (isPaused) {
        m_context.runner.pause();
    } else {
        m_context.runner.resume();
    }
}

void LabPage::stop()
{
    if (m_proof->isUnderWay()) {
        m_proof->cancel();
    } else if (m_order) {
        m_context.searcher.cancel();
    } else {
        m_context.runner.stop();
    }
}

void LabPage::copyCommand()
{
    if (const RunView* const run = currentRun()) {
        QGuiApplication::clipboard()->setText(run->command());
    }
}

void LabPage::save(Settings& settings) const
{
    settings.ownProtocols = models::keptProtocols(m_context.protocols);
    settings.labForm = m_form->state().text();
    settings.proof = m_proof->draft();
}

void LabPage::restore(const Settings& settings)
{
    models::addKept(m_context.protocols, settings.ownProtocols);
    m_form->restore(models::LabFormState::of(settings.labForm));
    m_proof->setDraft(settings.proof);
}

bool LabPage::mayClose(const std::function<void()>& close)
{
    return m_form->mayClose(close);
}

} // namespace lockscope::widgets
