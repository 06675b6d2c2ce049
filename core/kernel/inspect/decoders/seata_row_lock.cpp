#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/builtin.h"
#include "core/kernel/inspect/decoders/clues.h"

#include <algorithm>

// Seata with its locks in Redis: a hash `SEATA_ROW_LOCK_<resource>^^^<table>^^^<primary key>` for
// each row that a global transaction has changed, without expiry, and SEATA_GLOBAL_LOCK<xid>, which
// lists the rows of a transaction.
namespace lockscope::inspect::decoders {

namespace seata_row_lock {

constexpr std::string_view kPrefix = "SEATA_ROW_LOCK_";

bool isBookkeeping(std::string_view key)
{
    return key.starts_with("SEATA_GLOBAL_LOCK");
}

const Bytes* valueOf(const Observation& key, std::string_view name)
{
    const auto found = std::ranges::find(key.fields, name, &HashField::name);
    return found == key.fields.end() ? nullptr : &found->value;
}

std::optional<DecodedLock> read(const LockSnapshot& snapshot)
{
    const Observation* const key = soleHash(snapshot);
    const Bytes* const transaction = key && key->key.starts_with(kPrefix) ? valueOf(*key, "xid")
                                                                          : nullptr;
    if (transaction == nullptr || valueOf(*key, "branchId") == nullptr) {
        return std::nullopt;
    }
    DecodedLock decoded;
    decoded.confidence = Confidence::High;
    decoded.holders.emplace_back().owner = *transaction;
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "the key is named as this library names its locks"));
    decoded.because.add(QT_TRANSLATE_NOOP("KernelText",
                                          "its fields name a global transaction and its branch"));
    return decoded;
}

ReleaseRecipe release(const LockSnapshot&, const DecodedLock&, HolderChoice)
{
    ReleaseRecipe recipe;
    recipe.isSupported = false;
    recipe.warnings = {KernelText::tr(
        "The row belongs to a global transaction: releasing it alone would let other "
        "transactions see what may still be rolled back. End the transaction in "
        "Seata's console.")};
    return recipe;
}

std::vector<Fact> facts(const LockSnapshot& snapshot, const DecodedLock&)
{
    std::vector<Fact> facts;
    constexpr std::pair<std::string_view, std::string_view> kShown[] = {
        {"resourceId", QT_TRANSLATE_NOOP("KernelText", "resource")},
        {"tableName", QT_TRANSLATE_NOOP("KernelText", "table")},
        {"pk", QT_TRANSLATE_NOOP("KernelText", "primary key")},
        {"branchId", QT_TRANSLATE_NOOP("KernelText", "branch")}};
    for (const auto& [name, label] : kShown) {
        if (const Bytes* const value = valueOf(snapshot.main(), name)) {
            facts.push_back({label, escaped(*value)});
        }
    }
    return facts;
}

std::string meaningOfKey(const LockSnapshot&, const Observation&)
{
    return KernelText::tr("A row of a database that a global transaction has changed: it is there "
                          "until the transaction has ended.");
}

std::string meaningOfPart(const LockSnapshot&, const Observation&, const HashField& part)
{
    if (part.name == "xid") {
        return KernelText::tr("The field xid is the global transaction that holds the row: %1.",
                              nameInQuotes(part.value));
    }
    if (part.name == "branchId") {
        return KernelText::tr("The field branchId is the part of it that changed the row: %1.",
                              nameInQuotes(part.value));
    }
    return {};
}

} // namespace seata_row_lock

const Decoder kSeataRowLock{
    .id = "seata-row-lock",
    .library = "Seata",
    .title = "Seata",
    .summary = QT_TRANSLATE_NOOP("KernelText",
                                 "The lock of a row that a global transaction of Seata has "
                                 "changed."),
    .read = seata_row_lock::read,
    .release = seata_row_lock::release,
    .facts = seata_row_lock::facts,
    .isBookkeeping = seata_row_lock::isBookkeeping,
    .words =
        {
            .ifHolderDies = QT_TRANSLATE_NOOP(
                "KernelText",
                "It stays until Seata's server has committed the transaction or rolled it back."),
            .waiting = QT_TRANSLATE_NOOP(
                "KernelText",
                "No message wakes other transactions: they try again, and then give up."),
            .key = seata_row_lock::meaningOfKey,
            .part = seata_row_lock::meaningOfPart,
        },
};

} // namespace lockscope::inspect::decoders
