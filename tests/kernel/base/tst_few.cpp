#include "core/kernel/base/few.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace lockscope::tst_few {

class TestFew : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAsTheVectorThatWasDoneTheSameTo();
    void oneStandsInPlace();
};

using Texts = Few<std::string>;

void TestFew::readsAsTheVectorThatWasDoneTheSameTo()
{
    testing::RandomInput input;
    Rng& rng = input.rng();
    Texts few;
    std::vector<std::string> right;
    for (int step = 0; step < 5'000; ++step) {
        const std::string text = std::to_string(rng.below(50));
        switch (rng.below(8)) {
        case 0:
            few.clear();
            right.clear();
            break;
        case 1:
            right.assign(rng.below(4), text);
            few.assign(right.size(), text);
            break;
        case 2: few = right; break;
        case 3: few = Texts(few); break;
        case 4: few.emplace_back() = right.emplace_back(text); break;
        case 5:
            right.resize(rng.below(4));
            few.resize(right.size());
            break;
        default: few.push_back(text); right.push_back(text);
        }
        const Texts copy = few;
        QVERIFY2(std::ranges::equal(few, right) && copy == few && few == Texts(right)
                     && few.empty() == right.empty() && std::vector<std::string>(few) == right
                     && std::ranges::equal(std::span(copy), right),
                 input.recipe().c_str());
        QVERIFY2(right.empty() || (few.front() == right.front() && few.back() == right.back()),
                 input.recipe().c_str());
    }
    QVERIFY(Texts({"a", "b"}) != Texts({"a", "c"}));
    QVERIFY(Texts({"a"}) != Texts());
}

void TestFew::oneStandsInPlace()
{
    Texts few;
    few.push_back("a");
    const auto* const begin = reinterpret_cast<const char*>(&few);
    const auto* const item = reinterpret_cast<const char*>(few.data());
    QVERIFY(item >= begin && item < begin + sizeof(few));
    few = std::vector<std::string>{"b"};
    QVERIFY(few.size() == 1 && reinterpret_cast<const char*>(few.data()) == item);
}

LOCKSCOPE_TEST(TestFew, Core)

} // namespace lockscope::tst_few

#include "tst_few.moc"
