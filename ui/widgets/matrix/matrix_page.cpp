#include "ui/widgets/matrix/matrix_page.h"

#include "core/kernel/protocol/catalogue.h"
#include "ui/widgets/matrix/matrix_bar.h"
#include "ui/widgets/matrix/matrix_detail.h"
#include "ui/widgets/matrix/matrix_legend.h"
#include "ui/widgets/matrix/matrix_view.h"

#include <QDir>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixFill;
using models::ProtocolListModel;
using models::ProtocolPtr;

namespace {

/// In the order of the catalogue, as on the command line; own ones behind them.
std::vector<ProtocolPtr> inOrder(const ProtocolListModel& list)
{
    std::vector<ProtocolPtr> protocols;
    for (int row = 0; row < list.rowCount(); ++row) {
        if (ProtocolPtr protocol = list.protocolAt(row)) {
            protocols.push_back(std::move(protocol));
        }
    }
    const auto builtins = protocol::builtinProtocols();
    std::ranges::stable_sort(protocols, {}, [&builtins](const ProtocolPtr& protocol) {
        return std::ranges::find(builtins, protocol.get()) - builtins.begin();
    });
    return protocols;
}

} // namespace

MatrixPage::MatrixPage(Context context, QWidget* parent)
    : QWidget(parent),
      m_context(std::move(context)),
      m_matrix(m_context.faults),
      m_fill({m_context.searcher, m_context.cache, m_matrix}, m_context.bounds)
{
    setObjectName(u"matrixPage"_s);
    createParts();
    connectParts();
    takeProtocols();
}

MatrixPage::~MatrixPage()
{
    m_fill.disconnect(this);
    m_fill.stop();
    delete m_view; // before the model, which is a member
}

void MatrixPage::createParts()
{
    m_bar = new MatrixBar(this);
    m_view = new MatrixView(m_matrix, this);
    m_detail = new MatrixDetail(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(new MatrixLegend(this));
    layout->addWidget(m_view, 1);
    layout->addWidget(m_detail);
}

void MatrixPage::connectParts()
{
    connect(m_bar, &MatrixBar::computeRequested, this, &MatrixPage::compute);
    connect(m_bar, &MatrixBar::stopRequested, &m_fill, &MatrixFill::stop);
    connect(m_bar, &MatrixBar::exportRequested, this, &MatrixPage::askWhereTo);
    connect(m_view, &MatrixView::cellChosen, this, &MatrixPage::open);
    connect(m_view, &MatrixView::cellLookedAt, m_detail, &MatrixDetail::showCell);
    connect(m_detail, &MatrixDetail::openRequested, this, &MatrixPage::open);
    connect(&m_fill, &MatrixFill::progressed, this, &MatrixPage::showProgress);
    connect(&m_matrix, &QAbstractItemModel::dataChanged, this,
            [this] { m_detail->showCell(m_view->currentIndex()); });
    ProtocolListModel& protocols = m_context.protocols;
    connect(&protocols, &QAbstractItemModel::rowsInserted, this, &MatrixPage::takeProtocols);
    connect(&protocols, &QAbstractItemModel::dataChanged, this, &MatrixPage::takeProtocols);
}

void MatrixPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_fill.phase() == MatrixFill::Phase::Idle) {
        m_fill.start();
    }
}

void MatrixPage::takeProtocols()
{
    m_matrix.setProtocols(inOrder(m_context.protocols));
    m_detail->showCell({});
    if (m_fill.phase() == MatrixFill::Phase::Finished) {
        m_fill.start();
    }
    showProgress();
}

void MatrixPage::compute()
{
    if (m_matrix.knownCount() == m_matrix.rowCount()) {
        m_fill.startAnew();
    } else {
        m_fill.start();
    }
}

void MatrixPage::showProgress()
{
    m_bar->showProgress(m_fill, m_matrix);
    m_view->setBusyRow(m_fill.current() ? m_matrix.rowOf(m_fill.current()) : -1);
}

void MatrixPage::open(const QModelIndex& cell)
{
    Q_EMIT cellOpened({{m_fill.taskOf(cell)}}, {m_matrix.cellAt(cell.row(), cell.column())});
}

void MatrixPage::askWhereTo(MatrixFormat format)
{
    m_context.prompter.chooseSaveFile(this, saveQuestion(format),
                                      [this, format](const QString& path) { save(format, path); });
}

void MatrixPage::save(MatrixFormat format, const QString& path)
{
    const QString reason = saveMatrix(m_matrix, format, path, font(), palette());
    if (reason.isEmpty()) {
        m_bar->showNotice(tr("saved as %1").arg(QDir::toNativeSeparators(path)));
        return;
    }
    Question notice;
    notice.title = tr("Export the matrix");
    notice.text = tr("Could not save the file.");
    notice.detail = tr("%1: %2").arg(path, reason);
    notice.acceptLabel = tr("OK");
    m_context.prompter.ask(this, notice, [](Answer) {});
}

} // namespace lockscope::widgets
