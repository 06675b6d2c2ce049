#include "ui/models/locks/column_fit.h"

#include <algorithm>
#include <cstdint>

namespace lockscope::models {

namespace {

/// Divides `amount` by weight, without losing a unit to rounding.
class Divider {
public:
    Divider(int amount, std::int64_t weights) : m_amount(amount), m_weights(weights) {}

    int partOf(int weight)
    {
        m_weightSoFar += weight;
        const auto upToHere = static_cast<int>(m_amount * m_weightSoFar / m_weights);
        const int part = upToHere - m_given;
        m_given = upToHere;
        return part;
    }

private:
    std::int64_t m_amount;
    std::int64_t m_weights;
    std::int64_t m_weightSoFar = 0;
    int m_given = 0;
};

} // namespace

std::vector<int> fittedWidths(std::span<const ColumnSizing> columns, int available)
{
    int wanted = 0;
    int spare = 0;
    int shares = 0;
    for (const ColumnSizing& column : columns) {
        wanted += column.width;
        spare += column.width - column.minimum;
        shares += column.share;
    }
    const int missing = std::clamp(wanted - available, 0, spare);
    const int surplus = shares > 0 ? std::max(available - wanted, 0) : 0;
    Divider less(missing, std::max(spare, 1));
    Divider more(surplus, std::max(shares, 1));
    std::vector<int> widths;
    widths.reserve(columns.size());
    for (const ColumnSizing& column : columns) {
        widths.push_back(column.width - less.partOf(column.width - column.minimum)
                         + more.partOf(column.share));
    }
    return widths;
}

} // namespace lockscope::models
