#pragma once

#include "core/kernel/report/wording.h"
#include "core/kernel/search/harm.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace lockscope::widgets {

class HarmBadges;

/// The answer first: what is the matter with the lock, why we think so, and how that could be
/// wrong.
class VerdictCard : public QWidget {
    Q_OBJECT
public:
    explicit VerdictCard(QWidget* parent = nullptr);

    /// `isConfirmed`: false when the lock was read before the connection broke, and not again yet;
    /// then it is not called well.
    void showVerdict(const report::Verdict& verdict, bool isConfirmed = true);
    int severity() const { return m_severity; }
    /// Of a run, in front of the headline; see HarmBadges.
    void showHarms(std::vector<search::Harm> harms, bool arePromised);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QLabel* createLine(const QString& name);
    void colorHeadline();
    QColor tone() const;

    int m_severity = 0;
    bool m_isConfirmed = true;
    HarmBadges* m_harms = nullptr;
    QLabel* m_headline = nullptr;
    QLabel* m_reason = nullptr;
    QLabel* m_doubt = nullptr;
};

} // namespace lockscope::widgets
