#include "ui/widgets/locks/watched_names.h"

#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/locks/locks_page.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

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
    m_kept = m_context.settings.lockPatterns;
    connect(&m_context.page, &LocksPage::patternsChanged, this, &WatchedNames::takePatterns);
}

void WatchedNames::applySettings()
{
    if (m_context.settings.lockPatterns != m_kept) {
        m_context.page.watchedNames().showPatterns(m_context.settings.lockPatterns);
        takePatterns(m_context.settings.lockPatterns);
    }
}

void WatchedNames::takePatterns(const QStringList& patterns)
{
    m_kept = patterns;
    m_context.settings.lockPatterns = patterns;
    m_context.patterns = bytesOf(patterns);
    m_context.monitor.setPatterns(m_context.patterns);
}

WatchedNamesBar::WatchedNamesBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"watchedNamesBar"_s);
    auto* label = createQuietLabel(tr("Lock &name patterns"), this);
    m_edit = new QLineEdit(this);
    m_edit->setObjectName(u"watchedNames"_s);
    m_edit->setPlaceholderText(tr("job:*  cron-?  – in addition to names that look like locks"));
    m_edit->setToolTip(tr(
        "Redis patterns: * matches any text, ? one character, [a-z] one of these.\nSeparate "
        "patterns with spaces; escape a space in a name with \\.\nEvery matching key is listed."));
    label->setBuddy(m_edit);
    m_nearMisses = new QPushButton(this);
    m_nearMisses->setObjectName(u"nearMisses"_s);
    m_nearMisses->setFlat(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->addWidget(label);
    layout->addWidget(m_edit, 1);
    layout->addWidget(m_nearMisses);
    connect(m_edit, &QLineEdit::editingFinished, this, &WatchedNamesBar::takeText);
    connect(m_nearMisses, &QPushButton::clicked, this, &WatchedNamesBar::nearMissesRequested);
    showNearMisses(0);
}

void WatchedNamesBar::showPatterns(const QStringList& patterns)
{
    m_patterns = patterns;
    m_edit->setText(patterns.join(u' '));
}

void WatchedNamesBar::showNearMisses(quint64 count)
{
    m_nearMisses->setVisible(count > 0);
    const QString number = models::countText(static_cast<qint64>(count));
    m_nearMisses->setText(
        count == 1 ? tr("1 key looked like a lock but was not recognised…")
                   : tr("%1 keys looked like locks but were not recognised…").arg(number));
}

void WatchedNamesBar::takeText()
{
    const QStringList patterns = models::patternsOfLine(m_edit->text());
    if (patterns != m_patterns) {
        showPatterns(patterns);
        Q_EMIT patternsChanged(patterns);
    }
}

QString patternOfName(const QString& name)
{
    QString pattern;
    for (const QChar c : name) {
        const bool isSpecial = QStringView(u"*?[]\\").contains(c) || c.isSpace();
        pattern += isSpecial ? QString(u'\\') + c : QString(c);
    }
    return pattern;
}

} // namespace lockscope::widgets
