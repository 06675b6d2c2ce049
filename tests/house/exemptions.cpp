#include "tests/house/rule.h"

#include <array>

namespace lockscope::house {

namespace {

constexpr std::array kExemptions{
    Exemption{"mirror-test", "core/service/value_types.cpp", "", 0,
              "registers types; every queued signal in tests/wire and tests/live depends on it"},
    Exemption{"clocks", "core/conduct/client_process.cpp", "clock_gettime", 0,
              "the clock of another process counts its work, which is no time"},
    Exemption{"translations", "ui/models/ui_text.cpp", "QCoreApplication::translate", 0,
              "hands the kernel's texts to the translator; the literals are where KernelText::tr() "
              "is called"},
    Exemption{"luck", "core/wire/entropy.cpp", "QRandomGenerator", 0,
              "the one place where a seed comes from: tokens have to differ between machines"},
    Exemption{"nested-loops", "core/wire/event_thread.cpp", "QEventLoop", 0,
              "the one loop of a thread that has no other; it is nested in nothing"},
    Exemption{"blocking-sockets", "core/wire/run/private_server.cpp", "waitForReadyRead", 0,
              "waits, with a limit, for the first words of its own child process, before anybody "
              "uses the server"},
};

} // namespace

bool Exemption::covers(std::string_view ruleId, const Finding& finding) const
{
    return rule == ruleId && path == finding.path && finding.what.find(what) != std::string::npos
           && (size == 0 || finding.size <= size);
}

std::span<const Exemption> exemptions()
{
    return kExemptions;
}

} // namespace lockscope::house
