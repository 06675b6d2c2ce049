#include "core/kernel/store/cluster.h"

#include "core/kernel/store/whole_number.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lockscope::store {

namespace {

/// In a redirection: nodes are to be called by their host names, and this one announces none.
constexpr std::string_view kNoHostName = "?";

/// CRC-16/XMODEM: polynomial 0x1021, beginning with 0, nothing reflected.
constexpr std::array<std::uint16_t, 256> kCrcTable = [] {
    constexpr unsigned kPolynomial = 0x1021U;
    constexpr unsigned kTopBit = 0x8000U;
    std::array<std::uint16_t, 256> table{};
    for (unsigned octet = 0; octet < table.size(); ++octet) {
        unsigned remainder = octet << 8U;
        for (int bit = 0; bit < 8; ++bit) {
            const bool isOut = (remainder & kTopBit) != 0;
            remainder = (remainder << 1U) ^ (isOut ? kPolynomial : 0U);
        }
        table.at(octet) = static_cast<std::uint16_t>(remainder & 0xffffU);
    }
    return table;
}();

std::uint16_t crcOf(std::string_view bytes)
{
    unsigned crc = 0;
    for (const char c : bytes) {
        const unsigned index = ((crc >> 8U) ^ static_cast<unsigned char>(c)) & 0xffU;
        crc = ((crc << 8U) ^ kCrcTable.at(index)) & 0xffffU;
    }
    return static_cast<std::uint16_t>(crc);
}

std::string_view hashedPartOf(std::string_view key)
{
    const std::size_t open = key.find('{');
    if (open == std::string_view::npos) {
        return key;
    }
    const std::size_t close = key.find('}', open + 1);
    const bool isTag = close != std::string_view::npos && close > open + 1;
    return isTag ? key.substr(open + 1, close - open - 1) : key;
}

/// What stands before the separator; `text` keeps what is behind it.
std::string_view takeUntil(std::string_view& text, std::string_view separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + separator.size(), text.size()));
    return part;
}

std::optional<std::uint16_t> slotIn(std::string_view text)
{
    const auto slot = wholeNumberIn<std::uint16_t>(text);
    return slot && *slot < kSlotCount ? slot : std::nullopt;
}

/// "10.0.0.5:6379@16379,host.name,shard-id=…": the part before the "@"; what follows is left in the
/// text. IPv6 has no brackets here.
std::optional<HostPort> takeAddress(std::string_view& text)
{
    const std::string_view address = takeUntil(text, "@");
    const std::size_t colon = address.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const auto port = wholeNumberIn<std::uint16_t>(address.substr(colon + 1));
    return port ? std::optional(HostPort{std::string(address.substr(0, colon)), *port})
                : std::nullopt;
}

bool hasFlag(std::string_view flags, std::string_view flag)
{
    while (!flags.empty()) {
        if (takeUntil(flags, ",") == flag) {
            return true;
        }
    }
    return false;
}

/// "[93->-id]" gives slot 93 to the node, "[77-<-id]" takes 77 from it.
void takeOpenSlot(std::string_view text, ClusterView& view)
{
    text.remove_prefix(1);
    text.remove_suffix(text.ends_with(']') ? 1 : 0);
    const auto slot = slotIn(takeUntil(text, "-"));
    const bool isGiven = text.starts_with('>');
    text.remove_prefix(std::min<std::size_t>(2, text.size())); // ">-"
    if (!slot) {
        return;
    }
    const std::string other(text);
    view.openSlots.push_back(isGiven ? OpenSlot{*slot, view.selfId, other}
                                     : OpenSlot{*slot, other, view.selfId});
}

void takeSlots(std::string_view text, ClusterView& view, ClusterView::Line& line)
{
    while (!text.empty()) {
        std::string_view range = takeUntil(text, " ");
        if (range.starts_with('[')) {
            takeOpenSlot(range, view);
            continue;
        }
        const auto first = slotIn(takeUntil(range, "-"));
        const auto last = range.empty() ? first : slotIn(range);
        if (first && last && *first <= *last) {
            line.slots.emplace_back(*first, *last);
        }
    }
}

/// One line of CLUSTER NODES: id, address, flags, master, two times, epoch, link, slots.
void takeLine(std::string_view text, const HostPort& asked, ClusterView& view)
{
    ClusterView::Line line;
    line.node.id = takeUntil(text, " ");
    std::string_view announced = takeUntil(text, " ");
    std::optional<HostPort> address = takeAddress(announced);
    takeUntil(announced, ","); // the port of the bus
    line.node.otherHost = takeUntil(announced, ",");
    const std::string_view flags = takeUntil(text, " ");
    line.node.masterId = takeUntil(text, " ");
    takeUntil(text, " ");
    takeUntil(text, " ");
    const auto epoch = wholeNumberIn<std::uint64_t>(takeUntil(text, " "));
    takeUntil(text, " ");
    const bool isSelf = hasFlag(flags, "myself");
    const bool isMember = !hasFlag(flags, "handshake") && !hasFlag(flags, "noaddr");
    if (line.node.id.empty() || !address || !epoch || !(isSelf || isMember)) {
        return;
    }
    if (isSelf) {
        view.selfId = line.node.id;
        address->host = address->host.empty() ? asked.host : address->host;
    }
    line.node.address = *std::move(address);
    line.node.isMaster = hasFlag(flags, "master");
    line.node.isFailed = hasFlag(flags, "fail");
    line.node.masterId = line.node.isMaster || line.node.masterId == "-" ? "" : line.node.masterId;
    line.node.epoch = *epoch;
    takeSlots(text, view, line);
    view.lines.push_back(std::move(line));
}

/// The line of the view that is about this node.
const ClusterView::Line* lineOf(const ClusterView& view, std::string_view id)
{
    const auto line = std::ranges::find_if(view.lines, [id](const ClusterView::Line& l) {
        return l.node.id == id;
    });
    return line != view.lines.end() ? &*line : nullptr;
}

/// Its own, where it was asked itself; otherwise the newest of the others'.
const ClusterView::Line* bestLineOf(std::span<const ClusterView> views, std::string_view id)
{
    const ClusterView::Line* best = nullptr;
    for (const ClusterView& view : views) {
        const ClusterView::Line* const line = lineOf(view, id);
        if (line != nullptr && view.selfId == id) {
            return line;
        }
        if (line != nullptr && (best == nullptr || line->node.epoch > best->node.epoch)) {
            best = line;
        }
    }
    return best;
}

} // namespace

std::uint16_t slotOf(std::string_view key)
{
    return static_cast<std::uint16_t>(crcOf(hashedPartOf(key)) % kSlotCount);
}

std::variant<ClusterView, Problem> clusterViewOf(const Outcome& nodes, const Outcome& info,
                                                 const HostPort& asked)
{
    if (const auto problem = problemOf(nodes)) {
        const bool isAlone = problem->detail.find("cluster support") != std::string::npos;
        return isAlone ? Problem{Problem::Kind::NotACluster, hostPortText(asked), {}, {}}
                       : *problem;
    }
    ClusterView view;
    const std::string* const text = replyOf(nodes)->text();
    std::string_view rest = text != nullptr ? std::string_view(*text) : std::string_view();
    while (!rest.empty()) {
        std::string_view line = takeUntil(rest, "\n");
        line.remove_suffix(line.ends_with('\r') ? 1 : 0);
        takeLine(line, asked, view);
    }
    if (view.selfId.empty()) {
        return Problem{Problem::Kind::ProtocolBroken, "CLUSTER NODES", {}, {}};
    }
    const Reply* const state = replyOf(info); // where only the first question is allowed: an error
    const std::string* const stateText = state != nullptr ? state->text() : nullptr;
    view.isDown = stateText != nullptr
                  && stateText->find("cluster_state:fail") != std::string::npos;
    return view;
}

std::optional<HostPort> otherAddressOf(const ClusterNode& node)
{
    return node.otherHost.empty() ? std::nullopt
                                  : std::optional(HostPort{node.otherHost, node.address.port});
}

void preferNames(ClusterView& view)
{
    for (ClusterView::Line& line : view.lines) {
        if (!line.node.otherHost.empty()) {
            std::swap(line.node.otherHost, line.node.address.host);
        }
    }
}

ClusterTopology::ClusterTopology(std::span<const ClusterView> views)
{
    takeNodes(views);
    for (const ClusterNode& node : m_nodes) {
        if (node.isMaster) {
            claim(*bestLineOf(views, node.id));
        }
    }
    for (const ClusterView& view : views) {
        std::ranges::copy_if(view.openSlots, std::back_inserter(m_openSlots),
                             [this](const OpenSlot& open) {
                                 return nodeOfId(open.source) != nullptr
                                        && nodeOfId(open.target) != nullptr;
                             });
        if (view.isDown) {
            m_downIds.push_back(view.selfId);
        }
    }
    std::ranges::sort(m_openSlots);
    m_openSlots.erase(std::unique(m_openSlots.begin(), m_openSlots.end()), m_openSlots.end());
    std::ranges::sort(m_downIds);
}

/// A node that was forgotten by those who were asked is no member, and one that is not known to any
/// of them is none yet.
void ClusterTopology::takeNodes(std::span<const ClusterView> views)
{
    std::set<std::string_view> ids;
    for (const ClusterView& view : views) {
        for (const ClusterView::Line& line : view.lines) {
            ids.insert(line.node.id);
        }
    }
    for (const std::string_view id : ids) {
        ClusterNode& node = m_nodes.emplace_back(bestLineOf(views, id)->node);
        node.isFailed = std::ranges::any_of(views, [id](const ClusterView& view) {
            const ClusterView::Line* const line = lineOf(view, id);
            return line != nullptr && line->node.isFailed;
        });
    }
}

void ClusterTopology::claim(const ClusterView::Line& line)
{
    const auto self = std::ranges::find(m_nodes, line.node.id, &ClusterNode::id);
    const auto index = static_cast<std::int16_t>(self - m_nodes.begin());
    for (const auto& [first, last] : line.slots) {
        for (std::size_t slot = first; slot <= last; ++slot) {
            const ClusterNode* const rival = masterOf(static_cast<std::uint16_t>(slot));
            if (rival == nullptr || rival->epoch < line.node.epoch) {
                m_owners[slot] = index;
            }
        }
    }
}

const ClusterNode* ClusterTopology::nodeOfId(std::string_view id) const
{
    const auto node = std::ranges::find(m_nodes, id, &ClusterNode::id);
    return node != m_nodes.end() ? &*node : nullptr;
}

const ClusterNode* ClusterTopology::nodeAt(const HostPort& address) const
{
    const auto node = std::ranges::find_if(m_nodes, [&address](const ClusterNode& n) {
        return n.address == address || otherAddressOf(n) == address;
    });
    return node != m_nodes.end() ? &*node : nullptr;
}

const ClusterNode* ClusterTopology::masterOf(std::uint16_t slot) const
{
    const std::int16_t owner = m_owners[slot];
    return owner == kNobody ? nullptr : &m_nodes[static_cast<std::size_t>(owner)];
}

bool ClusterTopology::mayHave(const ClusterNode& node, std::uint16_t slot) const
{
    const ClusterNode* const master = masterOf(slot);
    return (master != nullptr && master->id == node.id)
           || std::ranges::any_of(m_openSlots, [&](const OpenSlot& open) {
                  return open.slot == slot && (open.target == node.id || open.source == node.id);
              });
}

std::vector<ClusterNode> ClusterTopology::masters() const
{
    std::vector<ClusterNode> masters;
    std::ranges::copy_if(m_nodes, std::back_inserter(masters), [this](const ClusterNode& node) {
        return node.isMaster && (!node.isFailed || !slotsOf(node).empty());
    });
    const auto isOnlySource = [this](const ClusterNode& node) {
        const auto is = [&](std::string OpenSlot::*end) {
            return std::ranges::find(m_openSlots, node.id, end) != m_openSlots.end();
        };
        return is(&OpenSlot::source) && !is(&OpenSlot::target);
    };
    // Not std::ranges::stable_partition: clang 14 cannot compile what it returns.
    std::stable_partition(masters.begin(), masters.end(), isOnlySource);
    return masters;
}

bool ClusterTopology::isDown(const ClusterNode& node) const
{
    return std::ranges::binary_search(m_downIds, node.id);
}

bool ClusterTopology::hasSameOwners(const ClusterTopology& other) const
{
    for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
        const ClusterNode* const here = masterOf(static_cast<std::uint16_t>(slot));
        const ClusterNode* const there = other.masterOf(static_cast<std::uint16_t>(slot));
        const bool isSame = here == nullptr || there == nullptr ? here == there
                                                                : here->id == there->id;
        if (!isSame) {
            return false;
        }
    }
    return true;
}

std::string ClusterTopology::rangesOf(std::int16_t owner) const
{
    std::string text;
    for (std::size_t slot = 0; slot < kSlotCount; ++slot) {
        if (m_owners[slot] != owner) {
            continue;
        }
        std::size_t last = slot;
        while (last + 1 < kSlotCount && m_owners[last + 1] == owner) {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(slot)
                + (last > slot ? '-' + std::to_string(last) : std::string());
        slot = last;
    }
    return text;
}

std::string ClusterTopology::unservedSlots() const
{
    return rangesOf(kNobody);
}

std::string ClusterTopology::slotsOf(const ClusterNode& node) const
{
    const auto self = std::ranges::find(m_nodes, node.id, &ClusterNode::id);
    return self == m_nodes.end() ? std::string()
                                 : rangesOf(static_cast<std::int16_t>(self - m_nodes.begin()));
}

std::optional<Redirection> redirectionOf(const Reply& reply)
{
    const ServerError* const error = reply.error();
    if (error == nullptr || (error->code() != "MOVED" && error->code() != "ASK")) {
        return std::nullopt;
    }
    std::string_view text = error->text;
    Redirection redirection;
    redirection.isLasting = takeUntil(text, " ") == "MOVED";
    const auto slot = slotIn(takeUntil(text, " "));
    std::string_view place = takeUntil(text, " ");
    auto address = takeAddress(place);
    if (!slot || !address) {
        return std::nullopt;
    }
    redirection.slot = *slot;
    redirection.address = *std::move(address);
    if (redirection.address.host == kNoHostName) {
        redirection.address.host.clear();
    }
    return redirection;
}

} // namespace lockscope::store
