#pragma once

#include "core/kernel/protocol/own_protocol.h"
#include "tests/support/source_tree.h"

#include <QFile>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Protocol files with mistakes that are planted into a sound one.
namespace lockscope::testing {

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// A file of resources/protocols, "counted-lock", with parts of it replaced.
inline std::string plantedFile(const std::string& name, const Replacements& replacements = {})
{
    QFile file(inSourceTree(QString::fromStdString("resources/protocols/" + name + ".json")));
    if (!file.open(QIODevice::ReadOnly)) {
        throw std::runtime_error("cannot read " + name);
    }
    std::string text = file.readAll().toStdString();
    for (const auto& [before, after] : replacements) {
        const std::size_t at = text.find(before);
        if (at == std::string::npos) {
            throw std::logic_error("there is no " + before + " in " + name);
        }
        text.replace(at, before.size(), after);
    }
    return text;
}

inline protocol::OwnLockPlan planIn(const std::string& text)
{
    auto read = protocol::readOwnLockPlan(text);
    if (const auto* const error = std::get_if<protocol::ProtocolFileError>(&read)) {
        throw std::logic_error(toText(*error));
    }
    return std::get<protocol::OwnLockPlan>(std::move(read));
}

} // namespace lockscope::testing
