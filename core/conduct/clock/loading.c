#include "core/conduct/clock/vclock.h"

#include <dlfcn.h>

/* With RTLD_DEEPBIND a library finds libc's functions before ours: so PHP loads its extensions. A
 * tail call, by which libc still sees who asked: the caller's search path and namespace count. */
VCLOCK_EXPORT void* dlopen(const char* path, int mode)
{
    return vclockOn() ? real.dlopen(path, mode & ~RTLD_DEEPBIND) : real.dlopen(path, mode);
}
