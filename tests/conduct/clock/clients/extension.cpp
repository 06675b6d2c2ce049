// What a program loads when it already runs, as interpreters load their extensions.

#include <unistd.h>

extern "C" int sleepInExtension(unsigned seconds)
{
    return usleep(seconds * 1'000'000);
}
