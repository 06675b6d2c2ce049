#pragma once

#include "core/kernel/report/release_ladder.h"
#include "ui/widgets/style/flat_style.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace lockscope::widgets {

/// What can be done about a lock, the mildest way first, with the one that is recommended. Those
/// that have a dialog of their own have a button here.
class MilderWays : public QWidget {
    Q_OBJECT
public:
    explicit MilderWays(QWidget* parent = nullptr);

    /// Texts and times are renewed in place.
    void showLadder(const std::vector<report::LadderRung>& ladder);
    /// How loudly the way to cap the TTL speaks.
    void emphasiseCap(Emphasis emphasis);
    QPushButton* capButton() const { return m_cap; }

Q_SIGNALS:
    void capRequested();
    void disconnectRequested();

private:
    struct Line {
        report::MildStep step = report::MildStep::Release;
        QWidget* row = nullptr;
        QLabel* text = nullptr;
    };

    void addLine(report::MildStep step, QPushButton* button = nullptr);
    QPushButton* createButton(const QString& name, const QString& text);

    std::vector<Line> m_lines; // from mild to harsh
    QPushButton* m_cap = nullptr;
    QPushButton* m_disconnect = nullptr;
};

} // namespace lockscope::widgets
