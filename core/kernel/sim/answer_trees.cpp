#include "core/kernel/sim/answer_trees.h"

#include "core/kernel/base/content_hash.h"

#include <algorithm>

namespace lockscope::sim {

namespace {

/// Of EVAL or EVALSHA: before it stands the script, for which the digest is enough.
constexpr std::ptrdiff_t kNumberOfKeys = 2;
/// Nearly all nodes take less.
constexpr std::size_t kBytesPerNode = 1024;

} // namespace

void AnswerTrees::weigh(const std::vector<Bytes>& words)
{
    std::size_t size = 0;
    for (const Bytes& word : words) {
        size += sizeof(Bytes) + word.size();
    }
    m_nodeCount += size / kBytesPerNode;
}

void AnswerTrees::weigh(const store::Reply& reply)
{
    const std::string* const text = reply.text();
    const store::Reply::Array* const items = reply.array();
    m_nodeCount += (text != nullptr ? text->size() : 0) / kBytesPerNode;
    m_nodeCount += (items != nullptr ? items->size() * sizeof(reply) : 0) / kBytesPerNode;
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
        weigh((*items)[i]);
    }
}

bool AnswerTrees::Root::isOf(const Subject& subject) const
{
    return digest == subject.digest && shownDigest == subject.shownDigest
           && std::equal(words.begin(), words.end(), subject.words.begin() + kNumberOfKeys,
                         subject.words.end());
}

std::uint64_t AnswerTrees::hashOf(const Subject& subject)
{
    // Sixteen digits tell scripts apart as well as forty do, and isOf() looks at all of them.
    ContentHash hash;
    hash.add(subject.digest.substr(0, 16));
    for (auto word = subject.words.begin() + kNumberOfKeys; word != subject.words.end(); ++word) {
        hash.add(*word);
    }
    return hash.value();
}

AnswerTrees::Node* AnswerTrees::rootOf(const Subject& subject)
{
    if (m_roots.size() >= kRootsMax || m_nodeCount >= kNodesMax) {
        m_roots.clear();
        m_nodeCount = 0;
    }
    const auto [place, isNew] = m_roots.try_emplace(hashOf(subject));
    Root& root = place->second;
    if (isNew) {
        root.digest = subject.digest;
        root.shownDigest = subject.shownDigest;
        root.words.assign(subject.words.begin() + kNumberOfKeys, subject.words.end());
    }
    return isNew || root.isOf(subject) ? &root.node : nullptr;
}

AnswerTrees::Node* AnswerTrees::behind(Node& node, const store::Reply& answer)
{
    for (const auto& next : node.next) {
        if (next->answer == answer) {
            return next.get();
        }
    }
    if (node.next.size() >= kAnswersMax) {
        return nullptr;
    }
    node.next.push_back(std::make_unique<Node>());
    node.next.back()->answer = answer;
    ++m_nodeCount;
    weigh(answer);
    return node.next.back().get();
}

} // namespace lockscope::sim
