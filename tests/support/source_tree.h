#pragma once

#include <QString>

namespace lockscope::testing {

/// Where a file or folder of the source tree is; `path` begins at the project's root.
QString inSourceTree(const QString& path);

} // namespace lockscope::testing
