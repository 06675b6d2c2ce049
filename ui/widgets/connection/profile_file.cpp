#include "ui/widgets/connection/profile_file.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"
#include "ui/widgets/connection/server_profiles.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kVersion = 1;

QJsonObject objectOf(const ServerProfile& profile)
{
    return {{u"name"_s, profile.name},
            {u"folder"_s, profile.folder},
            {u"urls"_s, QJsonArray::fromStringList(profile.urls)},
            {u"environment"_s, profile.environment},
            {u"readOnly"_s, profile.isReadOnly},
            {u"grouping"_s, profile.grouping}};
}

ServerProfile readProfile(const QJsonObject& object)
{
    ServerProfile profile;
    profile.name = object.value(u"name").toString();
    profile.folder = object.value(u"folder").toString();
    profile.environment = object.value(u"environment").toString();
    profile.isReadOnly = object.value(u"readOnly").toBool();
    const QString grouping = object.value(u"grouping").toString();
    profile.grouping = models::toQString(store::idOf(store::groupingOfId(grouping.toStdString())));
    for (const auto& url : object.value(u"urls").toArray()) {
        profile.urls += url.toString();
    }
    return profile;
}

/// With the addresses as Lockscope writes them, which have no passwords.
ServerProfile withoutSecrets(const ServerProfile& profile)
{
    ServerProfile clean = profile;
    clean.urls = profileOf(endpointsOf(profile)).urls;
    return clean;
}

ReadProfiles problem(const QString& sentence)
{
    return {{}, sentence};
}

} // namespace

QByteArray profilesToJson(const QList<ServerProfile>& profiles)
{
    QJsonArray list;
    for (const ServerProfile& profile : profiles) {
        list.append(objectOf(withoutSecrets(profile)));
    }
    return QJsonDocument(QJsonObject{{u"kind"_s, u"lockscope-profiles"_s},
                                     {u"version"_s, kVersion},
                                     {u"profiles"_s, list}})
        .toJson();
}

ReadProfiles profilesFromJson(const QByteArray& json)
{
    const QJsonObject file = QJsonDocument::fromJson(json).object();
    if (file.value(u"kind").toString() != u"lockscope-profiles"_s) {
        return problem(UiText::tr("this is no file of profiles that Lockscope exported"));
    }
    if (file.value(u"version").toInt() != kVersion) {
        return problem(UiText::tr("it was written by a newer version of Lockscope"));
    }
    ReadProfiles read;
    for (const auto& value : file.value(u"profiles").toArray()) {
        const ServerProfile profile = readProfile(value.toObject());
        const ServerProfile clean = withoutSecrets(profile);
        if (clean.name.isEmpty() || clean.urls.isEmpty()
            || clean.urls.size() != profile.urls.size()) {
            return problem(UiText::tr("profile %1 has no name, or an address that cannot be read")
                               .arg(read.profiles.size() + 1));
        }
        read.profiles += clean;
    }
    return read;
}

} // namespace lockscope::widgets
