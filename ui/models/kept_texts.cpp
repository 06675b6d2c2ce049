#include "ui/models/kept_texts.h"

#include <QJsonObject>

namespace lockscope::models {

QJsonValue toJson(const KeptTexts& texts)
{
    QJsonObject json;
    for (const auto& [name, text] : texts) {
        json.insert(name, text);
    }
    return json;
}

KeptTexts keptTexts(const QJsonValue& json)
{
    KeptTexts texts;
    const QJsonObject object = json.toObject();
    for (auto member = object.begin(); member != object.end(); ++member) {
        if (member.value().isString()) {
            texts[member.key()] = member.value().toString();
        }
    }
    return texts;
}

} // namespace lockscope::models
