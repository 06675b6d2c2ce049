#pragma once

#include "core/kernel/base/time.h"
#include "ui/widgets/locks/table/cell_delegate.h"

#include <functional>

namespace lockscope::models {
struct LeaseBar;
} // namespace lockscope::models

namespace lockscope::widgets {

/// What is left of the lease as a bar behind the number, with a tick where each of the latest
/// renewals came. It asks for the present itself, so a running countdown never touches the model.
class LeaseDelegate : public CellDelegate {
    Q_OBJECT
public:
    using NowFunction = std::function<Instant()>;

    explicit LeaseDelegate(NowFunction now, QObject* parent = nullptr);

protected:
    void paintContents(const Cell& cell) const override;

private:
    static QRect barRect(const Cell& cell);
    static void paintBar(const Cell& cell, const models::LeaseBar& bar);

    NowFunction m_now;
};

} // namespace lockscope::widgets
