#include "core/wire/entropy.h"

#include <QRandomGenerator>

namespace lockscope::wire {

std::uint64_t freshSeed()
{
    return QRandomGenerator::system()->generate64();
}

} // namespace lockscope::wire
