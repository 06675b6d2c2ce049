#include "core/kernel/report/explanation_text.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_explanation_text {

using namespace std::string_literals;
using report::Explanation;
using report::ExplanationSection;

class TestExplanationText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSectionHasItsEntries();
    void whatIsNotKnownHasNoSection();
    void theTextHasAllOfIt();

private:
    const Explanation m_explanation{{{"order:lock", "The lock itself."}, {"queue", "Waiters."}},
                                    "Its watchdog renews it.",
                                    "It expires.",
                                    "They poll.",
                                    {{"What is stored", "GET order:lock"}},
                                    {{"Delete the key", "DEL order:lock"}}};
};

void TestExplanationText::aSectionHasItsEntries()
{
    const std::vector<ExplanationSection> sections = report::sectionsOf(m_explanation);
    QCOMPARE(sections.size(), std::size_t(6));
    QCOMPARE(sections[0].entries.size(), std::size_t(2));
    QCOMPARE(sections[0].entries[1].heading, "queue"s);
    QCOMPARE(sections[0].entries[1].text, "Waiters."s);
    QVERIFY(!sections[0].entries[1].isCommand);
    QVERIFY(sections[2].entries[0].heading.empty());
    QCOMPARE(sections[2].entries[0].text, "It expires."s);
    QVERIFY(sections[5].entries[0].isCommand);
    QCOMPARE(sections[5].entries[0].heading, "Delete the key"s);
}

void TestExplanationText::whatIsNotKnownHasNoSection()
{
    Explanation partial = m_explanation;
    partial.whileHeld.clear();
    partial.release.clear();
    const std::vector<ExplanationSection> sections = report::sectionsOf(partial);
    QCOMPARE(sections.size(), std::size_t(4));
    QCOMPARE(sections[1].entries[0].text, "It expires."s);
}

void TestExplanationText::theTextHasAllOfIt()
{
    QCOMPARE(report::explanationText(m_explanation),
             "What its keys mean\n  order:lock: The lock itself.\n  queue: Waiters.\n"
             "While its holder lives\n  Its watchdog renews it.\n"
             "If its holder dies now\n  It expires.\n"
             "How its waiters wake up\n  They poll.\n"
             "To look at it, at the prompt of redis-cli\n"
             "  # What is stored\n  GET order:lock\n"
             "To release it by hand, at the prompt of redis-cli. Between single commands another "
             "client may take the lock; the last command leaves no gap\n"
             "  # Delete the key\n  DEL order:lock\n"s);
}

LOCKSCOPE_TEST(TestExplanationText, Core)

} // namespace lockscope::tst_explanation_text

#include "tst_explanation_text.moc"
