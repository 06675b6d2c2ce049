#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/client_libraries.h"
#include "core/kernel/report/advice.h"
#include "core/kernel/report/advice_json.h"
#include "core/kernel/report/row_verdict.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/matrix_tasks.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/searched_cell.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <map>
#include <set>

namespace lockscope::tst_advice {

using report::Addition;
using report::Advice;
using report::AdviceQuestion;
using report::CellReport;
using report::ProtocolAdvice;
using search::Harm;
using world::FaultKind;
using Standing = ProtocolAdvice::Standing;

namespace {

/// What is written down of these breaks within it, and the rest is searched in seconds.
constexpr std::uint64_t kSchedules = 100;

/// A question of a design discussion, and what the written ground truth says to it.
struct Discussion {
    const char* name;
    AdviceQuestion question;
    std::vector<std::string> suiting;
    std::vector<std::string> breaking;
    std::optional<std::pair<Addition::Kind, std::string>> addition{};
    std::vector<std::string> noChoice{}; // nothing of the question breaks it
};

AdviceQuestion asked(std::vector<Harm> never, std::vector<FaultKind> despite)
{
    AdviceQuestion question;
    question.never = std::move(never);
    question.despite = std::move(despite);
    question.despite.insert(question.despite.begin(), FaultKind::Interleaving);
    return question;
}

AdviceQuestion reentrant(AdviceQuestion question)
{
    question.isReentrant = true;
    return question;
}

AdviceQuestion withReaders(AdviceQuestion question)
{
    question.hasReaders = true;
    return question;
}

AdviceQuestion withPermits(AdviceQuestion question)
{
    question.hasPermits = true;
    return question;
}

AdviceQuestion in(std::string language, AdviceQuestion question)
{
    question.languages = {std::move(language)};
    return question;
}

/// The numbers are those of the flaws there.
std::vector<Discussion> discussionsOfFaults()
{
    using enum Harm;
    using enum FaultKind;
    return {
        {"is EXISTS before SET enough?",
         asked({TwoHolders}, {}),
         {"set-nx-px-token"},
         {"exists-then-set"}, // 1
         {},
         {"setnx-no-expiry", "set-nx-ex", "lua-setnx-expire"}}, // 3, 11
        {"what if a holder dies?",
         asked({Stuck}, {Crash}),
         {"set-nx-px-token"},
         {"exists-then-set", "setnx-no-expiry", "setnx-then-expire"}, // 3, 4
         {},
         {"set-nx-ex", "lua-setnx-expire"}}, // 11
        {"is DEL enough for the release?",
         asked({WrongRelease}, {Pause}),
         {"set-nx-px-token"},
         {"set-nx-ex", "setnx-then-expire"}}, // 11
        {"may a holder stand still?",
         asked({TwoHolders, Stuck}, {Crash, Pause}),
         {},
         {"set-nx-px-token", "redisson-lock", "redlock"}, // 10, 50
         std::pair(Addition::Kind::Fence, "fenced-token")},
        {"does the watchdog help against a pause?",
         asked({TwoHolders}, {Pause}),
         {},
         {"lua-token-heartbeat", "redisson-lock"}}, // 14
        {"may the server fail over?",
         asked({TwoHolders}, {Failover}),
         {},
         {"set-nx-px-token", "redisson-lock", "setnx-no-expiry"}}, // 31
        {"may the clocks of clients differ?",
         asked({TwoHolders}, {ClockSkew}),
         {"set-nx-px-token", "redisson-lock"},
         {"setnx-getset"}}, // 20
        {"may the clock of the server step?",
         asked({TwoHolders}, {ClockStep}),
         {},
         {"set-nx-px-token", "set-nx-ex"}, // 30
         {},
         {"setnx-no-expiry"}}, // 3
    };
}

std::vector<Discussion> discussionsOfFeatures()
{
    using enum Harm;
    using enum FaultKind;
    return {
        {"which is reentrant?",
         reentrant(asked({TwoHolders, Stuck}, {Crash})),
         {"redisson-lock", "reentrant-hash"},
         {}},
        {"may a request arrive twice?",
         reentrant(asked({WrongCount}, {MessageCopy})),
         {},
         {"reentrant-hash"}}, // 19
        {"may two tasks be one owner?",
         reentrant(asked({TwoHolders}, {SharedIdentity})),
         {},
         {"redisson-lock", "reentrant-hash"}}, // 44
        {"which has readers?",
         withReaders(asked({TwoHolders}, {})),
         {"redisson-read-write"},
         {"rw-hash-stamps"}}, // 80
        {"which lets several in?", withPermits(asked({TwoHolders}, {})), {"semaphore"}, {}},
        {"which is reentrant in Java?",
         in("java", reentrant(asked({Stuck}, {Crash}))),
         {"redisson-lock"},
         {}},
        {"which is reentrant in Go?",
         in("go", reentrant(asked({Stuck}, {Crash}))),
         {},
         {},
         std::pair(Addition::Kind::OwnCode, "redisson-lock")},
    };
}

std::vector<Discussion> discussions()
{
    std::vector<Discussion> all = discussionsOfFaults();
    std::ranges::move(discussionsOfFeatures(), std::back_inserter(all));
    return all;
}

/// Searches, each once.
class Searches {
public:
    std::vector<CellReport> cellsFor(const AdviceQuestion& question)
    {
        std::vector<CellReport> cells;
        for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
            if (isOutOfQuestion(protocol->info(), question)) {
                continue;
            }
            for (const FaultKind fault : searchedFor(question)) {
                cells.push_back(cellOf(*protocol, fault));
            }
        }
        return cells;
    }

    /// Of one protocol, under every kind of fault.
    std::vector<const CellReport*> rowOf(const protocol::LockProtocol& protocol)
    {
        std::vector<const CellReport*> row;
        for (const FaultKind fault : search::matrixFaults()) {
            row.push_back(&cellOf(protocol, fault));
        }
        return row;
    }

private:
    const CellReport& cellOf(const protocol::LockProtocol& protocol, FaultKind fault)
    {
        const auto [cell, isNew] = m_cells.try_emplace({protocol.info().id, fault});
        if (isNew) {
            cell->second = searched(protocol, fault);
        }
        return cell->second;
    }

    CellReport searched(const protocol::LockProtocol& protocol, FaultKind fault)
    {
        return testing::searchedCell(protocol, fault, search::plansFor(protocol.info(), fault),
                                     kSchedules, m_lua);
    }

    sim::LuaEngine m_lua;
    std::map<std::pair<std::string, FaultKind>, CellReport> m_cells;
};

std::vector<const protocol::ProtocolInfo*> allInfos()
{
    std::vector<const protocol::ProtocolInfo*> infos;
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        infos.push_back(&protocol->info());
    }
    return infos;
}

const ProtocolAdvice& find(const Advice& advice, const std::string& protocol)
{
    return *std::ranges::find(advice.protocols, protocol, &ProtocolAdvice::protocol);
}

QByteArray described(const ProtocolAdvice& advice)
{
    QByteArray text = QByteArray::fromStdString(advice.protocol) + " stands at "
                      + QByteArray::number(static_cast<int>(advice.standing));
    for (const report::Breach& breach : advice.breaches) {
        text += "; " + QByteArray::fromStdString(breachText(breach));
    }
    return text;
}

QByteArray textOf(const std::vector<Addition>& additions)
{
    QByteArray text;
    for (const Addition& addition : additions) {
        text += QByteArray::fromStdString(additionText(addition)) + ' ';
    }
    return text;
}

struct DocumentedRow {
    QString group;
    QString protocol;
    std::size_t boundedCount = 0;
};

/// The tables of the page on the order, each below the heading of its group.
std::vector<DocumentedRow> documentedRows()
{
    QFile file(testing::inSourceTree(QStringLiteral("docs/protocol-order.md")));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    static const QRegularExpression line(
        QStringLiteral("^## (.+)$|^\\| \\d+ \\| `([^`]+)` \\| (\\d+) \\|"),
        QRegularExpression::MultilineOption);
    QString group;
    std::vector<DocumentedRow> rows;
    auto matches = line.globalMatch(QString::fromUtf8(file.readAll()));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.hasCaptured(2)) {
            rows.push_back({group, match.captured(2), match.captured(3).toUInt()});
        } else {
            group = match.captured(1);
        }
    }
    return rows;
}

} // namespace

class TestAdvice final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void questionsOfADesignAreAnsweredAsWrittenDown_data();
    void questionsOfADesignAreAnsweredAsWrittenDown();
    void theDocumentedOrderIsThatOfTheSearches();
    void moreServersAreAskedForWhereTheyHelp();
    void aFenceIsNoHelpAgainstOtherHarms();
    void whatNoRunHadAChanceForIsNotAdvised();
    void whatIsNoChoiceIsNeverAdvised();
    void theBestStandFirst();
    void theJsonIsAsDocumented();
    void costsAreThoseOfTheModel();
    void everyLibraryFollowsAProtocol();
    void anOwnProtocolHasTheLibraryThatItImitates();

private:
    Searches m_searches;
};

void TestAdvice::questionsOfADesignAreAnsweredAsWrittenDown_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Discussion> all = discussions();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QTest::newRow(all[i].name) << static_cast<int>(i);
    }
}

void TestAdvice::questionsOfADesignAreAnsweredAsWrittenDown()
{
    QFETCH(const int, index);
    const Discussion discussion = discussions().at(static_cast<std::size_t>(index));
    const auto infos = allInfos();
    const std::vector<CellReport> cells = m_searches.cellsFor(discussion.question);
    const Advice advice = adviceOn(discussion.question, infos, cells);
    for (const std::string& id : discussion.suiting) {
        QVERIFY2(find(advice, id).suits(), described(find(advice, id)).constData());
    }
    for (const std::string& id : discussion.breaking) {
        QVERIFY2(find(advice, id).standing == Standing::Breaks
                     || !find(advice, id).breaches.empty(),
                 described(find(advice, id)).constData());
    }
    for (const std::string& id : discussion.noChoice) {
        QVERIFY2(find(advice, id).standing == Standing::NoChoice,
                 described(find(advice, id)).constData());
    }
    if (discussion.addition) {
        const bool isNamed =
            std::ranges::any_of(advice.additions, [&discussion](const Addition& addition) {
                return std::pair(addition.kind, addition.protocol) == *discussion.addition;
            });
        QVERIFY2(isNamed, textOf(advice.additions).constData());
    }
}

/// How many cells hold only up to the bound depends on the bound, which is smaller here than that
/// of the matrix: the number is the documented one.
void TestAdvice::theDocumentedOrderIsThatOfTheSearches()
{
    const std::vector never{Harm::TwoHolders};
    const std::vector<DocumentedRow> documented = documentedRows();
    std::vector<std::pair<QString, report::RowVerdict>> rows;
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        const QString id = QString::fromStdString(protocol->info().id);
        const auto row = std::ranges::find(documented, id, &DocumentedRow::protocol);
        QVERIFY2(row != documented.end(), qPrintable(id));
        rows.emplace_back(id, report::verdictOfRow(m_searches.rowOf(*protocol), never));
        QVERIFY2(row->boundedCount <= rows.back().second.boundedCount, qPrintable(id));
        rows.back().second.boundedCount = row->boundedCount;
    }
    std::ranges::stable_sort(rows, [](const auto& one, const auto& other) {
        return ranksBefore(one.second, other.second);
    });
    QStringList found;
    for (const auto& [id, verdict] : rows) {
        found += QString::fromStdString(nameOf(verdict.group)) + QStringLiteral(": ") + id;
    }
    QStringList expected;
    for (const DocumentedRow& row : documented) {
        expected += row.group + QStringLiteral(": ") + row.protocol;
    }
    qInfo("%s", qPrintable(found.join(QLatin1Char('\n'))));
    QCOMPARE(found, expected);
}

void TestAdvice::moreServersAreAskedForWhereTheyHelp()
{
    AdviceQuestion question = asked({Harm::TwoHolders}, {});
    const protocol::ProtocolInfo& redlock = protocol::findProtocol("redlock")->info();
    const std::vector<const protocol::ProtocolInfo*> infos{&redlock};
    const std::vector<CellReport> cells = m_searches.cellsFor(question);
    const Advice advice = adviceOn(question, infos, cells);
    QCOMPARE(find(advice, "redlock").standing, Standing::Unfit);
    QCOMPARE(misfitText(find(advice, "redlock")), std::string("needs 3 independent servers"));
    QCOMPARE(advice.additions.size(), std::size_t(1));
    QCOMPARE(additionText(advice.additions.front()),
             std::string("3 independent servers: nothing broke redlock there."));
    question.serverCount = 3;
    QVERIFY(find(adviceOn(question, infos, cells), "redlock").suits());
}

/// Both harms happen under one fault, and the one that a fence heals is the shorter.
void TestAdvice::aFenceIsNoHelpAgainstOtherHarms()
{
    const AdviceQuestion question = asked({Harm::TwoHolders, Harm::Stuck}, {FaultKind::Pause});
    const protocol::ProtocolInfo& fenced = protocol::findProtocol("fenced-token")->info();
    const std::vector<const protocol::ProtocolInfo*> infos{&fenced};
    std::vector<CellReport> cells = m_searches.cellsFor(question);
    const auto hasFence = [&] {
        return std::ranges::count(adviceOn(question, infos, cells).additions, Addition::Kind::Fence,
                                  &Addition::kind)
               == 1;
    };
    QVERIFY(hasFence());
    const auto cell = std::ranges::find_if(cells, [](const CellReport& one) {
        return one.protocol == "fenced-token" && one.fault == FaultKind::Pause;
    });
    const auto verdictOn = [&cell](protocol::Promise promise) -> search::PromiseResult& {
        return cell->verdicts.at(static_cast<std::size_t>(promise)).result;
    };
    search::PromiseResult& stuck = verdictOn(protocol::Promise::NoStuckLock);
    stuck.status = search::PromiseResult::Status::Broken;
    stuck.finding = verdictOn(protocol::Promise::MutualExclusion).finding;
    ++stuck.finding->length;
    QVERIFY(!hasFence());
    QCOMPARE(adviceOn(question, infos, cells).protocols.front().breaches.size(), std::size_t(2));
}

void TestAdvice::whatNoRunHadAChanceForIsNotAdvised()
{
    const AdviceQuestion question = asked({Harm::TwoHolders}, {});
    std::vector<CellReport> cells = m_searches.cellsFor(question);
    for (CellReport& cell : cells) {
        for (report::CellVerdict& verdict : cell.verdicts) {
            verdict.result.chances = 0;
            if (verdict.result.status == search::PromiseResult::Status::Held) {
                verdict.result.status = search::PromiseResult::Status::NotExercised;
            }
        }
    }
    const auto infos = allInfos();
    const Advice advice = adviceOn(question, infos, cells);
    QCOMPARE(find(advice, "set-nx-px-token").standing, Standing::Untested);
    QVERIFY(find(advice, "set-nx-px-token").untested == question.never);
    // Nor what was not searched to any length under one of the faults, or at all.
    std::vector<CellReport> broken = m_searches.cellsFor(question);
    CellReport unsearched;
    unsearched.protocol = "set-nx-px-token";
    unsearched.fault = FaultKind::Crash;
    broken.push_back(unsearched);
    QCOMPARE(find(adviceOn(question, infos, broken), "set-nx-px-token").standing,
             Standing::Untested);
    QCOMPARE(find(adviceOn(question, infos, {}), "set-nx-px-token").standing, Standing::Untested);
    // Whether it has a hazard is not known without a cell for crashes.
    std::vector<CellReport> some = m_searches.cellsFor(question);
    QVERIFY(find(adviceOn(question, infos, some), "set-nx-px-token").suits());
    std::erase_if(some, [](const CellReport& cell) { return cell.fault == FaultKind::Crash; });
    QCOMPARE(find(adviceOn(question, infos, some), "set-nx-px-token").standing, Standing::Untested);
}

/// The hazards under all faults are those under the three that are always searched.
void TestAdvice::whatIsNoChoiceIsNeverAdvised()
{
    const auto infos = allInfos();
    std::set<std::string> hazardous;
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        for (const CellReport* const cell : m_searches.rowOf(*protocol)) {
            if (hazardIn(*cell).isHarmed()) {
                hazardous.insert(protocol->info().id);
            }
        }
    }
    QVERIFY(hazardous.contains("set-nx-ex") && !hazardous.contains("set-nx-px-token"));
    for (const Harm harm : search::allHarms()) {
        for (const FaultKind fault : search::matrixFaults()) {
            const AdviceQuestion question = asked({harm}, {fault});
            const std::vector<CellReport> cells = m_searches.cellsFor(question);
            const Advice advice = adviceOn(question, infos, cells);
            for (const ProtocolAdvice& one : advice.protocols) {
                QVERIFY2(!one.suits() || !hazardous.contains(one.protocol),
                         described(one).constData());
            }
            for (const Addition& addition : advice.additions) {
                QVERIFY2(!hazardous.contains(addition.protocol), additionText(addition).c_str());
            }
        }
    }
}

void TestAdvice::theBestStandFirst()
{
    const AdviceQuestion question = asked({Harm::TwoHolders, Harm::Stuck}, {FaultKind::Crash});
    const auto infos = allInfos();
    const std::vector<CellReport> cells = m_searches.cellsFor(question);
    const Advice advice = adviceOn(question, infos, cells);
    QVERIFY(std::ranges::is_sorted(advice.protocols, {}, &ProtocolAdvice::standing));
    QVERIFY(advice.protocols.front().suits());
    // Both hold; the one whose release is a bare DEL ends other clients' holds if somebody dawdles.
    const AdviceQuestion slow = asked({Harm::Stuck}, {FaultKind::Crash, FaultKind::Pause});
    const std::vector<CellReport> slowCells = m_searches.cellsFor(slow);
    const Advice slowAdvice = adviceOn(slow, infos, slowCells);
    const auto place = [&slowAdvice](const char* id) { return &find(slowAdvice, id); };
    QVERIFY(place("set-nx-px-token") < place("set-nx-ex"));
    QVERIFY(std::ranges::count(place("set-nx-ex")->others, Harm::WrongRelease) == 1);
    QVERIFY(advice.additions.empty());
    // Both break; the one that a crash locks for ever is no better for breaking less often.
    const AdviceQuestion lost = asked({Harm::TwoHolders},
                                      {FaultKind::Crash, FaultKind::Pause, FaultKind::Failover});
    const std::vector<CellReport> lostCells = m_searches.cellsFor(lost);
    const Advice lostAdvice = adviceOn(lost, infos, lostCells);
    QVERIFY(&find(lostAdvice, "set-nx-px-token") < &find(lostAdvice, "setnx-no-expiry"));
}

void TestAdvice::theJsonIsAsDocumented()
{
    const AdviceQuestion question = asked({Harm::TwoHolders, Harm::Stuck},
                                          {FaultKind::Crash, FaultKind::Pause});
    const auto infos = allInfos();
    const std::vector<CellReport> cells = m_searches.cellsFor(question);
    const Advice advice = adviceOn(question, infos, cells);
    std::vector<std::optional<report::AdviceCost>> costs(advice.protocols.size());
    costs.front() = report::AdviceCost{2, {}, {}};
    const auto json = nlohmann::json::parse(adviceJson(question, advice, costs).dump());
    QCOMPARE(testing::schemaComplaint(json, "advise"), std::string());
    QVERIFY(!json["additions"].empty());
}

void TestAdvice::costsAreThoseOfTheModel()
{
    const report::AdviceCost token = report::costOf(*protocol::findProtocol("set-nx-px-token"));
    QVERIFY(qAbs(token.commands - 2) < 0.1); // SET and the script that deletes it
    QVERIFY(token.waitMedian <= token.waitLongest);
    QVERIFY(token.waitLongest > Duration(0));
    QVERIFY(report::costOf(*protocol::findProtocol("redlock")).commands > token.commands);
}

void TestAdvice::everyLibraryFollowsAProtocol()
{
    for (const protocol::ClientLibrary& library : protocol::clientLibraries()) {
        QVERIFY2(protocol::findProtocol(library.protocol) != nullptr,
                 std::string(library.name).c_str());
    }
    const auto infoOf = [](const char* id) { return protocol::findProtocol(id)->info(); };
    const std::vector<std::string> java{"java"};
    QVERIFY(protocol::librariesWith(infoOf("redisson-lock"), java)
            == std::vector<std::string>{"Redisson (java)"});
    QVERIFY(protocol::librariesWith(infoOf("exists-then-set"), {}).empty());
    QVERIFY(protocol::librariesWith(infoOf("list-handoff"), {}).empty()); // that of no library
                                                                          // known
}

void TestAdvice::anOwnProtocolHasTheLibraryThatItImitates()
{
    const std::vector<std::string> python{"python"};
    const std::vector<std::string> java{"java"};
    protocol::ProtocolInfo info;
    info.id = "my-lock";
    QVERIFY(protocol::librariesWith(info, {}).empty());
    info.imitates = "redis-py";
    QVERIFY(protocol::librariesWith(info, {}) == std::vector<std::string>{"redis-py (python)"});
    QVERIFY(protocol::librariesWith(info, python) == std::vector<std::string>{"redis-py (python)"});
    QVERIFY(protocol::librariesWith(info, java).empty());
    info.imitates = "go-zero"; // none of the list: nobody knows its language
    QVERIFY(protocol::librariesWith(info, {}) == std::vector<std::string>{"go-zero"});
    QVERIFY(protocol::librariesWith(info, java).empty());
}

LOCKSCOPE_TEST(TestAdvice, Core)

} // namespace lockscope::tst_advice

#include "tst_advice.moc"
