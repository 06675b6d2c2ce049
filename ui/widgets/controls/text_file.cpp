#include "ui/widgets/controls/text_file.h"

#include "ui/models/ui_text.h"

#include <QFile>
#include <QSaveFile>

namespace lockscope::widgets {

QString writeFile(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(content) == content.size()
                           && file.commit();
    return isWritten ? QString() : UiText::tr("%1: %2").arg(path, file.errorString());
}

QString resourceText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace lockscope::widgets
