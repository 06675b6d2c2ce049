#pragma once

class QTreeView;

namespace lockscope::widgets {

/// Makes it one of the lists of this window's panels: without a frame, on the ground of the window,
/// with rows of one height that are chosen as a whole, and nothing to edit. Whether rows have rows
/// below them is the list's own matter.
void makePanelList(QTreeView& list);

} // namespace lockscope::widgets
