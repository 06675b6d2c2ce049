#include "tests/support/source_tree.h"

namespace lockscope::testing {

// The one file that is compiled differently in another checkout: the rest comes from the compiler's
// cache there.
QString inSourceTree(const QString& path)
{
    return QStringLiteral(LOCKSCOPE_SOURCE_DIR "/") + path;
}

} // namespace lockscope::testing
