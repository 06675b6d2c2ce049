#include "ui/widgets/controls/thin_tables.h"

#include <QColor>
#include <QTextTable>

namespace lockscope::widgets {

namespace {

constexpr int kCellPadding = 4;

} // namespace

void thinTables(const QTextFrame& frame, const QColor& hairline)
{
    for (QTextFrame* const child : frame.childFrames()) {
        if (auto* const table = qobject_cast<QTextTable*>(child)) {
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid); // the others have no colour
            format.setBorderBrush(hairline);
            format.setBorderCollapse(true);
            format.setCellPadding(kCellPadding);
            table->setFormat(format);
        }
    }
}

} // namespace lockscope::widgets
