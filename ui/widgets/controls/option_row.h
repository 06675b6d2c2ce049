#pragma once

#include <QWidget>

class QAbstractButton;
class QLabel;

namespace lockscope::widgets {

/// A line of a form: what is asked for at the left, a small field at the right, and below them what
/// is wrong with it, if anything is.
class OptionRow : public QWidget {
    Q_OBJECT
public:
    /// `field` becomes a child; it is named after the label for screen readers.
    OptionRow(const QString& label, QWidget* field, QWidget* parent = nullptr);
    /// With a switch in the place of the label.
    OptionRow(QAbstractButton* option, QWidget* field, QWidget* parent = nullptr);

    void setError(const QString& error);
    QString error() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void arrange(QWidget* label);
    void showError(const QString& error);

    QWidget* m_field = nullptr;
    QLabel* m_error = nullptr;
};

} // namespace lockscope::widgets
