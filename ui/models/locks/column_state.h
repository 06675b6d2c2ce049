#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace lockscope::models {

/// The remembered state of the columns of the lock table.
struct ColumnState {
    struct Column {
        int column = 0; // report::LockColumn
        int width = 0;  // in pixels; 0: not known
        bool isHidden = false;

        friend bool operator==(const Column&, const Column&) = default;
    };

    bool areFitted = true;  // the widths follow the window
    bool hasChosen = false; // the user has shown or hidden a column
    int sortColumn = -1;    // -1: not sorted
    Qt::SortOrder sortOrder = Qt::AscendingOrder;
    QList<Column> columns{}; // in the order on the screen; others follow

    friend bool operator==(const ColumnState&, const ColumnState&) = default;
};

/// The state as a line that a person can read: a version, and the columns by the names that filters
/// have for them: "1 resized chosen held:descending key:333 mode:80:hidden".
QString textOf(const ColumnState& state);

/// The opposite. Columns that are unknown, as those of a newer version, are left out. Nullopt if
/// the text is no such line.
std::optional<ColumnState> columnStateOf(const QString& text);

} // namespace lockscope::models
