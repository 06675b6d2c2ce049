#pragma once

#include "ui/models/locks/held_locks.h"
#include "ui/widgets/controls/status_wording.h"

namespace lockscope::widgets {

/// How loudly a lock taken by hand speaks, as the window's own marks count it.
inline LinkTone linkToneOf(models::KeptLockText::Tone tone)
{
    using Tone = models::KeptLockText::Tone;
    switch (tone) {
    case Tone::Good: return LinkTone::Good;
    case Tone::Warning: return LinkTone::Warning;
    case Tone::Bad: return LinkTone::Bad;
    case Tone::Quiet: break;
    }
    return LinkTone::Quiet;
}

} // namespace lockscope::widgets
