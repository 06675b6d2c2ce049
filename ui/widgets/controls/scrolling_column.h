#pragma once

#include <QScrollArea>

namespace lockscope::widgets {

/// The changing part of a dialog: as high as its contents want to be as long as the screen has room
/// for that, and scrolled where it has not. It is never scrolled sideways.
class ScrollingColumn final : public QScrollArea {
    Q_OBJECT
public:
    explicit ScrollingColumn(QWidget* contents, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// The contents want to be higher or lower than before.
    void wishChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int contentsHeight() const;
    void noticeWish();

    int m_wish = 0;
};

} // namespace lockscope::widgets
