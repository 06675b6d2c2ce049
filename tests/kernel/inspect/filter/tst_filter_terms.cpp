#include "core/kernel/inspect/filter/filter_terms.h"
#include "core/kernel/report/lock_fields.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_filter_terms {

using namespace lockscope::inspect;
using namespace std::string_literals;

// What the single fields mean is the subject of tst_lock_filter; this is about one word by itself.
class TestFilterTerms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWordAsksAboutOneLock();
    void aColonInAKeyIsNotAField_data();
    void aColonInAKeyIsNotAField();
    void lettersBeforeAColonAreAField_data();
    void lettersBeforeAColonAreAField();
    void errorsStandWhereTheWordStands();
    void everyFieldIsUnderstood();
};

namespace {

std::variant<FilterNode, FilterError> term(std::string_view text, std::size_t at = 0)
{
    return filterTerm(FilterToken{FilterToken::Kind::Word, text, at}, report::lockFilterFields());
}

} // namespace

void TestFilterTerms::aWordAsksAboutOneLock()
{
    LockRecord record;
    record.id.name = "order:42";
    const auto node = term("key:order");
    QVERIFY(std::holds_alternative<FilterNode>(node));
    QVERIFY(std::get<FilterNode>(node)->matches(record, {}));
    QVERIFY(!std::get<FilterNode>(node)->dependsOnTime());
    record.id.name = "job:42";
    QVERIFY(!std::get<FilterNode>(node)->matches(record, {}));
}

void TestFilterTerms::aColonInAKeyIsNotAField_data()
{
    QTest::addColumn<std::string>("key");
    for (const char* key : {"order-7:42", "redisson_lock__channel:{k}", ":a", "{user}:1:read"}) {
        QTest::newRow(key) << std::string(key);
    }
}

void TestFilterTerms::aColonInAKeyIsNotAField()
{
    QFETCH(std::string, key);
    const auto node = term(key);
    QVERIFY(std::holds_alternative<FilterNode>(node));
    LockRecord record;
    record.id.name = key;
    QVERIFY(std::get<FilterNode>(node)->matches(record, {}));
    record.id.name = "another";
    QVERIFY(!std::get<FilterNode>(node)->matches(record, {}));
}

void TestFilterTerms::lettersBeforeAColonAreAField_data()
{
    QTest::addColumn<std::string>("word");
    for (const char* word : {"order:42", "job:nightly-sync", "lock:x", "a:", "user:1:read"}) {
        QTest::newRow(word) << std::string(word);
    }
}

void TestFilterTerms::lettersBeforeAColonAreAField()
{
    QFETCH(std::string, word);
    const auto refused = term(word);
    const auto* const error = std::get_if<FilterError>(&refused);
    QVERIFY(error != nullptr);
    QVERIFY(error->reason.starts_with("unknown field "));
    const auto quoted = term(error->better);
    LockRecord record;
    record.id.name = word;
    QVERIFY(std::get<FilterNode>(quoted)->matches(record, {}));
    record.id.name = "another";
    QVERIFY(!std::get<FilterNode>(quoted)->matches(record, {}));
}

void TestFilterTerms::errorsStandWhereTheWordStands()
{
    const auto result = term("waiters>x", 20);
    const auto* const error = std::get_if<FilterError>(&result);
    QVERIFY(error != nullptr);
    QCOMPARE(error->at, 28U);
    QCOMPARE(error->length, 1U);
}

void TestFilterTerms::everyFieldIsUnderstood()
{
    for (const FilterField& field : report::lockFilterFields()) {
        // A value that suits every kind of field is not there: one of these does.
        bool isUnderstood = false;
        for (const char* value : {":1", ":1s", ":*"}) {
            isUnderstood |= std::holds_alternative<FilterNode>(term(std::string(field.name)
                                                                    + value));
        }
        QVERIFY2(isUnderstood, std::string(field.name).c_str());
    }
    QCOMPARE(report::lockFilterFields().size(), 18U);
}

LOCKSCOPE_TEST(TestFilterTerms, Core)

} // namespace lockscope::tst_filter_terms

#include "tst_filter_terms.moc"
