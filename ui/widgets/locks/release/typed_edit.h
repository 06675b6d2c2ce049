#pragma once

#include <QLineEdit>

namespace lockscope::widgets {

/// A field for a text that has to be typed by hand to confirm something. Where that is asked for,
/// what is pasted or dropped is refused: who pastes has not read it.
class TypedEdit : public QLineEdit {
    Q_OBJECT
public:
    explicit TypedEdit(QWidget* parent = nullptr);

    void refusePasting(bool isRefused);

Q_SIGNALS:
    void pasteRefused();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    bool m_isPastingRefused = false;
};

} // namespace lockscope::widgets
