#pragma once

#include "core/kernel/report/run/saved_protocol.h"
#include "core/service/proof_runner.h"
#include "ui/models/lab/lab_activity.h"
#include "ui/models/protocol_list_model.h"

#include <QPointer>
#include <QWidget>

#include <functional>
#include <optional>

class QStackedWidget;
class QTabWidget;

namespace lockscope::widgets {

class ClientProof;
class LabBar;
class LabForm;
class Prompter;
class RunView;
class SearchedRun;
struct Settings;

/// The laboratory: at the left what is to be tried, at the right the runs that were, each in a tab:
/// searches for a way to break it, random runs, and live ones.
class LabPage : public QWidget {
    Q_OBJECT
public:
    struct Context {
        service::SearchRunner& searcher;
        service::LiveRunner& runner; // of this page alone
        service::ProofRunner& prover;
        models::ProtocolListModel& protocols;
        Prompter& prompter;
        Settings& settings;
    };

    explicit LabPage(Context context, QWidget* parent = nullptr);
    ~LabPage() override;

    /// Shows a cell of the matrix in a tab of its own. The order has one task.
    void showCell(const service::SearchOrder& order, const std::vector<report::CellReport>& reports,
                  protocol::Promise promise);
    /// Shows what is in a file, or says why it cannot: a run or a counterexample in a tab of its
    /// own, a scenario in the form.
    void openFile(const QString& path);

    /// What is on the form, and the custom protocols of the list, which are there for the pages
    /// restored later as well.
    void save(Settings& settings) const;
    void restore(const Settings& settings);

    /// As of Page::mayClose: of a protocol that is being written.
    bool mayClose(const std::function<void()>& close);

private:
    void openRun(const QString& path);
    QWidget* createEmptyState();
    void createTabs();
    void connectParts();

    void find();
    void simulate();
    void contendLive();
    void startSearch(service::SearchOrder order, const QString& command);
    void showReports(const service::SearchOrder& order,
                     const std::vector<report::CellReport>& reports, const QString& command,
                     std::optional<protocol::Promise> promise = std::nullopt);
    void showProgress(const service::SearchProgress& progress);
    void showFindings();
    void showEnd();
    void setPaused(bool isPaused);
    void stop();
    RunView& addRun(const QString& name, const QString& command);
    RunView& addRunBehind(const QString& name, const QString& command);
    void bringToFront(RunView& view);
    report::SavedProtocol savedProtocol(const models::ProtocolPtr& protocol) const;
    RunView* currentRun() const;
    void closeRun(int index);
    void refresh();
    void copyCommand();
    void chooseFile();
    void compareRuns();

    Context m_context;
    std::optional<service::SearchOrder> m_order; // of the search that is under way
    QString m_command;                           // of that
    std::optional<Duration> m_tellingSince;      // of that, while its stories are shortened
    bool m_hasShownFindings = false;             // of that
    QPointer<SearchedRun> m_findings;            // null: not shown, or closed
    int m_runCount = 0;                          // ever shown

    LabForm* m_form = nullptr;
    LabBar* m_bar = nullptr;
    QStackedWidget* m_stack = nullptr;
    QTabWidget* m_runs = nullptr;
    ClientProof* m_proof = nullptr;
};

} // namespace lockscope::widgets
