#include "core/kernel/world/violation.h"
#include "tests/mutation/changed_client.h"
#include "tests/mutation/changed_commands.h"
#include "tests/mutation/equivalents.h"
#include "tests/mutation/mutants.h"
#include "tests/mutation/score.h"
#include "tests/mutation/variants.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <string>

namespace lockscope::tst_mutants {

using mutation::Judgement;
using mutation::Kill;
using mutation::Mutant;
using mutation::Subject;
using protocol::Promise;

namespace {

constexpr search::Bounds kBounds{200};
constexpr search::Bounds kBoundsOfVariants{20}; // all plans are searched

const std::vector<Subject>& subjects()
{
    static const std::vector<Subject> kSubjects = mutation::builtinSubjects();
    return kSubjects;
}

const Subject& subjectNamed(const std::string& id)
{
    const auto found = std::ranges::find(subjects(), id, &Subject::id);
    Q_ASSERT(found != subjects().end());
    return *found;
}

const Mutant* mutantNamed(const std::vector<Mutant>& mutants, const std::string& id)
{
    const auto found = std::ranges::find(mutants, id, &Mutant::id);
    return found != mutants.end() ? &*found : nullptr;
}

} // namespace

class TestMutants : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatAProtocolSendsIsKnown();
    void idsAreUnique();
    void notesAreOnMutants();
    void mistakeIsFound_data();
    void mistakeIsFound();
    void noMistakeIsNone();
    void otherWordsAreNoMistake_data();
    void otherWordsAreNoMistake();
};

void TestMutants::whatAProtocolSendsIsKnown()
{
    const Subject& lock = subjectNamed("redisson-lock");
    std::set<std::string> names;
    for (const mutation::UsedScript& script : lock.scripts) {
        names.insert(script.name);
    }
    const std::set<std::string> expected{"redisson_lock", "redisson_renew", "redisson_unlock"};
    QCOMPARE(names, expected);

    const Subject& token = subjectNamed("set-nx-px-token");
    QVERIFY(std::ranges::find(token.verbs, "SET") != token.verbs.end());
    for (const Subject& subject : subjects()) {
        QVERIFY2(!subject.scripts.empty() || !subject.verbs.empty(), subject.id().c_str());
    }
}

void TestMutants::idsAreUnique()
{
    std::set<std::string> ids;
    for (const Subject& subject : subjects()) {
        for (const Mutant& mutant : mutantsOf(subject)) {
            QVERIFY2(ids.insert(mutant.id).second, mutant.id.c_str());
        }
    }
}

/// A note outlives the line of the script that it is about.
void TestMutants::notesAreOnMutants()
{
    std::set<std::string_view> used;
    for (const Subject& subject : mutation::allSubjects()) {
        for (const Mutant& mutant : mutantsOf(subject)) {
            used.insert(mutation::noteOn(mutant.id));
        }
    }
    for (const auto& [id, why] : mutation::notes()) {
        QVERIFY2(used.contains(id), id.c_str());
        QVERIFY2(!why.empty(), id.c_str());
    }
}

void TestMutants::mistakeIsFound_data()
{
    QTest::addColumn<QString>("protocol");
    QTest::addColumn<QString>("mutant");
    QTest::addColumn<Promise>("promise");

    QTest::newRow("a script") << "set-nx-px-token"
                              << "delete_if_equal: condition-false 5: value ~= ARGV[1]"
                              << Promise::OwnerOnlyRelease;
    QTest::newRow("a command") << "set-nx-px-token"
                               << "drop-option: SET" << Promise::MutualExclusion;
    QTest::newRow("a command that never expires") << "set-nx-px-token"
                                                  << "drop-expiry: SET" << Promise::NoStuckLock;
    QTest::newRow("a client") << "setnx-no-expiry"
                              << "client: skip-release" << Promise::NoStuckLock;
    QTest::newRow("a client and its lease") << "redisson-lock"
                                            << "client: trust-too-long" << Promise::LeaseHonesty;
}

void TestMutants::mistakeIsFound()
{
    QFETCH(QString, protocol);
    QFETCH(QString, mutant);
    QFETCH(Promise, promise);

    const Subject& subject = subjectNamed(protocol.toStdString());
    const std::vector<Mutant> mutants = mutantsOf(subject);
    const std::string id = subject.id() + ": " + mutant.toStdString();
    const Mutant* const mistake = mutantNamed(mutants, id);
    QVERIFY2(mistake != nullptr, id.c_str());
    Judgement judgement(subject, kBounds);
    const std::optional<Kill> kill = judgement.tryOn(*mistake);
    QVERIFY2(kill.has_value(), "it survives");
    QCOMPARE(kill->promise, promise);
}

void TestMutants::noMistakeIsNone()
{
    const Subject& subject = subjectNamed("lua-token-heartbeat");
    Judgement judgement(subject, kBounds);
    QVERIFY(!judgement.tryOn({"the same", "", subject.protocol, {}, nullptr}));
}

void TestMutants::otherWordsAreNoMistake_data()
{
    QTest::addColumn<QString>("protocol");
    for (const char* const id : {"set-nx-px-token", "fenced-token", "redisson-lock"}) {
        QTest::newRow(id) << id;
    }
}

void TestMutants::otherWordsAreNoMistake()
{
    QFETCH(QString, protocol);
    const Subject& subject = subjectNamed(protocol.toStdString());
    Judgement judgement(subject, kBoundsOfVariants);
    const std::vector<Mutant> variants = variantsOf(subject);
    QVERIFY(!variants.empty());
    for (const Mutant& variant : variants) {
        QVERIFY2(!judgement.tryOn(variant), variant.id.c_str());
    }
}

LOCKSCOPE_TEST(TestMutants, None)

} // namespace lockscope::tst_mutants

#include "tst_mutants.moc"
