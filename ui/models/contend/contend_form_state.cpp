#include "ui/models/contend/contend_form_state.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockscope::models {

using namespace Qt::StringLiterals;

QByteArray ContendFormState::text() const
{
    const QJsonObject json{{u"protocol"_s, protocol},
                           {u"kind"_s, kind},
                           {u"fields"_s, toJson(texts)},
                           {u"advanced"_s, isAdvancedOpen}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

ContendFormState ContendFormState::of(const QByteArray& text)
{
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    return {json[u"protocol"_s].toString(), json[u"kind"_s].toString(),
            keptTexts(json[u"fields"_s]), json[u"advanced"_s].toBool()};
}

} // namespace lockscope::models
