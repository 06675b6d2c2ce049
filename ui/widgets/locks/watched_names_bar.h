#pragma once

#include <QStringList>
#include <QWidget>

class QLineEdit;
class QPushButton;

namespace lockscope::widgets {

/// The line below the table: which names the user calls locks, besides those that sound like one,
/// and how many keys sounded like locks and are none. So what is not in the table is never far.
class WatchedNamesBar : public QWidget {
    Q_OBJECT
public:
    explicit WatchedNamesBar(QWidget* parent = nullptr);

    void showPatterns(const QStringList& patterns);
    QStringList patterns() const { return m_patterns; }

    /// How many keys looked like locks and were not taken for one.
    void showNearMisses(quint64 count);

Q_SIGNALS:
    /// The user calls other names locks than before.
    void patternsChanged(const QStringList& patterns);
    void nearMissesRequested();

private:
    void takeText();

    QStringList m_patterns;
    QLineEdit* m_edit = nullptr;
    QPushButton* m_nearMisses = nullptr;
};

/// Glob patterns as they stand in one line, between spaces; a space of a name is written `\ `,
/// which means the same to Redis. Each is named once.
QStringList patternsOfLine(const QString& line);

/// A pattern that matches this name and no other.
QString patternOfName(const QString& name);

} // namespace lockscope::widgets
