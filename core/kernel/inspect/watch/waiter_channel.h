#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/shared.h"

#include <map>
#include <string_view>
#include <utility>

namespace lockscope::inspect {

/// How a channel is called after a lock: all locks of a format have one such form.
struct ChannelForm {
    Bytes before; // the name
    Bytes after;
    bool hasName = false; // false: the channel is `before`, whatever the name

    Bytes channelOf(std::string_view name) const
    {
        Bytes channel = before;
        if (hasName) {
            channel.append(name).append(after);
        }
        return channel;
    }
};
using ChannelFormPtr = Shared<const ChannelForm>;

/// The channels on which the waiters of a book's locks wait, without a copy of each of them.
class ChannelForms {
public:
    /// null for an empty channel.
    ChannelFormPtr formOf(std::string_view channel, std::string_view name)
    {
        if (channel.empty()) {
            return nullptr;
        }
        const std::size_t at = name.empty() ? std::string_view::npos : channel.rfind(name);
        if (at == std::string_view::npos) {
            return makeShared<const ChannelForm>(ChannelForm{Bytes(channel), {}, false});
        }
        const Split split(channel.substr(0, at), channel.substr(at + name.size()));
        if (const auto known = m_forms.find(split); known != m_forms.end()) {
            return known->second;
        }
        auto form = makeShared<const ChannelForm>(ChannelForm{Bytes(split.first),
                                                              Bytes(split.second), true});
        if (m_forms.size() < kFormsMax) {
            m_forms.emplace(Split(form->before, form->after), form);
        }
        return form;
    }

private:
    using Split = std::pair<std::string_view, std::string_view>; // of the form beside it

    static constexpr std::size_t kFormsMax = 100;

    std::map<Split, ChannelFormPtr> m_forms;
};

} // namespace lockscope::inspect
