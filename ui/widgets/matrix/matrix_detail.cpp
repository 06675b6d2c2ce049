#include "ui/widgets/matrix/matrix_detail.h"

#include "ui/models/matrix/matrix_model.h"
#include "ui/widgets/controls/labels.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::MatrixModel;

MatrixDetail::MatrixDetail(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"matrixDetail"_s);
    m_title = new ElidedLabel(Qt::ElideRight, this);
    m_title->setObjectName(u"cellTitle"_s);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_text = new ElidedLabel(Qt::ElideRight, this);
    m_text->setObjectName(u"cellText"_s);
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_open = new QPushButton(tr("Open in the &Lab"), this);
    m_open->setObjectName(u"openCellButton"_s);
    m_open->setToolTip(tr("Show the counterexample on a timeline (Enter, or click the cell)"));
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_title);
    texts->addWidget(m_text);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 7, 16, 7);
    layout->setSpacing(16);
    layout->addLayout(texts, 1);
    layout->addWidget(m_open);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(m_cell); });
    showCell({});
}

void MatrixDetail::showCell(const QModelIndex& cell)
{
    m_cell = cell;
    m_title->setFullText(cell.isValid() ? cell.data(MatrixModel::TitleRole).toString()
                                        : tr("Lock protocols under faults"));
    m_text->setFullText(cell.isValid()
                            ? cell.data(MatrixModel::DetailRole).toString()
                            : tr("Every protocol is searched under every fault in the simulation. "
                                 "Select a cell to open its shortest counterexample in the Lab."));
    m_open->setEnabled(cell.isValid() && MatrixModel::isBroken(cell));
}

void MatrixDetail::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, 0, width(), 0);
}

} // namespace lockscope::widgets
