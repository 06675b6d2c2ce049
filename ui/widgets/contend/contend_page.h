#pragma once

#include "core/kernel/contention/prediction.h"
#include "core/service/live_runner.h"
#include "ui/models/contend/contender_table_model.h"
#include "ui/models/contend/kept_runs.h"
#include "ui/models/contend/run_figures.h"
#include "ui/models/contend/run_tiles.h"
#include "ui/models/protocol_list_model.h"

#include <QFutureWatcher>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QStackedWidget;
class QTabBar;

namespace lockscope::widgets {

class ChartView;
class ContendForm;
class ContenderView;
class ElidedLabel;
class Prompter;
struct Settings;
class RunBar;
class StatisticsPanel;
class TileBoard;
class VerdictCard;

/// Live contention: at the left what is to run next, at the right how the run is going and what
/// came of it. Runs that are over are kept to be compared with.
class ContendPage : public QWidget {
    Q_OBJECT
public:
    struct Context {
        service::LiveRunner& runner;
        Prompter& prompter;
        models::ProtocolListModel& protocols;
        std::function<WallTime()> wallNow; // tells runs apart
    };

    explicit ContendPage(Context context, QWidget* parent = nullptr);
    ~ContendPage() override;

    /// The servers of the window.
    void setServers(const std::vector<store::Endpoint>& servers);

    /// What is on the form, from one run of the program to the next.
    void save(Settings& settings) const;
    void restore(const Settings& settings);

Q_SIGNALS:
    /// The user wants to see the locks of the run in the table.
    void locksRequested(const std::vector<lockscope::store::Endpoint>& servers);

private:
    QWidget* createResults();
    QWidget* createOverview(QWidget* results);
    QWidget* createEmptyState();
    void connectParts();

    void start();
    void run(const workload::LiveRunOrder& order);
    QString titleOf(const workload::LiveRunOrder& order);
    void stop();
    void predict();
    void takePrediction();
    void showPrediction();
    /// Of the run that is shown; nullptr: none was asked for.
    const contention::Prediction* predictedOfRun() const;
    void showProgress(const workload::LiveRunProgress& progress);
    std::vector<models::RunTile> tilesOf(const workload::LiveRunProgress& progress) const;
    models::RunFigures figuresOf(const workload::LiveRunProgress& progress) const;
    void showFigures(const workload::LiveRunProgress& progress);
    void showCharts(const models::RunFigures& figures);
    void nameKeysAsOnTheServer(const workload::LiveRunProgress& progress);
    void showVerdict(const workload::LiveRunProgress& progress);
    void copyCommand();
    void copyNumbers();
    void loadProtocol();
    void readProtocolFile(const QString& path);

    Context m_context;
    /// A run that was computed instead.
    struct Predicted {
        workload::LiveRunOrder order;
        contention::Prediction prediction;
    };

    std::optional<workload::LiveRunOrder> m_order; // of the run that is shown
    QString m_title;                               // of that
    int m_runCount = 0;                            // ever started
    models::KeptRuns m_kept;
    std::optional<Predicted> m_predicted;
    QFutureWatcher<Predicted> m_predicting;
    models::ContenderTableModel m_contenders;
    models::RateSeries m_rates;

    ContendForm* m_form = nullptr;
    RunBar* m_bar = nullptr;
    QStackedWidget* m_stack = nullptr;
    QWidget* m_results = nullptr;
    ElidedLabel* m_subject = nullptr;
    QTabBar* m_sides = nullptr;
    QStackedWidget* m_views = nullptr;
    QWidget* m_verdictArea = nullptr;
    VerdictCard* m_verdict = nullptr;
    TileBoard* m_tiles = nullptr;
    ContenderView* m_list = nullptr;
    ChartView* m_rateChart = nullptr;
    ChartView* m_waitChart = nullptr;
    StatisticsPanel* m_statistics = nullptr;
};

} // namespace lockscope::widgets
