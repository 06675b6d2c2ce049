#pragma once

// The decoders that are built in, each in a file of its own. The header is written from their list
// in CMakeLists.txt.
#include "builtin_decoders.h"
