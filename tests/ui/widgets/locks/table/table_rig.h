#pragma once

#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <chrono>

namespace lockscope::test {

/// A table of locks in a window of that width, at a time that the test sets.
struct TableRig {
    explicit TableRig(int width = 1000)
    {
        view.resize(width, 400);
        view.show();
    }

    Instant now{std::chrono::hours(1)};
    models::LockTableModel model{[this] { return now; }};
    widgets::LockTableView view{model};
};

} // namespace lockscope::test
