#pragma once

#include "core/kernel/base/joined.h"
#include "core/kernel/base/kernel_text.h"

#include <string>

namespace lockscope {

/// "one, two, three", with the comma of the language. Any list of texts or views.
template<class Texts>
std::string listed(const Texts& texts)
{
    return joined(texts, KernelText::tr(", "));
}

} // namespace lockscope
