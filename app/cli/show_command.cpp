#include "cli/show_command.h"

#include "cli/exit_code.h"
#include "cli/lock_explanation.h"
#include "cli/lock_study.h"
#include "cli/survey.h"
#include "redis_release_desk.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

using inspect::LockPtr;
using store::Problem;

namespace {

/// The lock with what single keys do not tell: its waiters, and the clients behind its owners.
async::Task<LockPtr> withCompany(Context context, ServerLinks& links, LockStudy& study, Bytes name)
{
    inspect::LockBook book(static_cast<std::uint16_t>(links.count()));
    if (!store::mayVoteTogether(links.infos())) {
        book.keepApart(context.clock.now());
    }
    const Selection selection;
    for (const inspect::Examination& examination : study.examinations) {
        book.see(examination.sighting, context.clock.now());
    }
    for (std::uint16_t server = 0; server < links.count(); ++server) {
        book.setSwept(server, context.clock.now()); // all that this book is asked of it
        Survey survey(context, server, links.store(server), book, selection, [] {});
        study.problem = co_await survey.askAboutCompany();
        if (study.problem.kind != Problem::Kind::None) {
            context.output.complain(store::serverName(context.endpoints[server]) + ": "
                                    + store::explain(study.problem));
            co_return nullptr;
        }
    }
    const std::vector<LockPtr> rows = book.rows();
    const auto row = std::ranges::find_if(rows, [&](const LockPtr& lock) {
        return lock->id.name == name;
    });
    co_return row == rows.end() ? nullptr : *row;
}

/// On a Redlock set the best reading may come from any of the servers.
std::vector<inspect::Fact> factsOf(const LockStudy& study, const LockExplanation& explanation)
{
    if (explanation.readings.empty()) {
        return {};
    }
    const inspect::Reading& best = explanation.readings.front();
    for (const inspect::Examination& examination : study.examinations) {
        const bool isItsOwn = !examination.readings.empty()
                              && examination.readings.front().format == best.format
                              && examination.readings.front().holders == best.holders;
        if (isItsOwn) {
            return inspect::factsOf(examination.sighting, best);
        }
    }
    return {};
}

LockExplanation explanationOf(const LockStudy& study, bool isOfSet, LockPtr lock, Bytes name)
{
    service::LockDossier dossier = wire::dossierOf(study.examinations,
                                                   isOfSet ? study.examinations.size() : 1);
    LockExplanation explanation;
    explanation.name = std::move(name);
    // Those who sweep take whatever is named for a lock; who asks what it is wants a format.
    explanation.lock = lock && dossier.lock ? std::move(lock) : dossier.lock;
    explanation.sightings = std::move(dossier.sightings);
    explanation.readings = std::move(dossier.readings);
    explanation.facts = factsOf(study, explanation);
    explanation.release = std::move(dossier.release);
    explanation.warnings = std::move(dossier.warnings);
    return explanation;
}

} // namespace

async::Task<int> runShow(Context context, ShowArguments arguments)
{
    ServerLinks links(context);
    const bool isOpen = co_await links.open();
    if (!isOpen) {
        co_return exitCodeOf(links.problem());
    }
    LockStudy study = co_await studyLock(context, links, arguments.key);
    if (study.problem.kind != Problem::Kind::None) {
        co_return exitCodeOf(study.problem);
    }
    LockPtr lock = co_await withCompany(context, links, study, arguments.key);
    if (study.problem.kind != Problem::Kind::None) {
        co_return exitCodeOf(study.problem);
    }
    const LockExplanation explanation = explanationOf(study, store::mayVoteTogether(links.infos()),
                                                      std::move(lock), arguments.key);
    const Instant now = context.clock.now();
    if (arguments.format == Format::Json) {
        context.output.print(explanationJson(explanation, context.endpoints, now).dump() + '\n');
    } else if (study.exists()) {
        context.output.print(explanationText(explanation, context.endpoints, now));
    }
    if (!study.exists()) {
        context.output.complain("there is no key " + app::inQuotes(escaped(arguments.key)));
        co_return ExitAlreadyGone;
    }
    co_return ExitDone;
}

} // namespace lockscope::cli
