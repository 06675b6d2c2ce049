#pragma once

#include "core/kernel/store/script.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"

#include <QTest>

#include <initializer_list>
#include <string>

// Tables of what a script may answer, and of what a step makes of it.
namespace lockscope::testing {

/// The command that runs the script; `rest` is the number of keys, the keys and the arguments.
inline std::string calling(const store::Script& script, const std::string& rest)
{
    return "EVALSHA " + std::string(script.digest) + ' ' + rest;
}

inline store::Outcome numbers(std::initializer_list<std::int64_t> all)
{
    store::Reply::Array items;
    for (const std::int64_t n : all) {
        items.push_back(store::Reply::ofInteger(n));
    }
    return store::Reply::ofArray(std::move(items));
}

struct AnswerRow {
    const char* name;
    store::Outcome answer;
    std::string word; // of wordFor()
};

/// For a _data function: the columns `answer` and `word` with these rows, and with the ways in
/// which every step can fail.
inline void addAnswers(std::initializer_list<AnswerRow> rows)
{
    QTest::addColumn<store::Outcome>("answer");
    QTest::addColumn<std::string>("word");
    for (const AnswerRow& row : rows) {
        QTest::newRow(row.name) << row.answer << row.word;
    }
    QTest::newRow("no answer") << lostReply() << std::string("uncertain");
    QTest::newRow("not sent") << notSent() << std::string("unavailable");
    QTest::newRow("an error") << serverError() << std::string("unavailable");
    QTest::newRow("nonsense") << nonsense() << std::string("uncertain");
}

} // namespace lockscope::testing
