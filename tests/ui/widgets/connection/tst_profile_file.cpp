#include "tests/support/test_program.h"
#include "ui/widgets/connection/profile_file.h"

#include <QTest>

namespace lockscope::tst_profile_file {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

/// moc loses its way in raw strings.
QByteArray quoted(QByteArray json)
{
    return json.replace('\'', '"');
}

QByteArray fileOf(const QByteArray& profile)
{
    return quoted("{'kind':'lockscope-profiles','version':1,'profiles':[" + profile + "]}");
}

} // namespace

class TestProfileFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsExportedIsImportedWithoutSecrets()
    {
        const QList<ServerProfile> profiles{
            {{u"redis://u:s3cret@a:1"_s, u"redis://b:2"_s},
             u"production"_s,
             true,
             u"Billing"_s,
             u"Shop"_s,
             true},
        };
        const QByteArray json = profilesToJson(profiles);
        QVERIFY(!json.contains("s3cret"));
        const ReadProfiles read = profilesFromJson(json);
        QCOMPARE(read.problem, QString());
        QCOMPARE(read.profiles, (QList<ServerProfile>{{{u"redis://u@a:1"_s, u"redis://b:2"_s},
                                                       u"production"_s,
                                                       true,
                                                       u"Billing"_s,
                                                       u"Shop"_s,
                                                       false}})); // the keyring there has no
                                                                  // password of it
    }

    void aPasswordInAFileIsDropped()
    {
        const ReadProfiles read =
            profilesFromJson(fileOf("{'name':'A','urls':['redis://u:s3cret@a:1']}"));
        QCOMPARE(read.profiles.value(0).urls, QStringList{u"redis://u@a:1"_s});
    }

    void anotherFileIsRefused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not JSON") << QByteArray("profiles");
        QTest::newRow("another kind") << quoted("{'kind':'run','version':1}");
        QTest::newRow("newer") << quoted("{'kind':'lockscope-profiles','version':2}");
        QTest::newRow("no name") << fileOf("{'urls':['redis://a']}");
        QTest::newRow("no address") << fileOf("{'name':'A'}");
        QTest::newRow("half an address")
            << fileOf("{'name':'A','urls':['redis://a','redis://b:x']}");
    }

    void anotherFileIsRefused()
    {
        QFETCH(QByteArray, json);
        const ReadProfiles read = profilesFromJson(json);
        QVERIFY(!read.problem.isEmpty());
        QVERIFY(read.profiles.isEmpty());
    }
};

LOCKSCOPE_TEST(TestProfileFile, Core)

} // namespace lockscope::tst_profile_file

#include "tst_profile_file.moc"
