#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/activity_filter.h"
#include "ui/models/locks/activity_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

#include <nlohmann/json.hpp>

namespace lockscope::tst_activity_filter {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

namespace {

struct Fixture {
    ActivityModel model{[](Instant) { return WallTime(); }};
    ActivityFilter filter;
    QAbstractItemModelTester tester{&filter,
                                    QAbstractItemModelTester::FailureReportingMode::QtTest};

    Fixture()
    {
        filter.setSourceModel(&model);
        add("order:1", u"by worker-1, \"fast\""_s);
        add("job:2", u"by worker-2"_s);
        add("=cmd()", u"=1+1"_s);
    }
    void add(const std::string& key, const QString& text)
    {
        model.append({wallTimeOfMs(1'795'185'067'123), ActivityKind::Appeared,
                      inspect::LockId{0, key}, text});
    }
    QStringList keys() const { return test::columnTexts(filter, ActivityModel::KeyColumn); }
};

} // namespace

class TestActivityFilter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allWordsHaveToBeSomewhereInTheLine()
    {
        Fixture f;
        QCOMPARE(f.keys().size(), 3);
        f.filter.setText(u" WORKER taken "_s);
        QCOMPARE(f.keys(), (QStringList{u"order:1"_s, u"job:2"_s}));
        f.filter.setText(u"worker job"_s);
        QCOMPARE(f.keys(), QStringList{u"job:2"_s});
        f.add("job:3", u"by worker-3"_s); // what comes later, too
        QCOMPARE(f.keys(), (QStringList{u"job:2"_s, u"job:3"_s}));
        f.filter.setText({});
        QCOMPARE(f.keys().size(), 4);
    }

    void aLineIsCopiedWithTabs()
    {
        const Fixture f;
        QVERIFY2(activityLine(f.filter, 1).endsWith(u"\ttaken\tjob:2\tby worker-2"_s),
                 qPrintable(activityLine(f.filter, 1)));
    }

    void csvIsQuotedAndGuarded()
    {
        Fixture f;
        const QString csv = QString::fromStdString(activityAsCsv(f.filter));
        const QStringList lines = csv.split(u"\r\n"_s);
        QCOMPARE(lines.size(), 5); // the last is empty
        QCOMPARE(lines[0], u"at,what,key,details"_s);
        QVERIFY2(lines[1].endsWith(u"Z,taken,order:1,\"by worker-1, \"\"fast\"\"\""_s),
                 qPrintable(lines[1]));
        QVERIFY2(lines[3].contains(u",'=cmd(),'=1+1"_s), qPrintable(lines[3]));
        f.filter.setText(u"nothing-like-this"_s);
        QCOMPARE(activityAsCsv(f.filter), std::string("at,what,key,details\r\n"));
        QCOMPARE(activityAsJson(f.filter), std::string("[]\n"));
    }

    void jsonHoldsWhatIsShown()
    {
        Fixture f;
        f.filter.setText(u"job"_s);
        const auto json = nlohmann::json::parse(activityAsJson(f.filter));
        QCOMPARE(json.size(), std::size_t(1));
        QCOMPARE(json[0]["key"].get<std::string>(), std::string("job:2"));
        QCOMPARE(json[0]["what"].get<std::string>(), std::string("taken"));
        QCOMPARE(json[0]["details"].get<std::string>(), std::string("by worker-2"));
        QVERIFY(json[0]["at"].get<std::string>().ends_with(".123Z"));
    }
};

LOCKSCOPE_TEST(TestActivityFilter, Core)

} // namespace lockscope::tst_activity_filter

#include "tst_activity_filter.moc"
