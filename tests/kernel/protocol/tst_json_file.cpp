#include "core/kernel/protocol/file_section.h"
#include "core/kernel/protocol/json_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_json_file {

using namespace lockscope::protocol;

namespace {

/// What is wrong with a file that has one member, the number "n".
std::string complaintAbout(const char* text)
{
    const auto error = readJsonFile(text, [](const nlohmann::json& root) {
        FileSection(root, "", {"n"}).number("n", 1, 9);
    });
    return error ? toText(*error) : "nothing is wrong";
}

} // namespace

class TestJsonFile final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrongIsSaidWithItsPlace();
    void promisesAreFoundByTheirIds();
};

void TestJsonFile::whatIsWrongIsSaidWithItsPlace()
{
    QCOMPARE(complaintAbout("{\"n\": 3}"), std::string("nothing is wrong"));
    QCOMPARE(complaintAbout("{\n \"n\": 33}"),
             std::string("line 2, column 2: \"n\" must be a whole number from 1 to 9."));
    QCOMPARE(complaintAbout("{\n \"n\": 3, \"n\": 4}"),
             std::string("line 2, column 10: Duplicate member."));
    QVERIFY(complaintAbout("{\n \"n\" 3}").starts_with("line 2, column 6: Invalid JSON"));
    QVERIFY(complaintAbout("[]").ends_with("An object in braces is expected."));
}

void TestJsonFile::promisesAreFoundByTheirIds()
{
    QCOMPARE(promiseNamed("fairness"), std::optional(Promise::Fairness));
    QVERIFY(!promiseNamed("luck"));
}

LOCKSCOPE_TEST(TestJsonFile, Core)

} // namespace lockscope::tst_json_file

#include "tst_json_file.moc"
