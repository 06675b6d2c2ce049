#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QMenuBar;

namespace lockscope::widgets {

/// Every action of the window by its name: type a part of it, Enter does it. What cannot be done
/// now is greyed out, as in the menus.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    /// The actions are those in the menus as they are now.
    CommandPalette(const QMenuBar& menus, QWidget* parent);

    /// How many actions have all of the words that were typed.
    int matchCount() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void run(const QListWidgetItem* item);
    void preferBeginning(const QString& text);
    void step(int by);

    QLineEdit* m_edit = nullptr;
    QListWidget* m_list = nullptr;
    QList<QPointer<QAction>> m_actions; // by row
};

} // namespace lockscope::widgets
