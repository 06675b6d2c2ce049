#pragma once

#include "ui/widgets/controls/status_wording.h"

#include <QWidget>

namespace lockscope::widgets {

/// The small round mark before a word of state.
class StatusDot : public QWidget {
    Q_OBJECT
public:
    explicit StatusDot(QWidget* parent = nullptr);

    void setTone(LinkTone tone);
    LinkTone tone() const { return m_tone; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LinkTone m_tone = LinkTone::Quiet;
};

} // namespace lockscope::widgets
