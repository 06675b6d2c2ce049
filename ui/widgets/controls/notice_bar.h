#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockscope::widgets {

/// A sentence over the content that stays until it is dealt with: damaged settings, an audit file
/// that cannot be written, rows that are out of date. Hidden while there is nothing to say.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    /// A notice that the user may close.
    void showNotice(const QString& text);
    /// A state that lasts as long as its cause; an empty text takes it away. It shows before a
    /// notice.
    void showState(const QString& text);

    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    QLabel* m_label = nullptr;
    QPushButton* m_close = nullptr;
    QString m_notice;
    QString m_state;
};

} // namespace lockscope::widgets
