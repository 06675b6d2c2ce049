#include "app/window_pages.h"

#include "ui/widgets/audit/audit_window.h"
#include "ui/widgets/contend/contend_page.h"
#include "ui/widgets/contend/run_servers_watch.h"
#include "ui/widgets/lab/lab_page.h"
#include "ui/widgets/matrix/matrix_page.h"
#include "ui/widgets/shell/actions.h"

namespace lockscope::app {

using namespace Qt::StringLiterals;
using namespace widgets;

namespace {

/// Opens the window with the past attempts, which is made when it is wanted first.
QAction* auditAction(MainWindow& window, const WindowServices& services)
{
    QAction* const action = createAction(&window, u"actionAudit"_s,
                                         MainWindow::tr("A&udit of releases…"));
    QObject::connect(action, &QAction::triggered, &window,
                     [&window, read = services.readAudit, &prompter = services.prompter] {
                         auto* audit = window.findChild<AuditWindow*>();
                         if (audit == nullptr) {
                             audit = new AuditWindow(read, prompter, &window);
                         }
                         audit->show();
                         audit->raise();
                         audit->activateWindow();
                     });
    return action;
}

} // namespace

WindowPages addPages(MainWindow& window, const WindowServices& services)
{
    auto* const protocols = new models::ProtocolListModel(&window);
    Prompter& prompter = services.prompter;
    Settings& settings = services.settings.values();

    auto* const locks = new LocksController({window, services.createWatch, services.tester,
                                             services.keeper, *protocols, services.formats,
                                             services.secrets, services.hooks, services.notifier,
                                             prompter, settings, services.wallNow,
                                             services.watchOptions, services.mayWrite});
    Page locksPage = locks->page();
    locksPage.help = u"locks.md"_s;
    locksPage.actions += auditAction(window, services);
    window.addPage(locksPage);

    auto* const lab = new LabPage({services.searcher, services.labRunner, services.prover,
                                   *protocols, prompter, settings},
                                  &window);
    Page labPage{u"lab"_s, MainWindow::tr("L&ab"), lab};
    labPage.help = u"lab.md"_s;
    labPage.restore = [lab](const Settings& kept) { lab->restore(kept); };
    labPage.save = [lab](Settings& kept) { lab->save(kept); };
    labPage.closing = [&prover = services.prover] { prover.cancel(); };
    labPage.mayClose = [lab](const std::function<void()>& close) { return lab->mayClose(close); };
    window.addPage(labPage);

    auto* const matrix = new MatrixPage({services.matrixSearcher, services.remedySearcher,
                                         *protocols, services.cells, prompter, settings},
                                        &window);
    Page matrixPage{u"matrix"_s, MainWindow::tr("&Matrix"), matrix};
    matrixPage.help = u"lab.md#the-matrix"_s;
    window.addPage(matrixPage);
    QObject::connect(matrix, &MatrixPage::cellOpened, lab,
                     [&window, lab](const auto& order, const auto& reports, auto promise) {
                         lab->showCell(order, reports, promise);
                         window.showPage(u"lab"_s);
                     });

    auto* const contend = new ContendPage({services.runner, prompter, *protocols, services.wallNow},
                                          &window);
    Page page{u"contend"_s, MainWindow::tr("&Contend"), contend};
    page.help = u"contention.md"_s;
    page.restore = [contend](const Settings& kept) { contend->restore(kept); };
    page.save = [contend](Settings& kept) { contend->save(kept); };
    page.closing = [&runner = services.runner] { runner.stop(); };
    window.addPage(page);
    QObject::connect(locks, &LocksController::watchedChanged, contend, &ContendPage::setServers);

    auto* const visit = new RunServersWatch(
        {services.runner, [locks](const auto& servers) { return locks->isWatched(servers); },
         [locks](const auto& servers) { return locks->watch(servers); },
         [locks](const auto& servers) { return locks->closeServers(servers); }},
        &window);
    QObject::connect(contend, &ContendPage::locksRequested, visit,
                     [&window, visit](const auto& servers) {
                         visit->begin(servers);
                         window.showPage(u"locks"_s);
                     });
    QObject::connect(visit, &RunServersWatch::ended, &window, [&window] {
        window.showNotice(MainWindow::tr("The run is over and its private servers are stopped. "
                                         "They are no longer shown."));
    });

    window.restore();
    return {*locks, *lab};
}

} // namespace lockscope::app
