#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;
class QToolButton;

namespace lockscope::widgets {

/// The help, in a window beside the others: the list of its pages, which a search shortens, and one
/// of them, in the language of the program as far as it is translated. It needs no network. Esc
/// closes it, Ctrl+F searches, Enter and F3 go to the next place that was found, Alt+Left and
/// Alt+Right follow the way back and forth.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    /// `keys`: a page about the keys in Markdown, which only the window that has them can write;
    /// its link is "keys.md". Empty: there is none.
    explicit HelpWindow(const QString& keys, QWidget* parent = nullptr);

    /// "lab.md", "lab.md#the-matrix", as in English; of an unknown one nothing happens.
    void showPage(const QString& link);
    /// The path of the page that is shown.
    QString shownPage() const;

private:
    void createParts();
    void connectParts();
    QToolButton* addButton(const QString& name, Qt::ArrowType arrow, const QString& toolTip);
    void addToList(const QString& path, const QString& title, int level);
    QString textOf(const QString& path) const;
    QString markdownOf(const QString& path) const;

    void arrive(const QUrl& link);
    void goToHeading(const QString& path, const QString& anchor);
    void search(const QString& text);
    void find(bool isForward);
    void markFound();

    QString m_language;
    QString m_keys;
    QLineEdit* m_search = nullptr;
    QListWidget* m_list = nullptr;
    QLabel* m_found = nullptr;
    QTextBrowser* m_page = nullptr;
    QToolButton* m_back = nullptr;
    QToolButton* m_forward = nullptr;
};

} // namespace lockscope::widgets
