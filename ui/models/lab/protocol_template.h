#pragma once

#include "ui/models/lab/protocol_draft.h"

#include <QString>

#include <vector>

namespace lockscope::models {

/// Something that a protocol of the user's own may begin as a copy of.
struct ProtocolTemplate {
    QString name;           // of the example, or the id of the built-in protocol
    QString resource;       // the protocol file; empty: a file cannot express it
    QString reason{};       // why not, in one sentence
    bool isBuiltin = false; // otherwise an example

    bool isThere() const { return !resource.isEmpty(); }
};

/// The examples, and behind them every built-in protocol in the order of the catalogue.
std::vector<ProtocolTemplate> protocolTemplates();

/// A template as the beginning of another protocol: with an id that is not taken, and with title
/// and summary in the user's language. Empty when it is not there.
ProtocolDraft draftOfCopy(const ProtocolTemplate& original);

} // namespace lockscope::models
