#include "core/kernel/report/run/saved_protocol.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"

#include <utility>

namespace lockscope::report {

using protocol::LockProtocol;

SavedProtocol SavedProtocol::builtin(std::string_view id)
{
    SavedProtocol saved;
    saved.protocol = {std::shared_ptr<const void>(), protocol::findProtocol(id)};
    return saved;
}

SavedProtocol SavedProtocol::client(std::string command)
{
    auto info = std::make_shared<protocol::ProtocolInfo>();
    info->id = "real-client";
    info->title = std::move(command);
    SavedProtocol saved;
    saved.realClient = std::move(info);
    return saved;
}

Json savedProtocolJson(const SavedProtocol& saved)
{
    if (saved.realClient) {
        return {{"client", saved.realClient->title}};
    }
    return saved.ownText.empty() ? Json(saved.info().id) : Json::parse(saved.ownText);
}

SavedProtocol readSavedSubject(const protocol::FileSection& file)
{
    const nlohmann::json& value = file.at("protocol");
    if (value.is_object() && value.contains("client")) {
        const protocol::FileSection client(value, file.pathOf("protocol"), {"client"});
        return SavedProtocol::client(client.text("client"));
    }
    return readSavedProtocol(file);
}

SavedProtocol readSavedProtocol(const protocol::FileSection& file)
{
    const nlohmann::json& value = file.at("protocol");
    if (value.is_string()) {
        SavedProtocol saved = SavedProtocol::builtin(value.get<std::string>());
        if (!saved.protocol) {
            file.fail("protocol", KernelText::tr("There is no built-in protocol with this id."));
        }
        return saved;
    }
    if (!value.is_object()) {
        file.fail(
            "protocol",
            KernelText::tr(
                "The id of a protocol, or an object that describes a custom one, is expected."));
    }
    SavedProtocol saved;
    saved.ownText = value.dump(2);
    auto read = protocol::readProtocol(saved.ownText);
    if (const auto* const error = std::get_if<protocol::ProtocolFileError>(&read)) {
        file.fail("protocol", KernelText::tr("In this protocol: %1", error->reason));
    }
    saved.protocol = std::move(std::get<std::unique_ptr<LockProtocol>>(read));
    return saved;
}

} // namespace lockscope::report
