#pragma once

#include <QJsonValue>
#include <QString>

#include <map>

namespace lockscope::models {

/// What was typed, by the names of the fields, as it is kept from one run of the program to the
/// next.
using KeptTexts = std::map<QString, QString>;

QJsonValue toJson(const KeptTexts& texts);

/// What is no text is left out.
KeptTexts keptTexts(const QJsonValue& json);

} // namespace lockscope::models
