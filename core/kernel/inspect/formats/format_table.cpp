#include "core/kernel/inspect/formats/format_table.h"

#include "core/kernel/inspect/formats/named_token.h"
#include "core/kernel/inspect/formats/own_formats.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope::inspect {

FormatTable::FormatTable(std::vector<FormatFile> own, std::vector<Treatment> treatments,
                         FormatTablePtr previous)
    : m_own(std::move(own)),
      m_treatments(std::move(treatments)),
      m_previous(std::move(previous))
{
    std::ranges::transform(m_own, std::back_inserter(m_decoders), decoderOf);
    std::ranges::copy(builtinDecoders(), std::back_inserter(m_decoders));
    for (const FormatFile& format : m_own) {
        for (const KeyPattern& keys : format.keys) {
            if (keys.isName()) {
                m_ownNames.push_back(&keys);
            }
        }
    }
}

FormatTablePtr FormatTable::treating(Treatment newest) const
{
    return std::make_shared<const FormatTable>(m_own,
                                               withTreatment(m_treatments, std::move(newest)),
                                               m_previous);
}

bool FormatTable::isOwn(std::string_view formatId) const
{
    return std::ranges::find(m_own, formatId, &FormatFile::id) != m_own.end()
           || (m_previous && m_previous->isOwn(formatId));
}

bool FormatTable::namesLock(std::string_view key) const
{
    const auto isName = [key](const KeyPattern* pattern) { return pattern->matches(key); };
    if (std::ranges::any_of(m_ownNames, isName)) {
        return true;
    }
    const Treatment* const treatment = recognisers().treatmentOf(key);
    return treatment != nullptr && !treatment->isNoLock();
}

bool FormatTable::isNoLock(std::string_view key) const
{
    const Treatment* const treatment = recognisers().treatmentOf(key);
    return treatment != nullptr && treatment->isNoLock();
}

std::vector<std::string> FormatTable::lockNames() const
{
    std::vector<std::string> names;
    for (const KeyPattern* const pattern : m_ownNames) {
        names.push_back(pattern->glob());
    }
    for (const Treatment& treatment : m_treatments) {
        if (!treatment.isNoLock()) {
            names.push_back(treatment.names);
        }
    }
    return names;
}

const FormatTablePtr& builtinFormatTable()
{
    static const FormatTablePtr kTable = std::make_shared<const FormatTable>(
        std::vector<FormatFile>(), std::vector<Treatment>(), nullptr);
    return kTable;
}

} // namespace lockscope::inspect
