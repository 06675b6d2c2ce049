#include "ui/widgets/controls/save_text.h"

#include "ui/models/ui_text.h"
#include "ui/models/user_files.h"
#include "ui/widgets/controls/prompter.h"

namespace lockscope::widgets {

void saveText(Prompter& prompter, QWidget& window, const FileQuestion& question,
              const QByteArray& content)
{
    prompter.chooseSaveFile(&window, question, [&prompter, &window, content](const QString& path) {
        const QString problem = models::writeFile(path, content);
        if (!problem.isEmpty()) {
            prompter.tell(&window, UiText::tr("Could not save the file"), problem);
        }
    });
}

} // namespace lockscope::widgets
