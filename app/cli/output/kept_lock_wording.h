#pragma once

#include "app/cli/options/lock_acquisition.h"
#include "core/kernel/base/clock.h"
#include "core/service/lock_keeper.h"

#include <string>

// What run and acquire say about a lock that they keep, and how they end because of it.
namespace lockscope::cli {

/// "it is gone: somebody deleted it, or it ran out"
std::string lossText(trace::LossReason reason);

/// 3 when another client has it, 4 when it is gone, 1 or 5 when the server is the reason.
int exitCodeOfLoss(trace::LossReason reason);

/// Why a lock was not acquired: of the states Refused, Failed and Uncertain.
std::string refusalSentence(const service::KeptLock& lock, Duration waitLimit);
int exitCodeOfRefusal(const service::KeptLock& lock);

/// What it says about the protocol before it is used; empty when there is nothing to warn of.
std::string warningAbout(const protocol::ProtocolInfo& info);

/// The order for the keeper.
service::KeepOrder orderFor(const LockAcquisition& acquisition,
                            const std::vector<store::Endpoint>& servers);

} // namespace lockscope::cli
