#include "ui/widgets/contend/contend_page.h"

#include "core/files/file_limits.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/report/run/live_record.h"
#include "ui/models/charts/figure_charts.h"
#include "ui/models/contend/latency_text.h"
#include "ui/models/contend/run_tiles.h"
#include "ui/models/contend/run_verdict.h"
#include "ui/models/formatting.h"
#include "ui/models/user_files.h"
#include "ui/widgets/contend/contend_form.h"
#include "ui/widgets/contend/contender_view.h"
#include "ui/widgets/contend/run_bar.h"
#include "ui/widgets/controls/empty_state.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/protocol_picker.h"
#include "ui/widgets/controls/tile_board.h"
#include "ui/widgets/controls/verdict_card.h"
#include "ui/widgets/shell/settings.h"
#include "ui/widgets/stats/chart_view.h"
#include "ui/widgets/stats/statistics_panel.h"

#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QtConcurrentRun>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using workload::LiveRunProgress;
using Phase = LiveRunProgress::Phase;

namespace {

constexpr int kFormCharacters = 46;
constexpr QMargins kListMargins(0, 0, 12, 0); // numbers keep off the edge of the window
constexpr QMargins kSubjectMargins(16, 8, 16, 8);
/// Before a run on servers that we did not start.
Question foreignServerQuestion(const workload::LiveRunOrder& order)
{
    const bool isDelicate = std::ranges::any_of(order.servers, store::isProduction);
    const QString contenders = models::countText(order.scenario.contenderCount);
    const QString servers = models::serverNames(order.servers);
    Question question;
    question.title = ContendPage::tr("Live contention");
    question.text =
        isDelicate
            ? ContendPage::tr("Run %1 contenders against production (%2)?").arg(contenders, servers)
            : ContendPage::tr("Run %1 contenders against %2?").arg(contenders, servers);
    question.detail =
        ContendPage::tr("This server was not started by Lockscope and may be in use. The "
                        "contenders send as many commands as they can. They use only keys that "
                        "begin with %1, but commands of other clients will be slower.")
            .arg(models::bytesText(order.scenario.keyPrefix));
    question.acceptLabel = ContendPage::tr("Run");
    question.declineLabel = ContendPage::tr("Cancel");
    return question;
}

} // namespace

ContendPage::ContendPage(Context context, QWidget* parent) : QWidget(parent), m_context(context)
{
    setObjectName(u"contendPage"_s);
    m_form = new ContendForm(m_context.protocols, this);
    auto* column = createFormColumn(m_form, u"contendFormArea"_s, kFormCharacters, this);
    m_bar = new RunBar(this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(createEmptyState());
    m_results = createResults();
    m_stack->addWidget(m_results);
    createRow(this, {}, 0,
              {column, createHairline(Qt::Vertical, this),
               growing(createColumn(0, {m_bar, growing(m_stack)}))});
    connectParts();
    m_bar->setReady(m_form->order().has_value(), m_form->predictable().has_value());
}

ContendPage::~ContendPage()
{
    m_predicting.cancel();
    m_predicting.waitForFinished(); // it ends soon: it is asked to
}

QWidget* ContendPage::createEmptyState()
{
    auto* empty = new EmptyState(this);
    EmptyText text;
    text.headline = tr("See how a lock behaves under contention");
    text.text = tr("Choose a protocol and press Start. Contenders with their own connections "
                   "acquire real locks on a real server, and this page shows the results. Predict "
                   "computes them without a server.");
    empty->showText(text);
    return empty;
}

QWidget* ContendPage::createResults()
{
    auto* results = new QWidget(this);
    results->setBackgroundRole(QPalette::Window);
    results->setAutoFillBackground(true);
    m_subject = new ElidedLabel(Qt::ElideRight, results);
    m_subject->setObjectName(u"runSubject"_s);
    m_subject->setForegroundRole(QPalette::PlaceholderText);
    QSizePolicy policy = m_subject->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // the tabs beside it stay where they are
    m_subject->setSizePolicy(policy);
    m_sides = new QTabBar(results);
    m_sides->setObjectName(u"contendSides"_s);
    m_sides->setAccessibleName(tr("Views of the run"));
    m_sides->setDrawBase(false);
    m_sides->setExpanding(false);
    m_sides->addTab(tr("Overvie&w"));
    m_sides->addTab(tr("S&tatistics and comparison"));
    m_views = new QStackedWidget(results);
    m_views->addWidget(createOverview(results));
    m_statistics = new StatisticsPanel(m_views);
    m_views->addWidget(m_statistics);
    auto* head = createRow(nullptr, kSubjectMargins, kUsualSpacing, {growing(m_subject), m_sides});
    createColumn(results, {}, 0, {head, createHairline(Qt::Horizontal, results), growing(m_views)});
    return results;
}

QWidget* ContendPage::createOverview(QWidget* results)
{
    auto* overview = new QWidget(results);
    m_verdictArea = new QWidget(overview);
    m_verdict = new VerdictCard(m_verdictArea);
    m_verdict->setObjectName(u"runVerdict"_s);
    m_tiles = new TileBoard(overview);
    m_rateChart = new ChartView(u"rateChart"_s, overview);
    m_waitChart = new ChartView(u"waitChart"_s, overview);
    for (ChartView* const chart : {m_rateChart, m_waitChart}) {
        chart->setFixedHeight(chart->minimumSizeHint().height()); // the list needs the room
    }
    m_list = new ContenderView(m_contenders, overview);
    createColumn(m_verdictArea, {}, 0,
                 {createRow(nullptr, {16, 12, 16, 12}, kUsualSpacing, {m_verdict}),
                  createHairline(Qt::Horizontal, m_verdictArea)});
    auto* charts = createRow(0, {m_rateChart, createHairline(Qt::Vertical, overview), m_waitChart});
    auto* list = createRow(nullptr, kListMargins, kUsualSpacing, {m_list});
    createColumn(overview, {}, 0, {m_verdictArea, m_tiles, charts, growing(list)});
    return overview;
}

void ContendPage::connectParts()
{
    connect(m_form, &ContendForm::changed, this, [this] {
        m_bar->setReady(m_form->order().has_value(), m_form->predictable().has_value());
    });
    connect(m_form, &ContendForm::loadRequested, this, &ContendPage::loadProtocol);
    connect(m_bar, &RunBar::startRequested, this, &ContendPage::start);
    connect(m_bar, &RunBar::pauseRequested, &m_context.runner, &service::LiveRunner::pause);
    connect(m_bar, &RunBar::resumeRequested, &m_context.runner, &service::LiveRunner::resume);
    connect(m_bar, &RunBar::stopRequested, this, &ContendPage::stop);
    connect(m_bar, &RunBar::predictRequested, this, &ContendPage::predict);
    connect(&m_predicting, &QFutureWatcherBase::finished, this, &ContendPage::takePrediction);
    connect(m_bar, &RunBar::locksRequested, this,
            [this] { Q_EMIT locksRequested(m_context.runner.progress().servers); });
    connect(m_bar, &RunBar::copyCommandRequested, this, &ContendPage::copyCommand);
    connect(m_bar, &RunBar::copyNumbersRequested, this, &ContendPage::copyNumbers);
    connect(&m_context.runner, &service::LiveRunner::progressed, this, &ContendPage::showProgress);
    connect(m_sides, &QTabBar::currentChanged, this, [this](int side) {
        m_views->setCurrentIndex(side);
        m_subject->setVisible(side == 0); // the statistics have a title of their own
    });
}

void ContendPage::setServers(const std::vector<store::Endpoint>& servers)
{
    m_form->setServers(servers);
}

void ContendPage::save(Settings& settings) const
{
    settings.contendForm = m_form->state().text();
}

void ContendPage::restore(const Settings& settings)
{
    m_form->restore(models::ContendFormState::of(settings.contendForm));
}

void ContendPage::start()
{
    const auto order = m_form->order();
    if (!order) {
        return;
    }
    if (order->servers.empty()) {
        run(*order);
        return;
    }
    m_context.prompter.ask(this, foreignServerQuestion(*order),
                           [this, order = *order](Answer answer) {
                               if (answer == Answer::Accepted) {
                                   run(order);
                               }
                           });
}

void ContendPage::run(const workload::LiveRunOrder& order)
{
    m_order = order;
    m_title = titleOf(order);
    m_subject->setFullText(m_title);
    m_list->setVisible(true);
    m_rates.clear();
    m_contenders.show({}, {});
    m_stack->setCurrentWidget(m_results);
    m_rateChart->setVisible(order.scenario.kind != workload::Scenario::Kind::Draw);
    m_context.runner.start(order);
}

/// Whatever the form says by the time the result is read.
QString ContendPage::titleOf(const workload::LiveRunOrder& order)
{
    return tr("%1 · %2 · %3")
        .arg(++m_runCount)
        .arg(models::toQString(report::subjectText(order)),
             models::shownTime(m_context.wallNow()).toString(u"HH:mm:ss"_s));
}

void ContendPage::stop()
{
    if (m_predicting.isRunning()) {
        m_predicting.cancel();
    } else {
        m_context.runner.stop();
    }
}

void ContendPage::predict()
{
    const auto order = m_form->predictable();
    if (!order || m_predicting.isRunning()) {
        return;
    }
    m_bar->setPredicting(true);
    m_predicting.setFuture(QtConcurrent::run([order = *order](QPromise<Predicted>& promise) {
        contention::Costs costs;
        costs.driver.threadCount = order.threadCount;
        const std::size_t serverCount = order.servers.empty()
                                            ? static_cast<std::size_t>(order.privateServerCount)
                                            : order.servers.size();
        promise.addResult(Predicted{order,
                                    contention::predict(*order.protocol, order.scenario, costs,
                                                        static_cast<int>(serverCount),
                                                        [&] { return !promise.isCanceled(); })});
    }));
}

void ContendPage::takePrediction()
{
    m_bar->setPredicting(false);
    const bool isCancelled = m_predicting.isCanceled() || m_predicting.future().resultCount() == 0;
    if (!isCancelled) {
        m_predicted = m_predicting.result();
    }
    if (predictedOfRun() != nullptr || (m_order && isCancelled)) {
        showProgress(m_context.runner.progress()); // beside what was measured
    } else if (!isCancelled) {
        m_order.reset();
        showPrediction();
    }
}

void ContendPage::showPrediction()
{
    const auto& [order, prediction] = *m_predicted;
    m_subject->setFullText(models::toQString(report::subjectText(order)));
    m_stack->setCurrentWidget(m_results);
    m_list->setVisible(false); // there are no contenders
    m_statistics->clear();
    m_tiles->showTiles(models::tilesOf(prediction, order.scenario, order.protocol->info()));
    models::RunFigures figures = models::figuresOf(prediction.statistics, {});
    figures.duration = order.scenario.duration;
    m_rateChart->setVisible(false); // when they were granted is not kept
    showCharts(figures);
    report::Verdict verdict;
    verdict.headline = tr("Predicted, not measured").toStdString();
    verdict.reason = contention::predictionCaveat();
    m_verdict->showVerdict(verdict, false);
    m_verdict->showHarms({}, true);
    m_bar->showPredicted();
    m_verdictArea->setVisible(true);
}

const contention::Prediction* ContendPage::predictedOfRun() const
{
    const bool isSame = m_order && m_predicted
                        && m_form->commandOf(*m_order) == m_form->commandOf(m_predicted->order);
    return isSame ? &m_predicted->prediction : nullptr;
}

void ContendPage::showProgress(const LiveRunProgress& progress)
{
    if (!m_order) {
        return; // of a run that was ordered elsewhere
    }
    m_bar->showProgress(progress);
    if (progress.phase == Phase::Running) {
        m_rates.add({progress.elapsed, progress.recentPerSecond});
    }
    m_tiles->showTiles(tilesOf(progress));
    showFigures(progress);
    nameKeysAsOnTheServer(progress);
    m_contenders.show(progress.contenders, progress.at);
    showVerdict(progress);
}

std::vector<models::RunTile> ContendPage::tilesOf(const LiveRunProgress& progress) const
{
    const protocol::ProtocolInfo& info = m_order->protocol->info();
    std::vector<models::RunTile> tiles = models::tilesOf(progress, m_order->scenario, info);
    if (const contention::Prediction* const predicted = predictedOfRun()) {
        models::addPredicted(tiles, models::tilesOf(*predicted, m_order->scenario, info));
    }
    return tiles;
}

models::RunFigures ContendPage::figuresOf(const LiveRunProgress& progress) const
{
    models::RunFigures figures = models::figuresOf(progress.statistics, {});
    figures.title = m_title;
    figures.commandLine = m_form->commandOf(*m_order);
    figures.rates = models::ratesOf(m_rates);
    figures.duration = std::max(progress.duration, progress.elapsed);
    return figures;
}

void ContendPage::showFigures(const LiveRunProgress& progress)
{
    models::RunFigures figures = figuresOf(progress);
    showCharts(figures);
    if (progress.phase == Phase::Finished) {
        figures.verdict = models::verdictWords(progress, m_order->scenario,
                                               m_order->protocol->info());
        m_kept.add(figures);
        m_statistics->setComparable(m_kept.runs());
    }
    m_statistics->showFigures(std::move(figures));
}

void ContendPage::showCharts(const models::RunFigures& figures)
{
    models::ChartContent rates = models::rateChart(figures);
    models::ChartContent waits = models::waitChart(figures);
    const trace::Histogram& wait = figures.statistics.wait;
    if (!rates.series.empty()) {
        rates.note = tr("up to %1").arg(models::numberText(m_rates.largest()));
    }
    if (wait.count() > 0) {
        waits.note = tr("p50 %1, p99 %2 · line: cumulative")
                         .arg(models::latencyText(wait.quantile(0.5)),
                              models::latencyText(wait.quantile(0.99)));
    }
    for (models::ChartContent* const content : {&rates, &waits}) {
        content->emptyText.clear(); // nothing yet
    }
    m_rateChart->showContent(rates, {}, {});
    m_waitChart->showContent(waits, {}, {});
}

void ContendPage::nameKeysAsOnTheServer(const LiveRunProgress& progress)
{
    workload::Scenario scenario = m_order->scenario;
    if (!progress.keyPrefix.empty()) {
        scenario.keyPrefix = progress.keyPrefix;
    }
    m_contenders.setScenario(scenario);
}

void ContendPage::showVerdict(const LiveRunProgress& progress)
{
    const report::Verdict verdict = models::runVerdict(progress, m_order->scenario,
                                                       m_order->protocol->info());
    const bool hasVerdict = !verdict.headline.empty();
    if (hasVerdict) {
        m_verdict->showVerdict(verdict);
        const protocol::ProtocolInfo& info = m_order->protocol->info();
        m_verdict->showHarms(models::harmsIn(progress, m_order->scenario, info),
                             models::promisesExclusion(info));
    }
    m_verdictArea->setVisible(hasVerdict);
}

void ContendPage::copyCommand()
{
    const auto order = m_order ? m_order : m_form->order();
    if (order) {
        QGuiApplication::clipboard()->setText(m_form->commandOf(*order));
    }
}

void ContendPage::copyNumbers()
{
    QStringList parts;
    if (m_order) {
        const LiveRunProgress& progress = m_context.runner.progress();
        const report::Verdict verdict = models::runVerdict(progress, m_order->scenario,
                                                           m_order->protocol->info());
        parts += m_form->commandOf(*m_order);
        if (!verdict.headline.empty()) {
            parts += verdict.reason.empty() ? models::toQString(verdict.headline)
                                            : tr("%1. %2").arg(models::toQString(verdict.headline),
                                                               models::toQString(verdict.reason));
        }
        parts += models::tilesAsText(tilesOf(progress));
    } else if (m_predicted) {
        auto [order, prediction] = *m_predicted;
        if (!order.servers.empty()) { // none of them took part
            order.privateServerCount = static_cast<int>(order.servers.size());
            order.servers.clear();
        }
        parts += m_form->commandOf(order) + u" --predict"_s;
        parts += models::toQString(contention::predictionCaveat());
        parts += models::tilesAsText(models::tilesOf(prediction, order.scenario,
                                                     order.protocol->info()));
    }
    if (!parts.isEmpty()) {
        QGuiApplication::clipboard()->setText(parts.join(u"\n\n"_s) + u'\n');
    }
}

void ContendPage::loadProtocol()
{
    m_context.prompter.chooseFile(this, {tr("Load a protocol file"), tr("Protocol files (*.json)")},
                                  [this](const QString& path) { readProtocolFile(path); });
}

void ContendPage::readProtocolFile(const QString& path)
{
    const auto complain = [this](const QString& detail) {
        m_context.prompter.tell(this, tr("Protocol file"),
                                tr("The file is not a valid lock protocol."), detail);
    };
    const models::ReadFile file = models::readFile(path, files::kProtocolFileMax);
    if (!file.isRead()) {
        complain(tr("%1: %2").arg(path, file.problem));
        return;
    }
    const QByteArray& text = file.content;
    auto read = protocol::readProtocol({text.constData(), static_cast<std::size_t>(text.size())});
    if (const auto* error = std::get_if<protocol::ProtocolFileError>(&read)) {
        complain(
            tr("%1, line %2: %3").arg(path).arg(error->line).arg(models::toQString(error->reason)));
        return;
    }
    const models::ProtocolPtr own(
        std::move(std::get<std::unique_ptr<protocol::LockProtocol>>(read)));
    m_context.protocols.addOwn(own, path, QString::fromUtf8(text));
    m_form->picker().choose(models::toQString(own->info().id));
}

} // namespace lockscope::widgets
