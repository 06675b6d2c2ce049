#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/report/run/plan_members.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

// A member of a plan is its row in the table: files, their schema and the form follow from it.
namespace lockscope::tst_plan_members {

using report::PlanMember;
using world::WorldPlan;

namespace {

/// Gives the member a value that it does not have by default.
void change(const PlanMember& member, WorldPlan& plan)
{
    const auto changeTo = [&plan](const auto& kind) {
        auto& value = kind.of(plan);
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>) {
            value = !value;
        } else {
            value += Value(1);
        }
    };
    std::visit(changeTo, member.value);
}

/// The type of a member in the schema.
const char* typeOf(const PlanMember& member)
{
    if (std::holds_alternative<PlanMember::Span>(member.value)) {
        return member.name == report::kRenewalMember ? "object" : "string";
    }
    return std::holds_alternative<PlanMember::Flag>(member.value) ? "boolean" : "integer";
}

} // namespace

class TestPlanMembers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMemberIsWrittenAndReadBack()
    {
        for (const PlanMember& member : report::planMembers()) {
            WorldPlan plan;
            plan.name = "all but one as usual";
            plan.clients.resize(1);
            QVERIFY(member.hasDefault(plan));
            change(member, plan);
            QVERIFY2(!member.hasDefault(plan), member.name.data());
            const auto json = nlohmann::json::parse(report::worldPlanJson(plan).dump());
            WorldPlan again = report::readWorldPlan(json, "");
            QCOMPARE(report::worldPlanJson(again).dump(), report::worldPlanJson(plan).dump());
            member.setDefault(again);
            QVERIFY2(member.hasDefault(again), member.name.data());
        }
    }

    void whatDoesNotApplyIsRefused()
    {
        const auto& info = protocol::findProtocol("setnx-no-expiry")->info();
        for (const PlanMember& member : report::planMembers()) {
            WorldPlan plan;
            change(member, plan);
            QCOMPARE(report::complaintAbout(plan, info).has_value(),
                     !member.appliesToProtocol(info));
        }
    }

    void theSchemaHasEveryMember()
    {
        QFile file(testing::inSourceTree(QStringLiteral("docs/json/scenario.schema.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto properties = nlohmann::json::parse(file.readAll().toStdString())
                                    .at("$defs")
                                    .at("plan")
                                    .at("properties");
        // Those with a structure of their own: name, clients, faults, unreachable.
        QCOMPARE(properties.size(), report::planMembers().size() + 4);
        for (const PlanMember& member : report::planMembers()) {
            const std::string name(member.name);
            QVERIFY2(properties.contains(name), name.c_str());
            QCOMPARE(properties.at(name).at("type").get<std::string>(),
                     std::string(typeOf(member)));
        }
    }
};

LOCKSCOPE_TEST(TestPlanMembers, None)

} // namespace lockscope::tst_plan_members

#include "tst_plan_members.moc"
