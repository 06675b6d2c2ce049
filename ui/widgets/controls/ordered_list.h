#pragma once

#include <QIcon>
#include <QList>
#include <QString>
#include <QWidget>

class QListWidget;
class QPushButton;

namespace lockscope::widgets {

/// Things in an order that the user decides, each with a tick, and the buttons to add, remove and
/// move them. It changes nothing itself: it says what is wanted, and is shown the result.
class OrderedList : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString text{};
        bool isOn = true;
        QIcon icon{};
        QString toolTip{};
    };

    /// `name`: of the list, for screen readers.
    explicit OrderedList(const QString& name, QWidget* parent = nullptr);

    /// Replaces what is shown. The current row stays, as far as there is one.
    void showEntries(const QList<Entry>& entries);
    /// -1: none.
    int current() const;
    void setCurrent(int row);

Q_SIGNALS:
    void currentChanged(int row);
    void toggled(int row, bool isOn);
    void addRequested();
    void removeRequested(int row);
    void moveRequested(int from, int to);

private:
    QPushButton* createButton(const QString& name, const QString& text);
    void connectButtons();
    void showButtons();

    QListWidget* m_list = nullptr;
    QPushButton* m_add = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_up = nullptr;
    QPushButton* m_down = nullptr;
};

} // namespace lockscope::widgets
