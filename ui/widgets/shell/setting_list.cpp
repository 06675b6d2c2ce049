#include "ui/widgets/shell/setting_list.h"

#include "ui/models/ui_text.h"

#include <array>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<std::pair<ThemeChoice, QLatin1StringView>, 3> kThemeNames{{
    {ThemeChoice::FollowSystem, "system"_L1},
    {ThemeChoice::Light, "light"_L1},
    {ThemeChoice::Dark, "dark"_L1},
}};

QVariant readTheme(const Settings& settings)
{
    for (const auto& [choice, name] : kThemeNames) {
        if (choice == settings.theme) {
            return QString(name);
        }
    }
    return {};
}

void writeTheme(Settings& settings, const QVariant& value)
{
    settings.theme = ThemeChoice::FollowSystem;
    for (const auto& [choice, name] : kThemeNames) {
        if (name == value.toString()) {
            settings.theme = choice;
        }
    }
}

SettingInfo themeInfo()
{
    return {u"theme"_s,
            SettingInfo::Kind::Choice,
            UiText::tr("&Theme"),
            {},
            {{u"system"_s, UiText::tr("Follow the system")},
             {u"light"_s, UiText::tr("Light")},
             {u"dark"_s, UiText::tr("Dark")}},
            &readTheme,
            &writeTheme};
}

SettingInfo languageInfo()
{
    return {u"language"_s,
            SettingInfo::Kind::Choice,
            UiText::tr("&Language"),
            UiText::tr("Takes effect at the next start."),
            {{QString(), UiText::tr("Follow the system")},
             {u"en"_s, u"English"_s},
             {u"zh_CN"_s, u"简体中文"_s}},
            [](const Settings& settings) { return QVariant(settings.language); },
            [](Settings& settings, const QVariant& value) {
                settings.language = value.toString();
            }};
}

SettingInfo timesInfo()
{
    return {u"times"_s,
            SettingInfo::Kind::Choice,
            UiText::tr("Ti&mes"),
            UiText::tr("Files and commands always use UTC."),
            {{u"local"_s, UiText::tr("Local time")}, {u"utc"_s, UiText::tr("UTC")}},
            [](const Settings& settings) {
                return QVariant(settings.showsUtc ? u"utc"_s : u"local"_s);
            },
            [](Settings& settings, const QVariant& value) {
                settings.showsUtc = value.toString() == u"utc";
            }};
}

SettingInfo patternsInfo()
{
    return {u"lockPatterns"_s,
            SettingInfo::Kind::Words,
            UiText::tr("Lock &name patterns"),
            UiText::tr("Redis patterns of keys that are locks, whatever they look like, with "
                       "spaces between: job:* cron-?"),
            {},
            [](const Settings& settings) { return QVariant(settings.lockPatterns); },
            [](Settings& settings, const QVariant& value) {
                settings.lockPatterns = value.toStringList();
            }};
}

SettingInfo probableDataInfo()
{
    return {u"showsProbableData"_s,
            SettingInfo::Kind::Switch,
            UiText::tr("Show keys that are &probably data"),
            {},
            {},
            [](const Settings& settings) { return QVariant(settings.showsProbableData); },
            [](Settings& settings, const QVariant& value) {
                settings.showsProbableData = value.toBool();
            }};
}

} // namespace

QList<SettingInfo> settingList()
{
    return {themeInfo(), languageInfo(), timesInfo(), patternsInfo(), probableDataInfo()};
}

} // namespace lockscope::widgets
