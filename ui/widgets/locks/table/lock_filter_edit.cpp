#include "ui/widgets/locks/table/lock_filter_edit.h"

#include "core/kernel/inspect/filter/filter_editing.h"
#include "core/kernel/report/lock_fields.h"
#include "ui/models/formatting.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QKeyEvent>
#include <QStringListModel>
#include <QTimer>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

LockFilterEdit::LockFilterEdit(QWidget* parent) : QLineEdit(parent)
{
    setObjectName(u"filterEdit"_s);
    setAccessibleName(tr("Filter"));
    setPlaceholderText(tr("Filter: a word, or flag:no-expiry, held>10m, waiters>0 …"));
    setFont(monospacedFont());
    m_pause = new QTimer(this);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kTypingPause);
    connect(m_pause, &QTimer::timeout, this, &LockFilterEdit::applyText);
    connect(this, &QLineEdit::textChanged, m_pause, qOverload<>(&QTimer::start));
    connect(this, &QLineEdit::textEdited, this, [this] {
        m_historyIndex = -1;
        offerCompletions();
    });
    connect(this, &QLineEdit::returnPressed, this, &LockFilterEdit::confirm);
    createCompleter();
    showCondition();
}

void LockFilterEdit::createCompleter()
{
    m_completions = new QStringListModel(this);
    m_completer = new QCompleter(m_completions, this);
    m_completer->setWidget(this);
    m_completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_completer->popup()->setFont(font());
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
            &LockFilterEdit::insertCompletion);
}

void LockFilterEdit::apply(const QString& filter)
{
    setText(filter);
    applyText();
}

void LockFilterEdit::toggleWord(const QString& word)
{
    use(inspect::toggledFilter(text().toStdString(), word.toStdString()));
}

void LockFilterEdit::narrow(const QString& word)
{
    use(inspect::narrowedFilter(text().toStdString(), word.toStdString()));
}

void LockFilterEdit::use(const std::string& filter)
{
    apply(QString::fromStdString(filter));
    confirm();
}

void LockFilterEdit::applyText()
{
    m_pause->stop();
    if (m_readText == text()) {
        return;
    }
    m_readText = text();
    const std::string wanted = text().trimmed().toStdString();
    const auto parsed = inspect::LockFilter::parse(wanted, report::lockFilterFields());
    if (const auto* error = std::get_if<inspect::FilterError>(&parsed)) {
        m_condition = Condition::Invalid;
        m_errorText = QString::fromStdString(error->reason);
        m_mended = QString::fromStdString(inspect::mendedFilter(wanted, *error));
    } else {
        m_condition = wanted.empty() ? Condition::Empty : Condition::Valid;
        m_errorText.clear();
        m_mended.clear();
        m_appliedText = text().trimmed();
        Q_EMIT filterChanged(std::get<inspect::LockFilter>(parsed));
    }
    showCondition();
    Q_EMIT errorChanged(m_errorText);
}

void LockFilterEdit::showCondition()
{
    setToolTip(m_errorText);
    setAccessibleDescription(m_errorText);
    if (m_condition == Condition::Empty) {
        setPalette(QPalette());
        return;
    }
    const QPalette around = parentWidget() == nullptr ? QPalette() : parentWidget()->palette();
    const QColor color = severityColor(m_condition == Condition::Valid ? 0 : 2, around);
    QPalette colored;
    colored.setColor(QPalette::Mid, color);
    colored.setColor(QPalette::Base, tintOf(color, around.color(QPalette::Base)));
    setPalette(colored);
}

int LockFilterEdit::wordStart() const
{
    const std::string before = text().left(cursorPosition()).toStdString();
    const std::size_t begin = inspect::wordBegin(before);
    return static_cast<int>(QString::fromStdString(before.substr(0, begin)).size());
}

void LockFilterEdit::offerCompletions()
{
    const QString word = text().mid(wordStart(), cursorPosition() - wordStart());
    QStringList completions;
    if (!word.isEmpty()) {
        for (const std::string& completion :
             inspect::filterCompletions(word.toStdString(), report::lockFilterFields(),
                                        m_knownTexts)) {
            completions += QString::fromStdString(completion);
        }
    }
    m_completions->setStringList(completions);
    m_completer->setCompletionPrefix(word);
    const bool isWhole = m_completer->completionCount() == 1
                         && m_completer->currentCompletion() == word;
    if (m_completer->completionCount() == 0 || isWhole) {
        m_completer->popup()->hide(); // Enter is for the filter
        return;
    }
    const int width = m_completer->popup()->sizeHintForColumn(0) + 24;
    QRect place = cursorRect();
    place.setWidth(width);
    m_completer->complete(place);
}

void LockFilterEdit::insertCompletion(const QString& word)
{
    const int start = wordStart();
    setText(text().left(start) + word + text().mid(cursorPosition()));
    setCursorPosition(start + static_cast<int>(word.size()));
    if (word.endsWith(u':')) {
        offerCompletions(); // now for a value
    }
}

void LockFilterEdit::confirm()
{
    applyText();
    if (m_condition == Condition::Valid) {
        Q_EMIT filterUsed(text().trimmed());
    }
}

void LockFilterEdit::stepThroughHistory(int step)
{
    const qsizetype index = m_historyIndex + step;
    if (index < -1 || index >= m_history.size()) {
        return;
    }
    if (m_historyIndex == -1) {
        m_ownText = text();
    }
    m_historyIndex = index;
    apply(index == -1 ? m_ownText : m_history.at(index));
}

void LockFilterEdit::keyPressEvent(QKeyEvent* event)
{
    if (m_completer->popup()->isVisible()
        && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter
            || event->key() == Qt::Key_Escape || event->key() == Qt::Key_Tab)) {
        event->ignore(); // the popup's business
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape: apply({}); return;
    case Qt::Key_Up: stepThroughHistory(1); return;
    case Qt::Key_Down: stepThroughHistory(-1); return;
    default: QLineEdit::keyPressEvent(event);
    }
}

void LockFilterEdit::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) {
        confirm();
    }
}

void LockFilterEdit::changeEvent(QEvent* event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::ParentChange || event->type() == QEvent::PaletteChange) {
        showCondition();
    }
}

} // namespace lockscope::widgets
