// What the desktop is told of the program: the same kinds of files everywhere, with the endings
// that the program writes, and icons of the sizes that are installed.

#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/run_file.h"
#include "core/kernel/report/run/scenario_file.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

namespace lockscope::tst_desktop_files {

using namespace Qt::StringLiterals;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(testing::inSourceTree(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The attribute of each of these elements; their texts without one.
QStringList inElements(const QString& path, const QString& element, const QString& attribute = {})
{
    QStringList found;
    QXmlStreamReader reader(contentOf(path));
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == element) {
            found += attribute.isEmpty() ? reader.readElementText()
                                         : reader.attributes().value(attribute).toString();
        }
    }
    if (reader.hasError()) {
        qFatal("%s: %s", qPrintable(path), qPrintable(reader.errorString()));
    }
    return found;
}

const auto kTypes = u"resources/desktop/lockscope.xml"_s;

} // namespace

class TestDesktopFiles final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theKindsOfFilesAreTheSameEverywhere()
    {
        const QStringList types = inElements(kTypes, u"mime-type"_s, u"type"_s);
        QCOMPARE(types.size(), 3);
        QCOMPARE(inElements(u"resources/desktop/lockscope.metainfo.xml.in"_s, u"mediatype"_s),
                 types);
        const QString entry =
            QString::fromUtf8(contentOf(u"resources/desktop/lockscope.desktop"_s));
        static const QRegularExpression kTypeList(u"^MimeType=(.*);$"_s,
                                                  QRegularExpression::MultilineOption);
        const QStringList opened = kTypeList.match(entry).captured(1).split(u';');
        QCOMPARE(opened.filter(u"application/"_s), types);
        QVERIFY(opened.contains(u"x-scheme-handler/redis"_s));
    }

    void endingsAreThoseOfTheProgram()
    {
        const QStringList globs = inElements(kTypes, u"glob"_s, u"pattern"_s);
        QVERIFY(globs.contains(u"*.run.cbor"_s));
        QVERIFY(globs.contains(u'*' + QString::fromUtf8(report::kScenarioEnding.data())));
    }

    void contentsAreThoseOfTheProgram()
    {
        const QStringList marks = inElements(kTypes, u"match"_s, u"value"_s);
        report::RunFile run;
        run.protocol = report::SavedProtocol::builtin("redlock");
        run.mode = "contend";
        const std::string text = report::runFileText(run);
        QVERIFY(text.starts_with("\xD9\xD9\xF7"));
        QVERIFY(marks.contains(uR"(\xd9\xd9\xf7)"_s));
        const std::size_t place = text.find("lockscope-run");
        QVERIFY(place >= 4 && place <= 24);
        QVERIFY(marks.contains(u"lockscope-run"_s));
        report::CounterexampleFile example;
        example.protocol = report::SavedProtocol::builtin("redlock");
        QVERIFY(report::counterexampleText(example).find("\"lockscope-counterexample\"") <= 32);
        QVERIFY(marks.contains(u"\"lockscope-counterexample\""_s));
    }

    void iconsHaveTheirSizes()
    {
        for (const int size : {16, 24, 32, 48, 64, 128, 256, 512}) {
            const QString name = u"resources/icons/hicolor/lockscope-%1.png"_s.arg(size);
            QCOMPARE(QImage(testing::inSourceTree(name)).size(), QSize(size, size));
        }
    }
};

LOCKSCOPE_TEST(TestDesktopFiles, Core)

} // namespace lockscope::tst_desktop_files

#include "tst_desktop_files.moc"
