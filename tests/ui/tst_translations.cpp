#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

namespace lockscope::tst_translations {

using namespace Qt::StringLiterals;

namespace {

struct Message {
    QString context;
    QString source;
    QString translation;
    bool isUnfinished = false;
};

QList<Message> messagesIn(const QString& path)
{
    QFile file(path);
    QList<Message> messages;
    if (!file.open(QIODevice::ReadOnly)) {
        return messages;
    }
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (!xml.readNextStartElement()) {
            continue;
        }
        if (xml.name() == u"name"_s) {
            context = xml.readElementText();
        } else if (xml.name() == u"source"_s) {
            messages.append({context, xml.readElementText(), {}, false});
        } else if (xml.name() == u"translation"_s) {
            messages.back().isUnfinished = xml.attributes().value(u"type"_s) == u"unfinished"_s;
            messages.back().translation = xml.readElementText();
        }
    }
    return messages;
}

/// "%1", "%2" as often as they stand there, in their order.
QStringList placesIn(const QString& text)
{
    static const QRegularExpression kPlace(u"%L?[0-9n]"_s);
    QStringList places;
    for (auto found = kPlace.globalMatch(text); found.hasNext();) {
        places += found.next().captured();
    }
    places.sort();
    return places;
}

/// The letters of the keyboard; "&&" is none.
QString acceleratorsIn(const QString& text)
{
    static const QRegularExpression kAccelerator(u"&([A-Za-z0-9])"_s);
    QString letters;
    for (auto found = kAccelerator.globalMatch(QString(text).remove(u"&&"_s)); found.hasNext();) {
        letters += found.next().captured(1).toUpper();
    }
    return letters;
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT

    static QStringList files()
    {
        const QDir folder(testing::inSourceTree(u"resources/translations"_s));
        QStringList paths;
        for (const QString& name : folder.entryList({u"*.ts"_s})) {
            paths += folder.filePath(name);
        }
        return paths;
    }

private Q_SLOTS:
    void noTextIsMissing()
    {
        QVERIFY(!files().isEmpty());
        for (const QString& file : files()) {
            QTemporaryDir folder;
            const QString copy = folder.filePath(u"copy.ts"_s);
            QVERIFY(QFile::copy(file, copy));
            QProcess update;
            update.setProcessChannelMode(QProcess::MergedChannels);
            update.start(testing::inSourceTree(u"scripts/translations"_s),
                         {QStringLiteral(LOCKSCOPE_BUILD), u"--to"_s, copy});
            QVERIFY(update.waitForFinished(-1));
            QVERIFY2(update.exitCode() == 0, update.readAll().constData());
            const QList<Message> then = messagesIn(copy);
            for (const Message& message : then) {
                QVERIFY2(!message.isUnfinished && !message.translation.isEmpty(),
                         qPrintable(u"%1: \"%2\" has no translation: run scripts/translations"_s
                                        .arg(message.context, message.source)));
            }
            QCOMPARE(messagesIn(file).size(), then.size()); // else some are of texts that are gone
        }
    }

    void whatIsFilledInIsKept()
    {
        for (const QString& file : files()) {
            for (const Message& message : messagesIn(file)) {
                QVERIFY2(placesIn(message.source) == placesIn(message.translation),
                         qPrintable(message.source));
                QVERIFY2(message.source.count(u'\n') == message.translation.count(u'\n'),
                         qPrintable(message.source));
            }
        }
    }

    void everyKeyIsTheSame()
    {
        for (const QString& file : files()) {
            for (const Message& message : messagesIn(file)) {
                if (message.context != u"KernelText"_s) { // which knows no keys
                    QVERIFY2(acceleratorsIn(message.source) == acceleratorsIn(message.translation),
                             qPrintable(message.source));
                }
            }
        }
    }

    /// Else the text is looked up where its translation is not.
    void everyContextIsAWholeName()
    {
        for (const QString& file : files()) {
            for (const Message& message : messagesIn(file)) {
                const bool isWhole = message.context.startsWith(u"lockscope::"_s)
                                     || message.context == u"KernelText"_s
                                     || message.context == u"UiText"_s;
                QVERIFY2(isWhole, qPrintable(message.context + u": "_s + message.source));
            }
        }
    }
};

LOCKSCOPE_TEST(TestTranslations, Core)

} // namespace lockscope::tst_translations

#include "tst_translations.moc"
