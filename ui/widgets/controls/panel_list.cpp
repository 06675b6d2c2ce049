#include "ui/widgets/controls/panel_list.h"

#include <QTreeView>

namespace lockscope::widgets {

void makePanelList(QTreeView& list)
{
    list.setFrameShape(QFrame::NoFrame);
    list.setUniformRowHeights(true);
    list.setAllColumnsShowFocus(true);
    list.setEditTriggers(QAbstractItemView::NoEditTriggers);
    list.viewport()->setBackgroundRole(QPalette::Window);
}

} // namespace lockscope::widgets
