#pragma once

#include <QWidget>

class QToolButton;

namespace lockscope::widgets {

class SelectableText;

/// A command or a value in a box of its own: to read, to select, to copy whole.
class CommandBox : public QWidget {
    Q_OBJECT
public:
    explicit CommandBox(QWidget* parent = nullptr);

    void setCommand(const QString& command);
    /// The same for a command with a script in it: the script's line ends are shown as such. What
    /// is copied is the command.
    void setScript(const QString& command);
    QString command() const { return m_command; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_command;
    SelectableText* m_text = nullptr;
    QToolButton* m_copy = nullptr;
};

} // namespace lockscope::widgets
