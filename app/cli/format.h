#pragma once

namespace lockscope::cli {

/// How a command prints.
enum class Format { Table, Json, Csv };

} // namespace lockscope::cli
