#pragma once

#include "core/kernel/report/lock_fields.h"

#include <string>

namespace lockscope::report {

/// The term of a filter that finds the locks which are like this one in this field: `mode:read`,
/// `waiters=3`, `ttl<=29s` (those that end as soon), `held>=41m` (those held as long). Empty where
/// the field cannot be asked for or nothing is known of it.
std::string alikeFilter(const LockField& field, const LockView& view);

} // namespace lockscope::report
