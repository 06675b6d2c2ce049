#include "ui/models/kept_protocols.h"

#include "core/files/file_limits.h"
#include "core/kernel/protocol/own_protocol.h"
#include "ui/models/user_files.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace lockscope::models {

namespace {

QString currentText(const KeptProtocol& kept)
{
    if (kept.file.isEmpty()) {
        return kept.text;
    }
    return QString::fromUtf8(readFile(kept.file, files::kProtocolFileMax).content);
}

} // namespace

QList<KeptProtocol> keptProtocols(const ProtocolListModel& protocols)
{
    QList<KeptProtocol> kept;
    for (int row = 0; row < protocols.rowCount(); ++row) {
        const ProtocolPtr protocol = protocols.protocolAt(row);
        const QString text = protocol != nullptr ? protocols.textOf(*protocol) : QString();
        if (!text.isEmpty()) {
            kept.append({protocols.fileOf(*protocol), text});
        }
    }
    return kept.sliced(std::max<qsizetype>(kept.size() - kKeptProtocolsMax, 0));
}

void addKept(ProtocolListModel& protocols, const QList<KeptProtocol>& kept)
{
    for (const KeptProtocol& each : kept) {
        const QString text = currentText(each);
        auto read = protocol::readProtocol(text.toStdString());
        if (auto* const own = std::get_if<std::unique_ptr<protocol::LockProtocol>>(&read)) {
            protocols.addOwn(std::move(*own), each.file, text);
        }
    }
}

} // namespace lockscope::models
