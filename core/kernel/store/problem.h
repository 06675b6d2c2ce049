#pragma once

#include <string>
#include <string_view>

namespace lockscope::store {

/// Why a server could not be reached, used or trusted. A value, so that every surface can say what
/// to do next.
struct Problem {
    enum class Kind {
        None,
        HostNotFound,         // the name does not resolve
        ConnectionRefused,    // nothing listens there
        ConnectTimedOut,      // no answer to the connection attempt
        SocketMissing,        // the unix socket does not exist
        AccessDenied,         // the unix socket may not be opened by this user
        TlsFailed,            // the handshake, for a reason that has no kind of its own
        TlsNotSpoken,         // something answers there, but not in TLS
        TlsUnknownAuthority,  // no trusted authority has signed the server's certificate
        TlsExpired,           // the server's certificate is not valid now
        TlsWrongName,         // the server's certificate is for other names; see detail
        TlsCertificateNeeded, // the server wants a client certificate, or another one
        TlsFileUnusable, // a file of ours: not readable, no certificate, a key that does not match
        // Behind ssh; detail: its words
        SshFailed,       // it could not connect, or not on to the server
        SshRefused,      // this user is not let in, or the host is not trusted
        NotRedis,        // something answers, but it does not speak Redis
        ProtocolBroken,  // a Redis that stopped making sense in the middle
        LimitExceeded,   // more than this program takes (see limits.h); detail names the limit
        ConnectionLost,  // the stream ended
        ReplyTimedOut,   // sent, connected, and no answer within the deadline
        PasswordWrong,   // WRONGPASS
        PasswordNeeded,  // NOAUTH
        NoPermission,    // NOPERM: see command and rule
        NoSuchDatabase,  // SELECT refused
        Loading,         // the server is still reading its data set
        ReadOnlyMode,    // refused here, by the read-only switch of the connection
        ReplicaReadOnly, // READONLY: the server is a replica
        NotMaster,       // a replica, asked before anything was written: detail is its master;
                         // rule: why that could not be asked in its place; empty: it was not tried
        GuardLost,       // the connection that noticed writes to a lock's keys was lost
        NotConnected,    // no connection at this moment
        ServerRefused,   // any other error reply; see detail
        // Of a server that Sentinels name:
        NoSentinel,        // none can be asked; detail: each one with its reason
        SentinelPassword,  // they want another user name or password; detail: their words
        NoSuchMaster,      // detail: the name that they do not know; rule: those that they do
        MasterUnreachable, // detail: who named which address, and what became of it
        MasterChanging,    // the server that they name is no master; detail: who named it
        MasterMoved,       // another server is the master now; detail: its address
        // Of a cluster:
        NoClusterNode,       // none of those that are named can be asked; detail: each, its reason
        NotACluster,         // detail: the address of the server that is none of its nodes
        ClusterNodeLost,     // a master cannot be asked; detail: its address, and what became of it
        ClusterSlotsUnowned, // nobody has them; detail: which: "0-100, 5000"
        ClusterUnsupported,  // this cannot be done with a cluster
    };

    Kind kind = Kind::None;
    std::string detail;  // the system's or the server's own words
    std::string command; // NoPermission: the command that was refused, e.g. "client|tracking"; may
                         // be empty
    std::string rule;    // NoPermission: the ACL rule that would allow it, e.g. "+client|tracking"

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// The error code of answers that are made here where a node of a cluster cannot be asked about a
/// key: it is not known what is there.
inline constexpr std::string_view kNodeDownCode = "NODEDOWN";

/// Reads a server's error reply. `attemptedCommand` is the command that was sent ("CLIENT
/// TRACKING"); Redis before 7 does not repeat it in its message. Error texts as of Redis 6.0
/// to 7.2.
Problem problemOfServerError(std::string_view errorText, std::string_view attemptedCommand);

/// Trouble with the link, or a server that is starting up: the same command may well work in a
/// moment. What a server refuses stays refused.
bool isPassing(const Problem& problem);

/// Who is the master, of a server that Sentinels name or in a cluster, is not certain: what would
/// be written there may get lost.
bool isAboutMaster(const Problem& problem);

/// One or two plain sentences: what is wrong, and what to do next. Never contains a password.
std::string explain(const Problem& problem);

} // namespace lockscope::store
