#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/formats/format_file.h"

namespace lockscope::inspect {

/// The recogniser that a format file describes. `format` outlives it and what it decodes.
Decoder decoderOf(const FormatFile& format);

} // namespace lockscope::inspect
