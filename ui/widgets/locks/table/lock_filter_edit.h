#pragma once

#include "core/kernel/inspect/filter/filter_completion.h"
#include "core/kernel/inspect/filter/lock_filter.h"

#include <QLineEdit>
#include <QStringList>

class QCompleter;
class QStringListModel;
class QTimer;

namespace lockscope::widgets {

/// The box in which the user says which locks to show. It applies while typing, colours its edge
/// (empty, valid, cannot be read), completes fields and values, and remembers what was used.
/// Escape clears it, Up and Down walk through the history.
class LockFilterEdit : public QLineEdit {
    Q_OBJECT
public:
    /// How long the typing must pause before the filter is applied.
    static constexpr std::chrono::milliseconds kTypingPause{40};

    enum class Condition { Empty, Valid, Invalid };

    explicit LockFilterEdit(QWidget* parent = nullptr);

    Condition condition() const { return m_condition; }
    /// Why the text cannot be read; empty unless Invalid.
    QString errorText() const { return m_errorText; }
    /// The text as it may have been meant; empty where it is fine, or nobody knows.
    QString mendedText() const { return m_mended; }
    /// The last text that could be read: it is what the filter does.
    QString appliedText() const { return m_appliedText; }

    void setHistory(const QStringList& newestFirst) { m_history = newestFirst; }

    /// What values of text fields there are to offer.
    void setKnownTexts(inspect::KnownTexts texts) { m_knownTexts = std::move(texts); }

    /// Replaces the text and applies it at once.
    void apply(const QString& filter);
    /// Adds a word with "and" and applies; a word that is there already is taken away again.
    void toggleWord(const QString& word);
    /// Adds a word with "and", takes its opposite away, and applies.
    void narrow(const QString& word);

Q_SIGNALS:
    /// The text is a filter: everything may be shown anew. Not sent for text that cannot be read.
    void filterChanged(const lockscope::inspect::LockFilter& filter);
    /// Empty when the text is fine again.
    void errorChanged(const QString& error);
    /// A valid filter was confirmed with Enter or by leaving the box: worth remembering.
    void filterUsed(const QString& filter);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createCompleter();
    void use(const std::string& filter);
    void applyText();
    void showCondition();
    void stepThroughHistory(int step);
    void offerCompletions();
    void insertCompletion(const QString& word);
    void confirm();
    int wordStart() const;

    QTimer* m_pause = nullptr;
    QCompleter* m_completer = nullptr;
    Condition m_condition = Condition::Empty;
    QString m_errorText;
    QString m_mended;
    QStringList m_history;
    qsizetype m_historyIndex = -1; // -1: the user's own text
    QString m_ownText;
    QString m_readText;    // what the signals spoke of last; nothing passes everything, as at first
    QString m_appliedText; // of it, what could be read
    inspect::KnownTexts m_knownTexts;
    QStringListModel* m_completions = nullptr;
};

} // namespace lockscope::widgets
