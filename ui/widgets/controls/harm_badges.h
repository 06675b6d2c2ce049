#pragma once

#include "core/kernel/search/harm.h"

#include <QWidget>

#include <vector>

namespace lockscope::widgets {

/// The marks of what happened, worst first, as the matrix has them; named by the tooltip and for
/// screen readers. As wide as there are marks; nothing is seen of none.
class HarmBadges : public QWidget {
    Q_OBJECT
public:
    explicit HarmBadges(QWidget* parent = nullptr);

    /// `arePromised`: filled where the protocol promises otherwise, framed where it does not.
    void showHarms(std::vector<search::Harm> harms, bool arePromised);
    const std::vector<search::Harm>& harms() const { return m_harms; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<search::Harm> m_harms;
    bool m_arePromised = true;
};

} // namespace lockscope::widgets
