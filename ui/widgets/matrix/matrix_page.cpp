#include "ui/widgets/matrix/matrix_page.h"

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/world/fault_group.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/matrix/advice_dialog.h"
#include "ui/widgets/matrix/matrix_bar.h"
#include "ui/widgets/matrix/matrix_lens.h"
#include "ui/widgets/matrix/matrix_painter.h"
#include "ui/widgets/matrix/matrix_view.h"
#include "ui/widgets/shell/settings.h"

#include <QDir>
#include <QModelIndex>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixFill;
using models::MatrixModel;
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

/// The columns that were unfolded in the last session.
std::vector<world::FaultGroup> groupsOf(const QStringList& ids)
{
    std::vector<world::FaultGroup> groups;
    for (const QString& id : ids) {
        if (const auto group = world::faultGroupOf(id.toStdString())) {
            groups.push_back(*group);
        }
    }
    return groups;
}

constexpr QMargins kLegendMargins(16, 4, 16, 4);

} // namespace

/// What the marks of the matrix mean, in words.
class MatrixLegend : public QWidget {
public:
    explicit MatrixLegend(const MatrixModel& matrix, QWidget* parent = nullptr)
        : QWidget(parent),
          m_matrix(matrix)
    {
        setObjectName(u"matrixLegend"_s);
        setAccessibleName(MatrixPage::tr(
            "Legend: a number is the number of steps in which what must not happen does so, in "
            "parentheses where the protocol does not promise otherwise; ok: it does not happen; ok "
            "with a question mark: not up to the bound; a dot: it could have happened in no run; a "
            "dash: the fault has no effect"));
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }

    bool hasHeightForWidth() const override { return true; }

    int heightForWidth(int width) const override
    {
        const QRect room = QRect(0, 0, width, 0).marginsRemoved(kLegendMargins);
        return layMatrixLegend(nullptr, room, m_matrix.never(), font(), palette())
               + kLegendMargins.top() + kLegendMargins.bottom();
    }

    QSize sizeHint() const override
    {
        return {fontMetrics().averageCharWidth() * 40, heightForWidth(width())};
    }

    /// Other harms are looked at.
    void refresh()
    {
        updateGeometry();
        update();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override
    {
        QPainter painter(this);
        layMatrixLegend(&painter, rect().marginsRemoved(kLegendMargins), m_matrix.never(), font(),
                        palette());
    }

private:
    const MatrixModel& m_matrix;
};

/// What there is to say about one cell of the matrix, below the grid.
class MatrixPage::Detail : public Strip {
public:
    /// `open` shows the counterexample of a cell.
    Detail(std::function<void(const QModelIndex&)> open, QWidget* parent)
        : Strip(Qt::TopEdge, parent),
          m_openCell(std::move(open))
    {
        setObjectName(u"matrixDetail"_s);
        m_title = new ElidedLabel(Qt::ElideRight, this);
        m_title->setObjectName(u"cellTitle"_s);
        makeBold(*m_title);
        m_text = new ElidedLabel(Qt::ElideRight, this);
        m_text->setObjectName(u"cellText"_s);
        m_text->setForegroundRole(QPalette::PlaceholderText);
        m_open = createButton(
            u"openCellButton"_s, MatrixPage::tr("Open in the &Lab"), this,
            MatrixPage::tr("Show the counterexample on a timeline (Enter, or click the cell)"));
        auto* texts = createColumn(2, {m_title, m_text});
        createRow(this, {16, 7, 16, 7}, 16, {growing(texts), m_open});
        connect(m_open, &QPushButton::clicked, this, [this] { m_openCell(m_cell); });
        showCell({});
    }

    /// Invalid: what to do here.
    void showCell(const QModelIndex& cell)
    {
        m_cell = cell;
        m_title->setFullText(cell.isValid() ? cell.data(MatrixModel::TitleRole).toString()
                                            : MatrixPage::tr("Lock protocols under faults"));
        m_text->setFullText(
            cell.isValid()
                ? cell.data(MatrixModel::DetailRole).toString()
                : MatrixPage::tr("Every protocol is searched under every fault in the simulation. "
                                 "Select a cell to open its shortest counterexample in the Lab."));
        m_open->setEnabled(cell.isValid() && MatrixModel::isHarmed(cell));
    }

private:
    std::function<void(const QModelIndex&)> m_openCell;
    QPersistentModelIndex m_cell;
    ElidedLabel* m_title = nullptr;
    ElidedLabel* m_text = nullptr;
    QPushButton* m_open = nullptr;
};

MatrixPage::MatrixPage(Context context, QWidget* parent)
    : QWidget(parent),
      m_context(std::move(context)),
      m_matrix(m_context.faults),
      m_fill({m_context.searcher, m_context.cache, m_matrix}, m_context.bounds)
{
    setObjectName(u"matrixPage"_s);
    m_matrix.setUnfolded(groupsOf(m_context.settings.matrixUnfoldedGroups));
    createParts();
    connectParts();
    takeProtocols();
}

/// One dialog is enough: it follows the matrix.
void MatrixPage::advise()
{
    if (m_advice == nullptr) {
        m_advice = new AdviceDialog(m_matrix, m_context.remedySearcher, m_context.bounds, this);
        m_advice->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_advice->show();
    m_advice->raise();
    m_advice->activateWindow();
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
    m_detail = new Detail([this](const QModelIndex& cell) { open(cell); }, this);
    auto* const lens = new MatrixLens(m_matrix, m_context.settings, this);
    connect(lens, &MatrixLens::adviceWanted, this, &MatrixPage::advise);
    m_legend = new MatrixLegend(m_matrix, this);
    createColumn(this, {}, 0, {m_bar, lens, m_legend, growing(m_view), m_detail});
}

void MatrixPage::connectParts()
{
    connect(m_bar, &MatrixBar::computeRequested, this, &MatrixPage::compute);
    connect(m_bar, &MatrixBar::stopRequested, &m_fill, &MatrixFill::stop);
    connect(m_bar, &MatrixBar::sortRequested, &m_matrix, &MatrixModel::sortRows);
    connect(m_bar, &MatrixBar::exportRequested, this, &MatrixPage::askWhereTo);
    connect(m_view, &MatrixView::cellChosen, this, &MatrixPage::open);
    connect(m_view, &MatrixView::groupToggled, this, &MatrixPage::toggle);
    connect(m_view, &MatrixView::cellLookedAt, m_detail, &Detail::showCell);
    connect(&m_fill, &MatrixFill::progressed, this, &MatrixPage::showProgress);
    connect(&m_matrix, &QAbstractItemModel::dataChanged, this,
            [this] { m_detail->showCell(m_view->currentIndex()); });
    connect(&m_matrix, &QAbstractItemModel::modelReset, this, &MatrixPage::refresh);
    connect(&m_matrix, &QAbstractItemModel::layoutChanged, this, &MatrixPage::refresh);
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

/// Rows have moved, or columns have come and gone.
void MatrixPage::refresh()
{
    m_legend->refresh();
    m_detail->showCell(m_view->currentIndex());
    showProgress();
}

/// It is remembered.
void MatrixPage::toggle(world::FaultGroup group)
{
    std::vector<world::FaultGroup> unfolded = m_matrix.unfolded();
    if (std::erase(unfolded, group) == 0) {
        unfolded.push_back(group);
    }
    m_context.settings.matrixUnfoldedGroups.clear();
    for (const world::FaultGroup each : unfolded) {
        m_context.settings.matrixUnfoldedGroups += models::toQString(idOf(each));
    }
    m_matrix.setUnfolded(std::move(unfolded));
}

void MatrixPage::open(const QModelIndex& cell)
{
    const report::CellView view = m_matrix.viewAt(cell.row(), cell.column());
    Q_EMIT cellOpened({{m_fill.taskOf(cell)}}, {m_matrix.cellAt(cell.row(), cell.column())},
                      view.verdict->result.promise);
}

void MatrixPage::askWhereTo(MatrixFormat format)
{
    m_context.prompter.chooseSaveFile(this, saveQuestion(format),
                                      [this, format](const QString& path) { save(format, path); });
}

void MatrixPage::save(MatrixFormat format, const QString& path)
{
    const QString problem = saveMatrix(m_matrix, format, path, font(), palette());
    if (problem.isEmpty()) {
        m_bar->showNotice(tr("saved as %1").arg(QDir::toNativeSeparators(path)));
        return;
    }
    m_context.prompter.tell(this, tr("Export the matrix"), tr("Could not save the file."), problem);
}

} // namespace lockscope::widgets
