#pragma once

namespace lockscope::service {

/// Registers every value type that crosses threads in a queued signal. Called once, before the
/// first one is connected; calling it again is harmless.
void registerValueTypes();

} // namespace lockscope::service
