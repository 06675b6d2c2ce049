#include "ui/widgets/locks/watched_names.h"

#include "ui/widgets/locks/locks_page.h"
#include "ui/widgets/locks/watched_names_bar.h"

namespace lockscope::widgets {

namespace {

std::vector<std::string> bytesOf(const QStringList& patterns)
{
    std::vector<std::string> bytes;
    for (const QString& pattern : patterns) {
        bytes.push_back(pattern.toStdString());
    }
    return bytes;
}

} // namespace

WatchedNames::WatchedNames(const WatchedNamesContext& context, QObject* parent)
    : QObject(parent),
      m_context(context)
{
    QStringList patterns;
    for (const std::string& pattern : m_context.patterns) {
        patterns += QString::fromStdString(pattern);
    }
    if (patterns.isEmpty()) {
        patterns = m_context.settings.lockPatterns;
        m_context.patterns = bytesOf(patterns);
    }
    m_context.page.watchedNames().showPatterns(patterns);
    connect(&m_context.page, &LocksPage::patternsChanged, this, &WatchedNames::takePatterns);
}

void WatchedNames::takePatterns(const QStringList& patterns)
{
    m_context.settings.lockPatterns = patterns;
    m_context.patterns = bytesOf(patterns);
    m_context.monitor.setPatterns(m_context.patterns);
}

} // namespace lockscope::widgets
