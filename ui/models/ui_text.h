#pragma once

#include <QCoreApplication>

namespace lockscope {

/// The way of every text of the window to a translator: what has Q_OBJECT has a tr() of its own,
/// everything else says UiText::tr("…"). `lupdate` finds both, so the text stands there literally.
class UiText {
    Q_DECLARE_TR_FUNCTIONS(UiText)
};

/// From now on the texts of the kernel take the same way. Once, before other threads begin.
void translateKernelTexts();

} // namespace lockscope
