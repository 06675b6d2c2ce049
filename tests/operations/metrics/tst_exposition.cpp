#include "core/operations/metrics/exposition.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_exposition {

using namespace lockscope::metrics;

namespace {

std::vector<MetricFamily> someFamilies()
{
    return {
        {"some_build", MetricKind::Info, "", "The version.", {{{{"version", "1.2"}}, 1}}},
        {"some_age_seconds", MetricKind::Gauge, "seconds", "An age.", {{{}, 0.25}}},
        {"some_empty", MetricKind::Gauge, "", "Nothing is known.", {}},
        {"some_changes",
         MetricKind::Counter,
         "",
         "Changes.",
         {{{{"kind", "a"}, {"db", "0"}}, 3}, {{{"kind", "b"}, {"db", "0"}}, 1e15}}},
    };
}

QString valueOnly(const std::string& value)
{
    const std::vector<MetricFamily> families{
        {"n", MetricKind::Gauge, "", "N.", {{{{"label", value}}, 1}}}};
    const QString text = QString::fromStdString(textOf(families, Exposition::OpenMetrics));
    return text.section(QStringLiteral("n{label="), 1).section(QStringLiteral("} 1\n"), 0, 0);
}

} // namespace

class TestExposition final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void openMetricsDescribesFamilies();
    void theOlderFormDescribesWhatIsWritten();
    void nothingAtAllIsStillComplete();
    void labelValuesAreEscaped_data();
    void labelValuesAreEscaped();
    void numbersAreExact();
    void whatIsAcceptedDecidesTheForm_data();
    void whatIsAcceptedDecidesTheForm();
};

void TestExposition::openMetricsDescribesFamilies()
{
    QCOMPARE(textOf(someFamilies(), Exposition::OpenMetrics), R"(# TYPE some_build info
# HELP some_build The version.
some_build_info{version="1.2"} 1
# TYPE some_age_seconds gauge
# UNIT some_age_seconds seconds
# HELP some_age_seconds An age.
some_age_seconds 0.25
# TYPE some_changes counter
# HELP some_changes Changes.
some_changes_total{kind="a",db="0"} 3
some_changes_total{kind="b",db="0"} 1e+15
# EOF
)");
}

void TestExposition::theOlderFormDescribesWhatIsWritten()
{
    QCOMPARE(textOf(someFamilies(), Exposition::PrometheusText), R"(# TYPE some_build_info gauge
# HELP some_build_info The version.
some_build_info{version="1.2"} 1
# TYPE some_age_seconds gauge
# HELP some_age_seconds An age.
some_age_seconds 0.25
# TYPE some_changes_total counter
# HELP some_changes_total Changes.
some_changes_total{kind="a",db="0"} 3
some_changes_total{kind="b",db="0"} 1e+15
)");
}

void TestExposition::nothingAtAllIsStillComplete()
{
    QCOMPARE(textOf({}, Exposition::OpenMetrics), std::string("# EOF\n"));
    QCOMPARE(textOf({}, Exposition::PrometheusText), std::string());
}

void TestExposition::labelValuesAreEscaped_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("written");
    QTest::newRow("plain") << QStringLiteral("order:42") << QStringLiteral("\"order:42\"");
    QTest::newRow("empty") << QString() << QStringLiteral("\"\"");
    QTest::newRow("quotes") << QStringLiteral("a\"b") << QStringLiteral("\"a\\\"b\"");
    QTest::newRow("backslash") << QStringLiteral("\\x00") << QStringLiteral("\"\\\\x00\"");
    QTest::newRow("lines") << QStringLiteral("a\nb") << QStringLiteral("\"a\\nb\"");
    QTest::newRow("not ASCII") << QStringLiteral("分布式锁") << QStringLiteral("\"分布式锁\"");
    QTest::newRow("a sample") << QStringLiteral("a\"} 7\nup 0\n")
                              << QStringLiteral("\"a\\\"} 7\\nup 0\\n\"");
}

void TestExposition::labelValuesAreEscaped()
{
    QFETCH(const QString, value);
    QFETCH(const QString, written);
    QCOMPARE(valueOnly(value.toStdString()), written);
}

void TestExposition::numbersAreExact()
{
    for (const double value : {0.0, 1.0, 1.0 / 3, 9'007'199'254'740'993.0, 1e-6}) {
        const std::vector<MetricFamily> families{{"n", MetricKind::Gauge, "", "N.", {{{}, value}}}};
        const QString text = QString::fromStdString(textOf(families, Exposition::PrometheusText));
        QCOMPARE(text.section(QStringLiteral("\nn "), 1).trimmed().toDouble(), value);
    }
}

void TestExposition::whatIsAcceptedDecidesTheForm_data()
{
    QTest::addColumn<QByteArray>("accept");
    QTest::addColumn<bool>("isOpenMetrics");
    QTest::newRow("nothing said") << QByteArray() << true;
    QTest::newRow("anything") << QByteArray("*/*") << true;
    QTest::newRow("Prometheus 2.42")
        << QByteArray("application/openmetrics-text;version=1.0.0,application/openmetrics-text;"
                      "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1")
        << true;
    QTest::newRow("an old one") << QByteArray("text/plain;version=0.0.4;q=1,*/*;q=0.1") << false;
}

void TestExposition::whatIsAcceptedDecidesTheForm()
{
    QFETCH(const QByteArray, accept);
    QFETCH(const bool, isOpenMetrics);
    const Exposition expected = isOpenMetrics ? Exposition::OpenMetrics
                                              : Exposition::PrometheusText;
    QVERIFY(expositionFor(accept.toStdString()) == expected);
    const std::string type(contentTypeOf(expected));
    QVERIFY(type.starts_with(isOpenMetrics ? "application/openmetrics-text; version=1.0.0"
                                           : "text/plain; version=0.0.4"));
}

LOCKSCOPE_TEST(TestExposition, Core)

} // namespace lockscope::tst_exposition

#include "tst_exposition.moc"
