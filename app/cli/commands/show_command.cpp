#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/lock_explanation.h"
#include "app/cli/output/plan_text.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "app/quoted_words.h"
#include "core/kernel/inspect/server_questions.h"
#include "core/operations/lock_observation.h"
#include "core/operations/owner_search.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope::cli {

using inspect::LockInspection;
using inspect::LockPtr;
using Purpose = operations::LockInspector::Purpose;
using store::Problem;

namespace {

bool mayHaveMoreLocks(const std::vector<LockInspection>& seen)
{
    return std::ranges::any_of(seen, [](const LockInspection& inspection) {
        const auto& decoded = inspection.decodedLocks;
        return !decoded.empty()
               && operations::OwnerSearch::isWorthwhile(*decoded.front().ownerScope,
                                                        decoded.front().holders);
    });
}

operations::ObservedKeys keysOf(const std::vector<LockInspection>& seen, std::size_t serverCount)
{
    operations::ObservedKeys keys(serverCount);
    for (const LockInspection& inspection : seen) {
        inspect::KeyGroup group{inspection.snapshot.name, {}};
        for (const inspect::Observation& key : inspection.snapshot.keys) {
            group.keys.push_back(key.key);
        }
        keys[inspection.snapshot.server].push_back(std::move(group));
    }
    return keys;
}

/// Looks for the other locks of its owner, and then at the lock for as long as was asked.
async::Task<Problem> watchIt(Context context, ServerLinks& links, operations::OwnerSearch& search,
                             const std::vector<LockInspection>& seen,
                             inspect::FormatTablePtr formats, Duration span)
{
    search.leaveOut(links.unreachable());
    if (mayHaveMoreLocks(seen)) {
        const bool isComplete = co_await search.run(operations::OwnerSearch::kUsualPatience);
        if (!isComplete) {
            context.output.complain("other locks of the same owner may be missing here: not every "
                                    "key could be looked at");
        }
    }
    if (!store::mayVoteTogether(links.infos())) {
        search.book().keepApart(context.clock.now());
    }
    if (span == Duration(0)) {
        co_return Problem();
    }
    for (const LockInspection& inspection : seen) {
        search.book().see(inspection.snapshot, context.clock.now());
    }
    operations::ObservedKeys keys = keysOf(seen, links.count());
    auto lost = co_await operations::observeLocks(links.servers(), context.clock, search.book(),
                                                  std::move(formats), std::move(keys), span);
    if (!lost) {
        co_return Problem();
    }
    context.output.complain(store::serverName(context.endpoints[lost->first]) + ": "
                            + store::explain(lost->second));
    co_return std::move(lost->second);
}

/// The lock of each server, or the one of the set, with what single keys do not tell: its waiters,
/// the clients behind its owners, and what else these hold.
using Rows = std::vector<LockPtr>;
async::Task<std::variant<Rows, Problem>> withCompany(Context context, ServerLinks& links,
                                                     inspect::LockBook& book,
                                                     const operations::InspectedLock& inspected,
                                                     Bytes name)
{
    for (const LockInspection& inspection : inspected.inspections) {
        book.see(inspection.snapshot, context.clock.now());
    }
    const std::vector<std::uint16_t> unasked = inspected.unasked();
    for (std::uint16_t server = 0; server < links.count(); ++server) {
        if (std::ranges::find(unasked, server) != unasked.end()) {
            continue;
        }
        book.setSwept(server, context.clock.now()); // all that this book is asked of it
        Problem problem = co_await inspect::askAboutClients(links.store(server), context.clock,
                                                            book, server);
        if (problem.kind != Problem::Kind::None) {
            context.output.complain(store::serverName(context.endpoints[server]) + ": "
                                    + store::explain(problem));
            co_return problem;
        }
    }
    Rows rows = book.rows();
    std::erase_if(rows, [&](const LockPtr& lock) { return lock->id.name != name; });
    co_return rows;
}

/// On a Redlock set the best decoded lock may come from any of the servers.
std::vector<inspect::Fact> factsOf(const std::vector<LockInspection>& seen,
                                   const LockExplanation& explanation)
{
    if (explanation.decodedLocks.empty()) {
        return {};
    }
    const inspect::DecodedLock& best = explanation.decodedLocks.front();
    for (const LockInspection& inspection : seen) {
        const bool isItsOwn = !inspection.decodedLocks.empty()
                              && inspection.decodedLocks.front().format == best.format
                              && inspection.decodedLocks.front().holders == best.holders;
        if (isItsOwn) {
            return inspect::factsOf(inspection.snapshot, best, inspection.formats->recognisers());
        }
    }
    return {};
}

/// `serverCount` of a set, or 1.
LockExplanation explanationOf(const std::vector<LockInspection>& seen, std::size_t serverCount,
                              LockPtr lock, Bytes name)
{
    operations::LockDetails details = operations::detailsOf(seen, serverCount);
    LockExplanation explanation;
    explanation.name = std::move(name);
    // A sweep takes anything with the name of a lock for one; this command wants a format.
    explanation.lock = lock && details.lock ? std::move(lock) : details.lock;
    explanation.snapshots = std::move(details.snapshots);
    explanation.nodes = std::move(details.nodes);
    explanation.decodedLocks = std::move(details.decodedLocks);
    explanation.facts = factsOf(seen, explanation);
    explanation.release = std::move(details.release);
    explanation.warnings = std::move(details.warnings);
    if (const auto misfit = misfitSentence(operations::InspectedLock{seen, {}}); !misfit.empty()) {
        explanation.warnings.insert(explanation.warnings.begin(), misfit);
    }
    explanation.formats = std::move(details.formats);
    return explanation;
}

LockPtr rowOf(const Rows& rows, std::uint16_t server)
{
    const auto row = std::ranges::find_if(rows, [server](const LockPtr& lock) {
        return lock->id.server == server;
    });
    return row == rows.end() ? LockPtr() : *row;
}

/// One for the set, or one for each server that has the key. One in any case.
std::vector<LockExplanation> explanationsOf(const std::vector<LockInspection>& seen,
                                            const Rows& rows, std::size_t serverCount,
                                            const Bytes& name)
{
    constexpr std::uint16_t kSet = inspect::LockId::kWholeSet;
    if (const LockPtr row = rowOf(rows, kSet)) {
        return {explanationOf(seen, serverCount, row, name)};
    }
    std::vector<LockExplanation> explanations;
    for (const LockInspection& inspection : seen) {
        if (inspection.snapshot.exists()) {
            explanations.push_back(explanationOf({inspection}, 1,
                                                 rowOf(rows, inspection.snapshot.server), name));
        }
    }
    if (explanations.empty()) {
        explanations.push_back(explanationOf(seen, 1, nullptr, name));
    }
    return explanations;
}

constexpr CommandText kShowText{
    .name = "show",
    .operand = "KEY",
    .summary = "explain one lock",
    .details = R"(
Explains one lock: its problems, its keys, what was decoded and on which evidence, other
possible formats, and the commands that would release it. Why it may be stuck is answered with
reasons, the most probable first: what speaks for each, how it may be a false alarm, and what to
do; what a look does not tell is listed as not known. With --for the lock is watched first, which
also shows renewals, counts that only grow, clients that leave, and what is usual. Read-only. The
exit code is 4 if the key does not exist. KEY may contain bytes as \xNN; write a backslash before
an x as \x5c.
Of a Redlock set, each server is listed with its vote, the time it has left, its clock beside ours,
and the time it took to reply. A server that cannot be reached is an unknown vote, and the exit code
is 1. Of separate servers, the lock of each that has the key is explained.
)",
    .examples = R"(
  lockscope-cli show job:sync --url redis://cache-1:6379
  lockscope-cli show job:sync --for 30s
  lockscope-cli show job:sync --url redis://a --url redis://b --url redis://c --redlock-set
)",
    .servers = ServerUse::NamedOrLocal,
};

class ShowCommand final : public CommandWith<ShowArguments> {
public:
    ShowCommand() : CommandWith(kShowText) {}

    void declare(app::OptionSet& options) override
    {
        options.addDuration("for", m_arguments.watchFor,
                            "Watch the lock for so long before it is explained.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override { m_arguments.key = keyOf(operands.first()); }

    async::Task<int> run(Context context) override
    {
        ServerLinks links(context);
        const bool isOpen = co_await links.open(ServerLinks::Absence::OfSome);
        if (!isOpen) {
            co_return exitCodeOf(links.problem());
        }
        const inspect::FormatTablePtr formats = formatsOfUser(context.output);
        operations::LockInspector inspector(links.servers(), context.clock, formats);
        operations::OwnerSearch search(context.executor, context.clock, links.servers(), formats);
        const inspect::LockId id{inspect::LockId::kWholeSet, m_arguments.key};
        operations::InspectedLock inspected = co_await inspector.inspectLock(id, Purpose::Look);
        Problem problem = complainAbout(inspected, links, context);
        if (problem.kind == Problem::Kind::None) {
            problem = co_await watchIt(context, links, search, inspected.inspections, formats,
                                       m_arguments.watchFor);
        }
        if (problem.kind == Problem::Kind::None && m_arguments.watchFor > Duration(0)) {
            inspected = co_await inspector.inspectLock(id, Purpose::Look);
            problem = complainAbout(inspected, links, context);
        }
        if (problem.kind != Problem::Kind::None) {
            co_return exitCodeOf(problem);
        }
        auto rows = co_await withCompany(context, links, search.book(), inspected, m_arguments.key);
        if (const auto* const later = std::get_if<Problem>(&rows)) {
            co_return exitCodeOf(*later);
        }
        const auto facts = co_await inspector.factsOfServers(id, inspected.unasked());
        const int code = print(context, inspected, std::get<Rows>(rows), facts);
        co_return code != ExitDone ? code : links.codeOfAbsence();
    }

private:
    int print(const Context& context, const operations::InspectedLock& inspected, const Rows& rows,
              const std::vector<diagnosis::ServerFacts>& facts) const
    {
        std::vector<LockExplanation> all = explanationsOf(inspected.inspections, rows,
                                                          context.endpoints.size(),
                                                          m_arguments.key);
        const operations::OwnerNamesPtr owners = ownersOfUser(context.output);
        for (LockExplanation& explanation : all) {
            explanation.owners = *owners;
            explanation.serverFacts = facts;
            diagnosis::addFacts(explanation.nodes, facts);
            for (const auto& [server, problem] : inspected.failures) {
                if (server < explanation.nodes.size()) {
                    explanation.nodes[server].problem = problem;
                }
            }
        }
        const Instant now = context.clock.now();
        if (m_arguments.format == Format::Json) {
            context.output.print(explanationsJson(all, context.endpoints, now).dump() + '\n');
        } else if (inspected.exists()) {
            for (const LockExplanation& explanation : all) {
                context.output.print((&explanation == all.data() ? "" : "\n")
                                     + explanationText(explanation, context.endpoints, now));
            }
        }
        if (!inspected.exists() && !inspected.failures.empty()) {
            context.output.complain("the servers that could be asked have no key "
                                    + app::inQuotes(escaped(m_arguments.key)));
            return ExitUnreachable;
        }
        if (!inspected.exists()) {
            context.output.complain("there is no key " + app::inQuotes(escaped(m_arguments.key)));
            return ExitAlreadyGone;
        }
        return ExitDone;
    }
};

} // namespace

std::unique_ptr<Command> showCommand()
{
    return std::make_unique<ShowCommand>();
}

} // namespace lockscope::cli
