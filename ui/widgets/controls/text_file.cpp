#include "ui/widgets/controls/text_file.h"

#include "ui/models/ui_text.h"

#include <QFile>
#include <QSaveFile>

namespace lockscope::widgets {

QString writeTextFile(const QString& path, const QString& text)
{
    QSaveFile file(path);
    const QByteArray bytes = text.toUtf8();
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size()
                           && file.commit();
    return isWritten ? QString() : UiText::tr("%1: %2").arg(path, file.errorString());
}

QString resourceText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace lockscope::widgets
