#include "ui/widgets/shell/language.h"

#include "ui/models/ui_text.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QTranslator>
#include <QtDebug>

/// In a static library the linker would drop them without this. Has to be outside of any namespace.
static void initTranslations()
{
    Q_INIT_RESOURCE(translations);
}

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

bool install(const QString& file, const QString& folder)
{
    auto* const translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(file, folder)) {
        return QCoreApplication::installTranslator(translator);
    }
    delete translator;
    return false;
}

bool isSimplifiedChinese(const QLocale& locale)
{
    return locale.language() == QLocale::Chinese && locale.script() == QLocale::SimplifiedHanScript;
}

} // namespace

QStringList knownLanguages()
{
    return {u"en"_s, u"zh_CN"_s};
}

QString languageFor(const QStringList& preferred)
{
    for (const QString& name : preferred) {
        const QLocale locale(name);
        if (isSimplifiedChinese(locale)) {
            return u"zh_CN"_s;
        }
        if (locale.language() == QLocale::English) {
            return u"en"_s;
        }
    }
    return u"en"_s;
}

void speak(const QString& language)
{
    translateKernelTexts();
    if (language == u"en"_s) {
        return;
    }
    install(u"qtbase_"_s + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    initTranslations();
    if (!install(u"lockscope_"_s + language, u":/translations"_s)) {
        qWarning("This program was built without its texts in %s.", qUtf8Printable(language));
    }
}

} // namespace lockscope::widgets
