#pragma once

#include <QObject>
#include <QStringList>

class QMenu;
class QTableView;

namespace lockscope::models {
class LockTableModel;
struct ColumnSizing;
} // namespace lockscope::models

namespace lockscope::widgets {

class LockTableHeader;

/// Which columns of the lock table are shown and how wide. As long as the user did not choose,
/// those are shown for which there is room, and the others are named: givenWay().
class LockColumns : public QObject {
    Q_OBJECT
public:
    /// All of it outlives the object. `view` has the header and the model.
    LockColumns(QTableView& view, const models::LockTableModel& model, LockTableHeader& header);

    /// A line that a person can read; see models::ColumnState.
    QString savedState() const;
    /// False, and nothing changed, if the text is not from savedState().
    bool restore(const QString& text);
    /// All as at first.
    void reset();
    /// To be called when the room or the font is another one.
    void fit();

    /// The titles of the columns that there is no room for, in the order of the table.
    const QStringList& givenWay() const { return m_givenWay; }

    /// What to show, to choose from; the position is global.
    void showMenu(const QPoint& position);

Q_SIGNALS:
    void givenWayChanged(const QStringList& titles);

private:
    models::ColumnSizing sizingOf(int column) const;
    bool isUseful(int column) const;
    void choose();
    void makeRoom(int needed);
    void tellGivenWay();
    void showByChoice(int column, bool isShown);
    void showAll();
    QString titleOf(int column) const;

    QTableView& m_view;
    const models::LockTableModel& m_model;
    LockTableHeader& m_header;
    QStringList m_givenWay;
    bool m_areFitted = true; // false once the user gave one a width
    bool m_isFitting = false;
    bool m_hasChosen = false; // true once the user showed or hid one
};

} // namespace lockscope::widgets
