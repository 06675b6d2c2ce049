#pragma once

#include <QLabel>

namespace lockscope::widgets {

/// A line of text that is cut with an ellipsis where space is short; the tooltip then holds all of
/// it.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(Qt::TextElideMode mode, QWidget* parent = nullptr);

    void setFullText(const QString& text);
    QString fullText() const { return m_fullText; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();

    Qt::TextElideMode m_mode;
    QString m_fullText;
};

/// A label in the quiet grey of the palette, whichever palette that is.
QLabel* createQuietLabel(const QString& text, QWidget* parent);

/// A text that is wrapped where it is too long; `name` is that of the object.
QLabel* createWrappedText(const QString& name, QWidget* parent);

void makeBold(QWidget& widget);

/// Shows a sentence in the colour of its severity, as severityColor() counts it; without a
/// sentence, nothing.
void showRemark(QLabel& label, const QString& sentence, int severity);

/// The edge of a field in which something is wrong.
void markError(QWidget& field, bool isWrong);

/// A line between the panels, in the grey of all hairlines.
QWidget* createHairline(Qt::Orientation orientation, QWidget* parent);

/// The column at the left of a page, so many characters wide, with a form that scrolls. What stands
/// in it is about the run that comes next, and its heading says so.
QWidget* createFormColumn(QWidget* form, const QString& name, int characters, QWidget* parent);

/// A small heading in capitals, as above the groups of the side panel.
QLabel* createCaption(const QString& text, QWidget* parent);

/// The same for a text of any length, which is cut where space is short; give it by setFullText().
ElidedLabel* createElidedCaption(QWidget* parent);

} // namespace lockscope::widgets
