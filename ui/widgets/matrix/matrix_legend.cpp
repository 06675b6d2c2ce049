#include "ui/widgets/matrix/matrix_legend.h"

#include "ui/widgets/matrix/matrix_painter.h"

#include <QPainter>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr QMargins kMargins(16, 4, 16, 4);

} // namespace

MatrixLegend::MatrixLegend(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"matrixLegend"_s);
    setAccessibleName(
        tr("Legend: a number is the number of steps in which a promise breaks; a number in "
           "parentheses is a violation of something not promised; ok: no violation; ok with a "
           "question mark: no violation up to the bound; a dash: the fault has no effect"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

int MatrixLegend::heightForWidth(int width) const
{
    const QRect room = QRect(0, 0, width, 0).marginsRemoved(kMargins);
    return layMatrixLegend(nullptr, room, font(), palette()) + kMargins.top() + kMargins.bottom();
}

QSize MatrixLegend::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 40, heightForWidth(width())};
}

void MatrixLegend::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    layMatrixLegend(&painter, rect().marginsRemoved(kMargins), font(), palette());
}

} // namespace lockscope::widgets
