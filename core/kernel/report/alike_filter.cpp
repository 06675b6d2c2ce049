#include "core/kernel/report/alike_filter.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/filter/filter_completion.h"

#include <chrono>
#include <variant>

namespace lockscope::report {

using inspect::FilterField;

namespace {

/// Fine enough for people: whole seconds, from ten minutes on whole minutes.
template<class Rounding>
std::string roundedText(Duration duration, Rounding&& round)
{
    using namespace std::chrono_literals;
    return duration < 10min ? std::to_string(round(duration, 1s) / 1s) + "s"
                            : std::to_string(round(duration, 1min) / 1min) + "m";
}

Duration roundedDown(Duration duration, Duration unit)
{
    return duration / unit * unit;
}

Duration roundedUp(Duration duration, Duration unit)
{
    return roundedDown(duration + unit - Duration(1), unit);
}

/// Asks a field what the lock of a view has there.
struct Asker {
    const LockField& field;
    const LockView& view;

    std::string name() const { return std::string(field.filter.name); }

    std::string operator()(FilterField::TextTest /*test*/) const
    {
        if (field.column.sortText == nullptr) {
            const bool isOnAll = view.record.id.server == inspect::LockId::kWholeSet;
            return isOnAll || view.serverName.empty()
                       ? std::string()
                       : name() + '=' + inspect::filterValue(escaped(view.serverName));
        }
        const std::string_view text = field.column.sortText(view.record);
        return text.empty() ? std::string() : name() + '=' + inspect::filterValue(escaped(text));
    }

    std::string operator()(const FilterField::Values& values) const
    {
        const std::uint32_t bits = values.bitsOf(view.record);
        for (std::size_t i = 0; i < values.count; ++i) {
            if ((bits >> i & 1U) != 0) {
                return name() + ':' + std::string(values.idAt(i));
            }
        }
        return name() + ":none";
    }

    std::string operator()(FilterField::NumberReader reader) const
    {
        const auto number = reader(view.record);
        return number ? name() + '=' + std::to_string(*number) : std::string();
    }

    std::string operator()(const FilterField::Time& time) const
    {
        const Duration value = time.reader(view.record, view.now);
        if (!time.mayBeEndless) {
            return name() + ">=" + roundedText(value, &roundedDown);
        }
        return value == Duration::max() ? name() + ":never"
                                        : name() + "<=" + roundedText(value, &roundedUp);
    }
};

} // namespace

std::string alikeFilter(const LockField& field, const LockView& view)
{
    return field.filter.name.empty() ? std::string()
                                     : std::visit(Asker{field, view}, field.filter.meaning);
}

} // namespace lockscope::report
