#include "ui/models/user_files.h"

#include "core/files/whole_file.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QFile>

#include <string>
#include <string_view>
#include <variant>

namespace lockscope::models {

ReadFile readFile(const QString& path, std::size_t sizeMax)
{
    if (path.startsWith(u':')) {
        QFile resource(path);
        return resource.open(QIODevice::ReadOnly) ? ReadFile{resource.readAll(), {}}
                                                  : ReadFile{{}, resource.errorString()};
    }
    const auto read = files::readWhole(QFile::encodeName(path).toStdString(), sizeMax);
    if (const auto* const failure = std::get_if<files::Unreadable>(&read)) {
        return {{}, toQString(failure->reason)};
    }
    return {QByteArray::fromStdString(std::get<std::string>(read)), {}};
}

QString writeFile(const QString& path, const QByteArray& content)
{
    const std::string_view bytes(content.constData(), static_cast<std::size_t>(content.size()));
    const std::string reason = files::writeWhole(QFile::encodeName(path).toStdString(), bytes);
    return reason.empty() ? QString() : UiText::tr("%1: %2").arg(path, toQString(reason));
}

QByteArray resourceBytes(const QString& path)
{
    return readFile(path, 0).content;
}

QString resourceText(const QString& path)
{
    return QString::fromUtf8(resourceBytes(path));
}

} // namespace lockscope::models
