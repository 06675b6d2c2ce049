#pragma once

#include "core/kernel/protocol/lock_protocol.h"

#include <QDialog>

#include <vector>

class QTabWidget;

namespace lockscope::widgets {

struct NamedScript {
    QString name; // "delete_if_equal", "acquire"
    QString text;

    friend bool operator==(const NamedScript&, const NamedScript&) = default;
};

/// The page of a built-in protocol, in Markdown; of any other: what its file says of it.
QString pageOf(const protocol::ProtocolInfo& info);

/// The Lua scripts of a protocol, in the order of its steps. `ownText`: the file of an own one.
std::vector<NamedScript> scriptsOf(const protocol::ProtocolInfo& info, const QString& ownText);

/// What a protocol promises, where it breaks, and what it runs on the server.
class ScriptsWindow : public QDialog {
    Q_OBJECT
public:
    ScriptsWindow(const protocol::LockProtocol& protocol, const QString& ownText,
                  QWidget* parent = nullptr);

private:
    void addPage(QTabWidget& tabs, const protocol::ProtocolInfo& info);
    void addScript(QTabWidget& tabs, const NamedScript& script);
};

} // namespace lockscope::widgets
