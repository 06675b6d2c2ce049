#include "ui/models/matrix/cell_wording.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/violation.h"
#include "ui/models/formatting.h"
#include "ui/models/protocol_text.h"
#include "ui/models/ui_text.h"

namespace lockscope::models {

using namespace Qt::StringLiterals;
using report::CellReport;
using report::CellVerdict;
using report::CellView;
using Standing = report::CellStanding;

namespace {

constexpr std::size_t kStoryLinesMax = 8; // of a tooltip

QString stepsOf(const CellVerdict& verdict)
{
    return countedText(verdict.result.finding->length, UiText::tr("step"), UiText::tr("steps"));
}

/// "“one holder at a time” breaks: A and B both hold k"
QString breachText(const CellVerdict& verdict)
{
    const world::Violation& violation = verdict.result.finding->violation;
    const QString breach = UiText::tr("“%1” breaks: %2")
                               .arg(promiseText(violation.promise),
                                    toQString(describe(violation,
                                                       verdict.plan.keyName(violation.lock))));
    return verdict.plan.name.empty()
               ? breach
               : UiText::tr("%1 (plan “%2”)")
                     .arg(breach, toQString(KernelText::lookUp(verdict.plan.name)));
}

QString coverageText(const CellReport& cell)
{
    return UiText::tr("%1 schedules and %2 states were explored")
        .arg(countText(static_cast<std::int64_t>(cell.coverage.schedules)),
             countText(static_cast<std::int64_t>(cell.coverage.states)));
}

QString untestedDetail(const CellReport& cell)
{
    return cell.isNeverGranted() || cell.isStopped()
               ? toQString(report::untestedText(std::span(&cell, 1)))
               : UiText::tr("No run had a chance to break a promise: %1").arg(coverageText(cell));
}

QString namesOf(const std::vector<search::Harm>& harms)
{
    QStringList names;
    for (const search::Harm harm : harms) {
        names += toQString(search::nameOf(harm));
    }
    return listed(names);
}

QString ownDetail(const CellReport& cell, const CellView& view)
{
    switch (view.standing) {
    case Standing::Harmed:
    case Standing::HarmedAnyway: return breachText(*view.verdict);
    case Standing::Held:
        return UiText::tr("%1, the complete search space of the plans.").arg(coverageText(cell));
    case Standing::HeldSoFar:
        return UiText::tr("%1 before the bound was reached.").arg(coverageText(cell));
    case Standing::NotExercised:
        return UiText::tr("No run had a chance for it: %1.").arg(coverageText(cell));
    case Standing::Untested: return untestedDetail(cell);
    case Standing::Unknown:
    case Standing::NotApplicable: break;
    }
    return toQString(infoOf(*cell.fault).description());
}

} // namespace

QString verdictText(const CellReport& cell, const CellView& view)
{
    switch (view.standing) {
    case Standing::Unknown: return UiText::tr("not searched yet");
    case Standing::Harmed:
        return UiText::tr("%1 in %2")
            .arg(toQString(search::nameOf(*view.harm)), stepsOf(*view.verdict));
    case Standing::HarmedAnyway:
        return UiText::tr("%1 in %2; not promised otherwise")
            .arg(toQString(search::nameOf(*view.harm)), stepsOf(*view.verdict));
    case Standing::Held: return UiText::tr("does not happen");
    case Standing::HeldSoFar: return UiText::tr("did not happen as far as it was searched");
    case Standing::NotExercised: return UiText::tr("could have happened in no run");
    case Standing::Untested: return UiText::tr("nothing was tested");
    case Standing::NotApplicable: break;
    }
    return cell.isApplicable ? UiText::tr("has nothing that could go wrong this way")
                             : UiText::tr("has no effect");
}

QString detailText(const CellReport& cell, const CellView& view)
{
    QString detail = ownDetail(cell, view);
    if (!view.isHarmed() && !view.untested.empty() && view.standing != Standing::NotExercised) {
        detail += UiText::tr(" Without a chance in any run: %1.").arg(namesOf(view.untested));
    }
    if (!view.others.empty()) {
        detail += UiText::tr(" What happens besides: %1.").arg(namesOf(view.others));
    }
    return detail;
}

QStringList storyBeginning(const std::vector<search::StoryLine>& story)
{
    QStringList lines;
    const std::size_t shown = story.size() <= kStoryLinesMax ? story.size() : kStoryLinesMax - 1;
    for (std::size_t i = 0; i < shown; ++i) {
        const QString number = story[i].number > 0 ? u"%1. "_s.arg(story[i].number) : u"– "_s;
        lines += number + toQString(story[i].text);
    }
    if (shown < story.size()) {
        lines += UiText::tr("… and %1 more")
                     .arg(countedText(static_cast<std::int64_t>(story.size() - shown),
                                      UiText::tr("line"), UiText::tr("lines")));
    }
    return lines;
}

QString cellText(const CellReport& cell, const CellView& view, std::span<const search::Harm> never)
{
    switch (view.standing) {
    case Standing::NotApplicable: return u"–"_s;
    case Standing::NotExercised: return u"·"_s;
    default: return toQString(report::cellText(cell, never));
    }
}

QString meaningOf(Standing standing)
{
    switch (standing) {
    case Standing::Harmed:
        return UiText::tr("it happens in 7 steps, although the protocol promises otherwise");
    case Standing::HarmedAnyway:
        return UiText::tr("it happens, and the protocol does not promise otherwise");
    case Standing::Held: return UiText::tr("it does not happen, search complete");
    case Standing::HeldSoFar: return UiText::tr("it did not happen up to the bound");
    case Standing::NotExercised: return UiText::tr("could have happened in no run");
    case Standing::Untested: return UiText::tr("nothing was tested");
    case Standing::NotApplicable: return UiText::tr("no effect");
    case Standing::Unknown: break;
    }
    return UiText::tr("not searched yet");
}

QString exampleOf(Standing standing)
{
    switch (standing) {
    case Standing::Harmed: return u"7"_s;
    case Standing::HarmedAnyway: return u"(7)"_s;
    case Standing::Held: return u"ok"_s;
    case Standing::HeldSoFar: return u"ok?"_s;
    case Standing::NotExercised: return u"·"_s;
    case Standing::Untested: return u"!"_s;
    case Standing::NotApplicable: return u"–"_s;
    case Standing::Unknown: break;
    }
    return {};
}

} // namespace lockscope::models
