#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/store/reply.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockscope::sim {

struct CommandSpec;

/// What scripts called and returned before, by what their calls were answered. A script knows
/// nothing but its keys and arguments and the answers to its calls, so for each beginning of a run
/// there is one next call, or one end: a tree. A search runs the same few scripts on the same few
/// words; nearly always the tree says what Lua would do.
class AnswerTrees {
public:
    /// Where a run is behind one of its answers.
    struct Node {
        store::Reply answer;                // that led here; of a root none
        const CommandSpec* spec = nullptr;  // what is called next; nullptr: not known, or the end
        std::vector<Bytes> words;           // of that call
        std::optional<store::Reply> result; // of the script, which ends here
        std::vector<std::unique_ptr<Node>> next;

        bool isCall() const { return spec != nullptr; }
    };

    /// A script with the words that it runs on.
    struct Subject {
        std::string_view digest;
        std::string_view shownDigest;    // is part of some results
        const std::vector<Bytes>& words; // of EVAL or EVALSHA: the script, the number of keys …
    };

    /// Where runs of the subject begin; nullptr when another subject has its place. Whatever was
    /// given out before is gone.
    Node* rootOf(const Subject& subject);

    /// Counts the memory of what was added to a node: much memory counts as many nodes.
    void weigh(const std::vector<Bytes>& words);
    void weigh(const store::Reply& reply);

    /// Behind the answer to the call of the node; nullptr when there are too many already.
    Node* behind(Node& node, const store::Reply& answer);

private:
    /// Those of the default plans of all protocols together are a tenth of this.
    static constexpr std::size_t kRootsMax = 20'000;
    static constexpr std::size_t kNodesMax = 200'000;
    /// A call with more different answers than that, as of TIME, is not worth remembering.
    static constexpr std::size_t kAnswersMax = 32;

    struct Root {
        Bytes digest;
        Bytes shownDigest;
        std::vector<Bytes> words; // from the number of keys on
        Node node;

        bool isOf(const Subject& subject) const;
    };

    static std::uint64_t hashOf(const Subject& subject);

    std::unordered_map<std::uint64_t, Root> m_roots; // by hash
    std::size_t m_nodeCount = 0;
};

} // namespace lockscope::sim
