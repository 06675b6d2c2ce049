#include "core/kernel/inspect/reason.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lockscope::tst_reason {

using namespace lockscope::inspect;

class TestReason : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyReasonIsDescribed();
};

void TestReason::everyReasonIsDescribed()
{
    std::set<std::string_view> ids;
    for (const ReasonInfo& info : allReasons()) {
        QVERIFY2(info.text && info.doubt && info.remedy, std::string(info.id).c_str());
        QVERIFY2(ids.insert(info.id).second, std::string(info.id).c_str());
        if (const std::optional<Flag> flag = flagOf(info.reason)) {
            QVERIFY(idOf(*flag) == info.id && flagOfId(info.id) == flag);
            QCOMPARE(severityOf(*flag), info.severity);
        } else {
            QCOMPARE(info.severity, 0); // the headline is that of the flags
        }
        QVERIFY(!info.isHazard || info.severity == 0);
    }
    QCOMPARE(ids.size(), static_cast<std::size_t>(Reason::ReasonCount));
    QVERIFY(!flagOfId("eviction")); // no word for the filter: no row has it
}

LOCKSCOPE_TEST(TestReason, Core)

} // namespace lockscope::tst_reason

#include "tst_reason.moc"
