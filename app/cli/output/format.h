#pragma once

namespace lockscope::cli {

/// How a command prints. Text is prose with tables in it.
enum class Format { Table, Json, Csv, Text, Markdown, Junit };

} // namespace lockscope::cli
