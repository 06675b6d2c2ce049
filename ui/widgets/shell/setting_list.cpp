#include "ui/widgets/shell/setting_list.h"

#include "ui/models/ui_text.h"

#include <algorithm>
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

/// In percent of its time; the first is the default, and means none.
constexpr std::array kServerTimes{0, 25, 10, 5, 1};

SettingInfo serverTimeInfo()
{
    QList<SettingInfo::Option> options;
    for (const int percent : kServerTimes) {
        options.append({QString::number(percent),
                        percent == 0 ? UiText::tr("No limit") : u"%1 %"_s.arg(percent)});
    }
    return {u"serverTimePercent"_s,
            SettingInfo::Kind::Choice,
            UiText::tr("&Cost to a server"),
            UiText::tr("What looking through all keys may take of a server's time, where its "
                       "address does not say. Takes effect at the next connection."),
            std::move(options),
            [](const Settings& settings) {
                return QVariant(QString::number(settings.serverTimePercent));
            },
            [](Settings& settings, const QVariant& value) {
                const int percent = value.toString().toInt();
                const bool isOffered = std::ranges::find(kServerTimes, percent)
                                       != kServerTimes.end();
                settings.serverTimePercent = isOffered ? percent : 0;
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
    return {themeInfo(),    languageInfo(),   timesInfo(),
            patternsInfo(), serverTimeInfo(), probableDataInfo()};
}

} // namespace lockscope::widgets
