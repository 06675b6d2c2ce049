#include "core/kernel/search/default_plans.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_default_plans {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using protocol::LockProtocol;
using protocol::Mode;
using protocol::ProtocolInfo;
using world::Act;
using world::ClientPlan;
using world::FaultKind;
using world::WorldPlan;

namespace {

int acquisitionsOf(const ClientPlan& client)
{
    return static_cast<int>(std::ranges::count(client.acts, Act::Kind::Acquire, &Act::kind));
}

std::set<Duration> leasesOf(const WorldPlan& plan)
{
    std::set<Duration> leases;
    for (const ClientPlan& client : plan.clients) {
        for (const Act& act : client.acts) {
            if (act.kind == Act::Kind::Acquire) {
                leases.insert(act.span);
            }
        }
    }
    return leases;
}

bool hasMode(const ClientPlan& client, Mode mode)
{
    return std::ranges::any_of(client.acts, [mode](const Act& act) {
        return act.kind == Act::Kind::Acquire && act.mode == mode;
    });
}

/// Holds twice at a time, or two locks.
bool isNested(const ClientPlan& client)
{
    int depth = 0;
    for (const Act& act : client.acts) {
        depth += act.kind == Act::Kind::Acquire ? 1 : act.kind == Act::Kind::Release ? -1 : 0;
        if (depth > 1) {
            return true;
        }
    }
    return false;
}

template<class Predicate>
bool isAny(const ProtocolInfo& info, Predicate predicate)
{
    return std::ranges::any_of(search::defaultShapes(info), predicate);
}

template<class Predicate>
void checkEach(Predicate predicate)
{
    for (const LockProtocol* const protocol : protocol::builtinProtocols()) {
        QVERIFY2(predicate(protocol->info()), protocol->info().id.c_str());
    }
}

bool isShared(const WorldPlan& plan)
{
    return std::ranges::any_of(plan.clients, [](const ClientPlan& client) {
        return client.sharesIdentityWith.has_value();
    });
}

bool hasThreeStaggered(const WorldPlan& plan)
{
    std::set<Duration> starts;
    for (const ClientPlan& client : plan.clients) {
        starts.insert(client.startAt);
    }
    return plan.clients.size() >= 3 && starts.size() >= 2;
}

} // namespace

/// The shapes without which known flaws stay invisible (section 6 of the written ground truth).
class TestDefaultPlans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlanHasANameAndPairsOfActs();
    void twoStartAtOnce();
    void somebodyTriesBehindTheLeaseDuringAPause();
    void threeStartOneAfterTheOther();
    void somebodyHasTwoRounds();
    void nestedHoldsHaveOtherLeases();
    void nestedHoldsOutliveARenewal();
    void permitsOutliveTheirLeaseWhileAnotherWantsOne();
    void leasesEndWithinASecond();
    void aLossCanBeOverlooked();
    void aWaiterGivesUpWhenItIsItsTurn();
    void permitsOfTheDeadEndByThemselves();
    void twoLocksAreHeldAtATime();
    void readersHaveOtherLeases();
    void aServerIsOutOfReach();
    void identitiesAreShared();
    void misuseIsApart();
    void renewalsAreInProportion();
    void faultsAreAllowedInEveryPlan();
    void faultsThatMakeNoDifferenceAreTold();
    void twoMessagesAreLateInOneRun();
    void threeComeInTurnWhileAServerIsOutOfReach();
};

void TestDefaultPlans::everyPlanHasANameAndPairsOfActs()
{
    checkEach([](const ProtocolInfo& info) {
        std::set<std::string> names;
        for (const WorldPlan& plan : search::defaultShapes(info)) {
            const bool isNew = names.insert(plan.name).second;
            if (!isNew || plan.name.empty() || plan.clients.size() < 2
                || plan.faults.totalMax < 0) {
                return false;
            }
            for (const ClientPlan& client : plan.clients) {
                const auto releases = std::ranges::count(client.acts, Act::Kind::Release,
                                                         &Act::kind);
                if (acquisitionsOf(client) == 0 || acquisitionsOf(client) != releases) {
                    return false;
                }
            }
        }
        return names.size() >= 4;
    });
}

void TestDefaultPlans::twoStartAtOnce()
{
    checkEach([](const ProtocolInfo& info) {
        return isAny(info, [](const WorldPlan& plan) {
            return plan.clients[0].startAt == plan.clients[1].startAt;
        });
    });
}

void TestDefaultPlans::somebodyTriesBehindTheLeaseDuringAPause()
{
    checkEach([](const ProtocolInfo& info) {
        return isAny(info, [](const WorldPlan& plan) {
            const Duration pause = world::usualAmount(FaultKind::Pause, plan.leaseMax());
            return std::ranges::any_of(plan.clients, [&](const ClientPlan& client) {
                const Duration latest = client.startAt + plan.retryPause * (plan.triesMax - 1);
                return client.startAt < pause && latest > plan.leaseMax();
            });
        });
    });
}

void TestDefaultPlans::threeStartOneAfterTheOther()
{
    checkEach([](const ProtocolInfo& info) {
        return info.keys == protocol::KeyUse::OnePerServer || isAny(info, hasThreeStaggered);
    });
}

void TestDefaultPlans::somebodyHasTwoRounds()
{
    checkEach([](const ProtocolInfo& info) {
        return isAny(info, [](const WorldPlan& plan) {
            return std::ranges::any_of(plan.clients, [](const ClientPlan& client) {
                return acquisitionsOf(client) >= 2 && !isNested(client);
            });
        });
    });
}

void TestDefaultPlans::nestedHoldsHaveOtherLeases()
{
    checkEach([](const ProtocolInfo& info) {
        const auto plans = search::defaultPlans(info, FaultKind::MixedLeases);
        return info.isReentrant == std::ranges::any_of(plans, [](const WorldPlan& plan) {
                   return isNested(plan.clients[0]) && leasesOf(plan).size() > 1;
               });
    });
}

/// A renewal that changes the count is found by a release after it.
void TestDefaultPlans::nestedHoldsOutliveARenewal()
{
    checkEach([](const ProtocolInfo& info) {
        const bool isCounted = info.isReentrant && !info.hasModes && info.defaults.renewal.isOn();
        return !isCounted || isAny(info, [](const WorldPlan& plan) {
            return std::ranges::any_of(plan.clients, [&plan](const ClientPlan& client) {
                return isNested(client) && client.acts[2].kind == Act::Kind::Work
                       && client.acts[2].span > plan.renewal.period
                       && client.acts[3].kind == Act::Kind::Release;
            });
        });
    });
}

/// A client has to ask between the end of the permits by the fastest clock and by the slowest one.
void TestDefaultPlans::permitsOutliveTheirLeaseWhileAnotherWantsOne()
{
    checkEach([](const ProtocolInfo& info) {
        return !info.hasPermits || isAny(info, [](const WorldPlan& plan) {
            const auto worksOn = [&plan](const ClientPlan& client) {
                return client.startAt == 0s && client.acts[1].span > plan.leaseMax();
            };
            const auto comesMeanwhile = [&plan](const ClientPlan& client) {
                return client.startAt > plan.leaseMax() * 2 / 3 && client.startAt < plan.leaseMax();
            };
            return std::ranges::count_if(plan.clients, worksOn) == plan.permits
                   && std::ranges::any_of(plan.clients, comesMeanwhile);
        });
    });
}

/// A lease begins between two full seconds, and another client asks just before it ends.
void TestDefaultPlans::leasesEndWithinASecond()
{
    checkEach([](const ProtocolInfo& info) {
        return info.hasModes || isAny(info, [](const WorldPlan& plan) {
                   const ClientPlan& first = plan.clients.front();
                   const Duration end = first.startAt + first.acts.front().span;
                   const Duration tried = plan.clients.back().startAt;
                   return first.startAt % 1s != 0s && !first.acts.front().isRenewed && tried < end
                          && end - tried < 1s;
               });
    });
}

/// The first client is still at work when the third one comes, which needs no other fault.
void TestDefaultPlans::aLossCanBeOverlooked()
{
    const ProtocolInfo& info = protocol::findProtocol("lua-token-heartbeat")->info();
    const auto isIt = [](const WorldPlan& plan) { return plan.name == "work beyond a loss"; };
    const std::vector<WorldPlan> pausing = search::defaultPlans(info, FaultKind::Pause);
    const auto plan = std::ranges::find_if(pausing, isIt);
    QVERIFY(plan != pausing.end());
    const Duration firstEnd = plan->clients[0].acts[1].span;
    QVERIFY(plan->faults.of(FaultKind::Pause).amount < plan->clients[2].startAt);
    QVERIFY(plan->clients[2].startAt < firstEnd);
    QVERIFY(std::ranges::none_of(search::defaultPlans(info, FaultKind::Crash), isIt));
}

/// The holder leaves when the patience of a waiter ends, and another waiter is behind it.
void TestDefaultPlans::aWaiterGivesUpWhenItIsItsTurn()
{
    for (const char* const id : {"redisson-fair", "redisson-lock", "list-handoff"}) {
        QVERIFY2(isAny(protocol::findProtocol(id)->info(),
                       [](const WorldPlan& plan) {
                           return plan.clients.size() == 3 && plan.waitMax > 0s
                                  && plan.clients[0].acts[1].span == plan.waitMax
                                  && plan.clients[1].startAt == plan.clients[0].startAt
                                  && plan.clients[2].startAt < plan.waitMax;
                       }),
                 id);
    }
}

void TestDefaultPlans::permitsOfTheDeadEndByThemselves()
{
    const ProtocolInfo& info = protocol::findProtocol("semaphore")->info();
    QVERIFY(isAny(info, [](const WorldPlan& plan) {
        const Duration end = plan.clients.front().startAt + plan.leaseMax();
        const auto later = std::ranges::count_if(plan.clients, [end](const ClientPlan& client) {
            return client.startAt > end;
        });
        return plan.clients.front().diesHolding && later == plan.permits;
    }));
}

void TestDefaultPlans::twoLocksAreHeldAtATime()
{
    checkEach([](const ProtocolInfo& info) {
        const bool isWanted = info.isReentrant && !info.hasModes;
        return !isWanted || isAny(info, [](const WorldPlan& plan) {
            return isNested(plan.clients[0]) && plan.keyCount() == 2;
        });
    });
}

void TestDefaultPlans::readersHaveOtherLeases()
{
    checkEach([](const ProtocolInfo& info) {
        return !info.hasModes || isAny(info, [](const WorldPlan& plan) {
            const auto readers = std::ranges::count_if(plan.clients, [](const auto& client) {
                return hasMode(client, Mode::Read);
            });
            return readers == 2 && hasMode(plan.clients.back(), Mode::Write)
                   && leasesOf(plan).size() > 1;
        });
    });
}

void TestDefaultPlans::aServerIsOutOfReach()
{
    checkEach([](const ProtocolInfo& info) {
        const bool isWanted = info.keys == protocol::KeyUse::OnePerServer;
        return isWanted == isAny(info, [](const WorldPlan& plan) {
                   return plan.nodeCount >= 3 && !plan.unreachable.empty();
               });
    });
}

void TestDefaultPlans::identitiesAreShared()
{
    checkEach([](const ProtocolInfo& info) {
        const auto plans = search::defaultPlans(info, FaultKind::SharedIdentity);
        return info.isReentrant == std::ranges::any_of(plans, isShared);
    });
}

/// Misuse is no fault, and no run of the others has any.
void TestDefaultPlans::misuseIsApart()
{
    checkEach([](const ProtocolInfo& info) {
        for (int i = 0; i < static_cast<int>(FaultKind::FirstMisuse); ++i) {
            const auto plans = search::defaultPlans(info, static_cast<FaultKind>(i));
            const bool isMisused = std::ranges::any_of(plans, [](const WorldPlan& plan) {
                return isShared(plan) || (isNested(plan.clients[0]) && leasesOf(plan).size() > 1);
            });
            if (isMisused) {
                return false;
            }
        }
        return true;
    });
}

void TestDefaultPlans::renewalsAreInProportion()
{
    checkEach([](const ProtocolInfo& info) {
        const protocol::Renewal& usual = info.defaults.renewal;
        return std::ranges::all_of(search::defaultShapes(info), [&](const WorldPlan& plan) {
            if (usual.isOn() != plan.renewal.isOn()) {
                return false;
            }
            const Duration wanted = 10s * usual.period.count() / info.defaults.lease.count();
            return !usual.isOn()
                   || (plan.renewal.period <= std::max(wanted, Duration(1s))
                       && plan.renewal.period + 1s > wanted
                       && plan.renewal.tellsHolder == usual.tellsHolder);
        });
    });
}

void TestDefaultPlans::faultsAreAllowedInEveryPlan()
{
    for (int i = 0; i < static_cast<int>(FaultKind::FirstMisuse); ++i) {
        const auto fault = static_cast<FaultKind>(i);
        checkEach([fault](const ProtocolInfo& info) {
            const auto plans = search::defaultPlans(info, fault);
            return !plans.empty() && std::ranges::all_of(plans, [fault](const WorldPlan& plan) {
                return plan.faults.allows(fault) == (fault != FaultKind::Interleaving);
            });
        });
    }
}

void TestDefaultPlans::faultsThatMakeNoDifferenceAreTold()
{
    const auto& plain = protocol::findProtocol("set-nx-ex")->info();
    const auto& renewing = protocol::findProtocol("redisson-lock")->info();
    QVERIFY(!search::isApplicable(FaultKind::Hang, plain));
    QVERIFY(search::isApplicable(FaultKind::Hang, renewing));
    QVERIFY(!search::isApplicable(FaultKind::ScriptFlush, plain));
    QVERIFY(search::isApplicable(FaultKind::ScriptFlush, renewing));
    QVERIFY(search::isApplicable(FaultKind::Pause, plain));
}

void TestDefaultPlans::twoMessagesAreLateInOneRun()
{
    checkEach([](const ProtocolInfo& info) {
        const auto plans = search::defaultPlans(info, FaultKind::MessageDelay);
        const bool isOnOneServer = info.keys != protocol::KeyUse::OnePerServer;
        return !isOnOneServer || std::ranges::any_of(plans, [](const WorldPlan& plan) {
            return plan.faults.of(FaultKind::MessageDelay).countMax == 2
                   && plan.faults.totalMax >= 2 && plan.clients[0].acts.size() >= 6;
        });
    });
}

void TestDefaultPlans::threeComeInTurnWhileAServerIsOutOfReach()
{
    const auto plans = search::defaultShapes(protocol::findProtocol("redlock")->info());
    QVERIFY(std::ranges::any_of(plans, [](const WorldPlan& plan) {
        return plan.clients.size() == 3 && !plan.unreachable.empty()
               && plan.clients[0].startAt < plan.clients[1].startAt
               && plan.clients[1].startAt < plan.clients[2].startAt;
    }));
}

LOCKSCOPE_TEST(TestDefaultPlans, Core)

} // namespace lockscope::tst_default_plans

#include "tst_default_plans.moc"
