#include "core/kernel/world/step.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <vector>

namespace lockscope::tst_step {

using namespace lockscope::testing;
using namespace lockscope::world;

namespace {

constexpr std::array kRoles{LinkRole::Commands, LinkRole::Blocking, LinkRole::Channels};

std::vector<Step> stepsOfEveryKind()
{
    std::vector<Step> steps{Step{}};
    for (int variant = 0; variant < 3; ++variant) {
        Step late;
        late.kind = Step::Kind::ServeLate;
        late.variant = static_cast<std::uint8_t>(variant);
        steps.push_back(late);
    }
    for (const LinkRole role : kRoles) {
        for (const int client : {0, 1, 25}) {
            for (const int node : {0, 4}) {
                steps.push_back(Step::serve(client, node, role));
                for (int kind = 0; kind < static_cast<int>(FaultKind::FaultKindCount); ++kind) {
                    steps.push_back(Step::ofFault(static_cast<FaultKind>(kind), client, node,
                                                  node % 3, role));
                }
            }
        }
    }
    return steps;
}

} // namespace

class TestStep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStepComesBackFromItsText();
    void theTextIsAsFilesHaveIt();
    void nonsenseIsRefused_data();
    void nonsenseIsRefused();
    void whateverIsReadIsWrittenTheSame();
};

void TestStep::everyStepComesBackFromItsText()
{
    for (const Step& step : stepsOfEveryKind()) {
        const std::string text = toText(step);
        const auto read = parseStep(text);
        QVERIFY2(read && *read == step, text.c_str());
    }
}

void TestStep::theTextIsAsFilesHaveIt()
{
    QCOMPARE(toText(Step{}), std::string("advance"));
    QCOMPARE(toText(Step::serve(1, 2, LinkRole::Blocking)), std::string("serve B 2 b"));
    QCOMPARE(toText(Step::ofFault(FaultKind::Pause, 0, 0)), std::string("pause A 0 c 0"));
    QCOMPARE(toText(Step::ofFault(FaultKind::ConnectionLoss, 2, 0, 2, LinkRole::Channels)),
             std::string("connection-loss C 0 s 2"));
    Step late;
    late.kind = Step::Kind::ServeLate;
    late.variant = 3;
    QCOMPARE(toText(late), std::string("late 3"));
}

void TestStep::nonsenseIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* const text : {"",
                                   " ",
                                   "go",
                                   "advance 1",
                                   "late",
                                   "late x",
                                   "late -1",
                                   "late 256",
                                   "late 1 1",
                                   "serve",
                                   "serve A",
                                   "serve A 0",
                                   "serve A 0 x",
                                   "serve a 0 c",
                                   "serve AB 0 c",
                                   "serve A 0 cc",
                                   "serve A 256 c",
                                   "serve A 0 c 0",
                                   "serve A x c",
                                   "pause",
                                   "pause A 0 c",
                                   "pause A 0 c x",
                                   "pause A 0 c 0 0",
                                   "fault A 0 c 0",
                                   "Pause A 0 c 0",
                                   "pause 1 0 c 0"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

void TestStep::nonsenseIsRefused()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!parseStep({text.constData(), static_cast<std::size_t>(text.size())}));
}

void TestStep::whateverIsReadIsWrittenTheSame()
{
    constexpr std::array<std::string_view, 14> kPieces{"serve", "late", "advance", "pause", "crash",
                                                       " ",     " A",   " B",      " 0",    " 1",
                                                       " c",    " b",   " s",      "\t"};
    RandomInput input;
    for (int i = 0; i < 20'000; ++i) {
        const Bytes text = input.assembled(kPieces, 6);
        if (const auto step = parseStep(text)) {
            const auto again = parseStep(toText(*step));
            QVERIFY2(again && *again == *step, input.recipe(text).c_str());
        }
    }
}

LOCKSCOPE_TEST(TestStep, Core)

} // namespace lockscope::tst_step

#include "tst_step.moc"
