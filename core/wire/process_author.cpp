#include "core/wire/process_author.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <pwd.h>
#include <utility>

namespace lockscope::wire {

namespace {

std::string nameOfUser(uid_t user)
{
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    const int error = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
    return error == 0 && found != nullptr ? found->pw_name : std::to_string(user);
}

std::string hostName()
{
    std::array<char, 256> name{};
    const int error = ::gethostname(name.data(), name.size() - 1);
    return error == 0 ? name.data() : std::string();
}

} // namespace

report::AuditAuthor authorOfProcess(std::string program)
{
    report::AuditAuthor author;
    author.user = nameOfUser(::geteuid());
    const char* const sudoUser = std::getenv("SUDO_USER"); // no other thread sets variables
    author.sudoUser = sudoUser != nullptr ? sudoUser : "";
    author.host = hostName();
    author.program = std::move(program);
    author.process = ::getpid();
    return author;
}

} // namespace lockscope::wire
