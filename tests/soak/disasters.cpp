#include "tests/soak/disasters.h"

#include "tests/support/live/group_of_servers.h"
#include "tests/support/live/plain_client.h"

#include <sys/resource.h>

namespace lockscope::testing {

using store::Command;

namespace {

constexpr int kKillStorm = 30;
constexpr int kLongFreezeMs = 20'000;
constexpr int kSlowMs = 50; // in each direction
constexpr int kVerySlowMs = 1000;

void killMaster(const Scene& scene)
{
    const std::size_t master = scene.topology.someMaster(scene.rng);
    scene.topology.node(master).kill();
    scene.topology.waitForSuccessor(master);
    scene.topology.restart(master);
}

/// As long as a machine that swaps: it takes itself for the master when it is back.
void freezeMaster(const Scene& scene)
{
    const std::size_t master = scene.topology.someMaster(scene.rng);
    scene.topology.freeze(master);
    letTimePass(kLongFreezeMs); // somebody else is the master long before
    scene.topology.waitForSuccessor(master);
    scene.topology.thaw(master);
}

/// Too short for anybody to take its place.
void holdBreath(const Scene& scene)
{
    const std::size_t master = scene.topology.someMaster(scene.rng);
    scene.topology.freeze(master);
    letTimePass(300);
    scene.topology.thaw(master);
}

void killClients(const Scene& scene)
{
    for (int i = 0; i < kKillStorm; ++i) {
        PlainClient client(scene.topology.node(scene.topology.someMaster(scene.rng)).endpoint());
        client("CLIENT", "KILL", "TYPE", "normal");
        client("CLIENT", "KILL", "TYPE", "pubsub");
    }
}

/// Nobody else is let in; those who are stay.
void refuseClients(const Scene& scene)
{
    PlainClient client(scene.topology.node(scene.topology.someMaster(scene.rng)).endpoint());
    client("CONFIG", "SET", "maxclients", 1);
    client("CLIENT", "KILL", "TYPE", "pubsub");
    letTimePass(400);
    client("CONFIG", "SET", "maxclients", 10'000);
}

void exhaustMemory(const Scene& scene)
{
    PlainClient client(scene.topology.node(scene.topology.someMaster(scene.rng)).endpoint());
    client("CONFIG", "SET", "maxmemory", 1);
    client("CLIENT", "KILL", "TYPE", "normal");
    letTimePass(400);
    client("CONFIG", "SET", "maxmemory", 0);
}

void limitFiles(const wire::PrivateServer& server, rlim_t bytes)
{
    const rlimit limit{bytes, RLIM_INFINITY};
    ::prlimit(static_cast<pid_t>(server.processId()), RLIMIT_FSIZE, &limit, nullptr);
}

/// A snapshot that cannot be written: the server refuses writes (MISCONF), as with a full disk.
void fillDisk(const Scene& scene)
{
    const wire::PrivateServer& server = scene.topology.node(scene.topology.someMaster(scene.rng));
    PlainClient client(server.endpoint());
    limitFiles(server, 0);
    client("CONFIG", "SET", "save", "3600 1");
    client("BGSAVE");
    waitForGroup("the disk is not full", [&client] {
        return client("INFO", "persistence").text()->find("rdb_last_bgsave_status:err")
               != Bytes::npos;
    });
    client("CLIENT", "KILL", "TYPE", "normal");
    letTimePass(400);
    limitFiles(server, RLIM_INFINITY);
    client("CONFIG", "SET", "save", "");
}

void runLongScript(const Scene& scene)
{
    wire::PrivateServer& server = scene.topology.node(scene.topology.someMaster(scene.rng));
    PlainClient client(server.endpoint());
    client("CONFIG", "SET", "lua-time-limit", 100);
    PlainClient busy(server.endpoint());
    busy.send(Command("EVAL", "while true do end", 0));
    letTimePass(600);
    client("SCRIPT", "KILL");
    busy.listen();
}

/// Whoever looks at the servers from afar does so in this state as well.
void slowDown(const Scene& scene)
{
    scene.way->delay(kSlowMs);
    letTimePass(1000);
}

/// Longer than anybody waits for an answer.
void slowDownALot(const Scene& scene)
{
    scene.way->delay(kVerySlowMs);
    letTimePass(6 * kVerySlowMs);
    scene.way->mend();
}

void cutTheWay(const Scene& scene)
{
    scene.way->cut();
    letTimePass(3000);
    scene.way->mend();
}

} // namespace

const std::vector<Disaster>& disastersOfServers()
{
    static const std::vector<Disaster> kAll{
        {"kill -9", &killMaster},
        {"SIGSTOP for 20 s", &freezeMaster, true},
        {"SIGSTOP for a moment", &holdBreath},
        {"a failover that was asked for",
         [](const Scene& scene) { scene.topology.failOver(scene.topology.someMaster(scene.rng)); }},
        {"a slot that moves", [](const Scene& scene) { scene.topology.moveSomething(scene.rng); }},
        {"a storm of CLIENT KILL", &killClients},
        {"maxclients", &refuseClients},
        {"no memory", &exhaustMemory},
        {"a disk that is full", &fillDisk},
        {"a script that does not end", &runLongScript},
    };
    return kAll;
}

const std::vector<Disaster>& disastersOfNetworks()
{
    static const std::vector<Disaster> kAll{
        {"round trips of 100 ms", &slowDown},
        {"round trips of 2 s", &slowDownALot},
        {"connections that are half open", [](const Scene& scene) { scene.way->forget(); }},
        {"a network that is cut", &cutTheWay},
        {"kill -9 with round trips of 100 ms",
         [](const Scene& scene) {
             scene.way->delay(kSlowMs);
             killMaster(scene);
         }},
        {"a failover behind half-open connections",
         [](const Scene& scene) {
             scene.way->forget();
             scene.topology.failOver(scene.topology.someMaster(scene.rng));
         }},
    };
    return kAll;
}

} // namespace lockscope::testing
