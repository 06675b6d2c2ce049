#include "core/operations/owner_names.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_owner_names {

using operations::KnownOwner;
using operations::OwnerNames;

namespace {

OwnerNames namesOf(std::string_view text)
{
    auto names = OwnerNames::read(text);
    return std::get<OwnerNames>(std::move(names));
}

std::string complaintOf(std::string_view text)
{
    const auto names = OwnerNames::read(text);
    const auto* const complaint = std::get_if<std::string>(&names);
    return complaint != nullptr ? *complaint : std::string();
}

std::string whoIs(const OwnerNames& names, std::string_view token)
{
    const std::optional<KnownOwner> owner = names.find(token);
    return owner ? owner->who : "nobody";
}

} // namespace

class TestOwnerNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRuleTakesATokenApart();
    void theTableNamesTokensAndParts();
    void theFirstRuleThatFitsCounts();
    void whatIsUnknownStaysUnknown();
    void mistakesAreExplained();
};

void TestOwnerNames::aRuleTakesATokenApart()
{
    const OwnerNames names = namesOf(
        R"({"rules": [{"token": "{host=text}:{pid=digits}:{id=hex-8}",
                       "who": "{host}, process {pid} {other}"}]})");
    QCOMPARE(whoIs(names, "web-3:4711:0a1b2c3d"), std::string("web-3, process 4711 {other}"));
    QCOMPARE(names.find("web-3:4711:0a1b2c3d")->how,
             std::string("your rule {host=text}:{pid=digits}:{id=hex-8} fits the token"));
    QCOMPARE(whoIs(names, "web-3:4711"), std::string("nobody"));
}

void TestOwnerNames::theTableNamesTokensAndParts()
{
    const OwnerNames names = namesOf(R"({"rules": [{"token": "{app=text}/{id=digits}",
                                                    "who": "{app} number {id}"}],
                                         "names": {"b7": "billing", "a/1": "the first one"}})");
    QCOMPARE(whoIs(names, "a/1"), std::string("the first one"));
    QCOMPARE(names.find("a/1")->how, std::string("your table of names has the token"));
    QCOMPARE(whoIs(names, "b7/12"), std::string("billing number 12"));
}

void TestOwnerNames::theFirstRuleThatFitsCounts()
{
    const OwnerNames names = namesOf(R"({"rules": [{"token": "a{id=digits}", "who": "first"},
                                                   {"token": "{id=text}", "who": "second"}]})");
    QCOMPARE(whoIs(names, "a12"), std::string("first"));
    QCOMPARE(whoIs(names, "b12"), std::string("second"));
}

void TestOwnerNames::whatIsUnknownStaysUnknown()
{
    QVERIFY(namesOf("{}").isEmpty());
    QCOMPARE(whoIs(namesOf("{}"), "a"), std::string("nobody"));
    QCOMPARE(whoIs(OwnerNames(), ""), std::string("nobody"));
}

void TestOwnerNames::mistakesAreExplained()
{
    QVERIFY(complaintOf(R"({"rule": []})").find("rule") != std::string::npos);
    QVERIFY(!complaintOf(R"({"rules": [{"token": "{x", "who": "a"}]})").empty());
    QVERIFY(!complaintOf(R"({"rules": [{"token": "a"}]})").empty());
    QVERIFY(!complaintOf(R"({"names": {"a": 1}})").empty());
    QVERIFY(!complaintOf("{").empty());
}

LOCKSCOPE_TEST(TestOwnerNames, Core)

} // namespace lockscope::tst_owner_names

#include "tst_owner_names.moc"
