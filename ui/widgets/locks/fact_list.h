#pragma once

#include "ui/widgets/locks/lock_facts.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace lockscope::widgets {

class SelectableText;

/// Facts as two columns, label and value. Values can be selected; they wrap, also inside of long
/// tokens.
class FactList : public QWidget {
    Q_OBJECT
public:
    explicit FactList(QWidget* parent = nullptr);

    /// Updates in place: lines are added and removed only at the end, so that nothing flickers and
    /// a selection lives.
    void showFacts(const std::vector<Fact>& facts);

    /// The value beside a label, for tests and look-ups; empty when there is none.
    QString valueOf(const QString& label) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Line {
        QLabel* label = nullptr;
        SelectableText* value = nullptr;
    };

    void addLine();
    void showFact(const Line& line, const Fact& fact);
    void color(const Line& line, Fact::Look look);

    QGridLayout* m_grid = nullptr;
    std::vector<Line> m_lines;
    std::vector<Fact> m_facts;
};

} // namespace lockscope::widgets
