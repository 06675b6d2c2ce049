#include "ui/models/ui_text.h"

#include "core/kernel/base/kernel_text.h"

namespace lockscope {

void translateKernelTexts()
{
    KernelText::translateWith([](const char* source) {
        return QCoreApplication::translate("KernelText", source).toStdString();
    });
}

} // namespace lockscope
