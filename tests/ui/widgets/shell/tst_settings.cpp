#include "tests/support/size_limit.h"
#include "tests/support/test_program.h"
#include "ui/widgets/shell/settings.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_settings {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestSettings : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_directory;

    QString path() const { return m_directory.filePath(u"config/lockscope.ini"_s); }

    void write(const QByteArray& bytes) const
    {
        QVERIFY(QDir().mkpath(m_directory.filePath(u"config"_s)));
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    QByteArray read(const QString& name) const
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QStringList asideNames() const
    {
        const QDir folder(m_directory.filePath(u"config"_s));
        QStringList names = folder.entryList({u"lockscope.ini.damaged-*"_s});
        for (QString& name : names) {
            name = folder.filePath(name);
        }
        return names;
    }
    QString onlyAside() const
    {
        const QStringList names = asideNames();
        return names.size() == 1 ? names.front() : QString();
    }

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void init()
    {
        QVERIFY(m_directory.isValid());
        QDir(m_directory.filePath(u"config"_s)).removeRecursively();
    }

    void aMissingFileMeansDefaultsWithoutANotice()
    {
        SettingsFile file(path());
        QCOMPARE(file.load(), QString());
        QVERIFY(file.values() == Settings());
    }

    void everyFieldSurvivesSavingAndLoading()
    {
        SettingsFile file(path());
        Settings& wanted = file.values();
        wanted.theme = ThemeChoice::Dark;
        wanted.language = u"zh_CN"_s;
        wanted.showsUtc = true;
        wanted.lockPatterns = QStringList{u"job:*"_s, u"a\\ b"_s};
        wanted.windowGeometry = QByteArray("\x00\x01geometry", 10);
        wanted.dockLayout = "docks";
        wanted.tableColumns = u"1 resized chosen ttl:ascending key:300 mode:0:hidden"_s;
        wanted.showsProbableData = true;
        wanted.matrixNever = u"stuck"_s;
        wanted.matrixHiddenFaults = QStringList{u"pause"_s};
        wanted.matrixUnfoldedGroups = QStringList{u"clients"_s};
        wanted.filterHistory = {u"flag:no-expiry"_s, u"key:\"a, b\""_s};
        nameFilter(wanted, {u"stuck"_s, u"flag:no-expiry"_s});
        nameFilter(wanted, {u"odd, old"_s, u"key~/a, b/ held>1h"_s});
        wanted.colorRules = {{u"busy, \"old\""_s, u"waiters>5 held>1h"_s,
                              models::RuleColor::Magenta, false},
                             {u"mistaken"_s, u"onwer:x"_s}};
        models::AlertRule alert{u"queue"_s, u"waiters>5"_s};
        alert.span = std::chrono::milliseconds(1500);
        alert.pause = std::chrono::hours(2);
        alert.isEnabled = false;
        alert.notifies = false;
        alert.beeps = true;
        alert.command = u"notify-team \"a b\""_s;
        alert.webhook = u"https://hooks.example/x"_s;
        wanted.alerts = {alert, {u"usual"_s, u"key:a"_s}};
        wanted.page = u"lab"_s;
        wanted.proof.command = u"python3 'my adapter.py'"_s;
        wanted.proof.lease = u"1500ms"_s;
        wanted.proof.budget = u"10m"_s;
        wanted.proof.clock = conduct::ClientClock::Real;
        wanted.proof.asksForHonestLeases = true;
        wanted.proof.processCount = 4;
        wanted.proof.serverCount = 5;
        wanted.proof.replicaCount = 2;
        wanted.proof.usesRealServer = true;
        // No raw literal: moc loses all slots after one that has quotes in it.
        wanted.labForm = "{\"protocol\":\"redlock\",\"fields\":{\"a\":\"\\\"b\\\", c\\n\"}}";
        wanted.contendForm = "{}";
        wanted.ownProtocols = {{u"/home/a/mine.json"_s, u"{\n\"a, b\"\n}"_s}, {{}, u"锁"_s}};
        rememberScenario(wanted, u"/home/a/one.json"_s);
        rememberScenario(wanted, u"/home/a/two.json"_s);
        rememberScenario(wanted, u"/home/a/one.json"_s);
        QCOMPARE(wanted.recentScenarios,
                 (QStringList{u"/home/a/one.json"_s, u"/home/a/two.json"_s}));
        wanted.recentServers = {
            {{u"redis://10.0.0.5:6379"_s}, u"production"_s, true, u"Billing"_s, {}, true},
            {{u"redis://a:1"_s, u"redis://b:2"_s, u"redis://c:3"_s}, u""_s, false},
        };
        saveProfile(wanted, {{u"redis://b:2"_s}, {}, false, u"B"_s, u"Shop"_s});
        QVERIFY(file.save());

        SettingsFile again(path());
        QCOMPARE(again.load(), QString());
        QVERIFY(again.values() == wanted);
    }

    void profilesAreSortedAndHaveNames()
    {
        Settings settings;
        const ServerProfile zebra{{u"redis://z"_s}, {}, false, u"zebra"_s};
        const ServerProfile shop{{u"redis://s"_s}, {}, false, u"a"_s, u"Shop"_s};
        saveProfile(settings, shop);
        saveProfile(settings, zebra);
        saveProfile(settings, {{u"redis://s:2"_s}, {}, true, u"a"_s, u"Shop"_s}); // in its place
        saveProfile(settings, {{u"redis://nameless"_s}});
        QCOMPARE(settings.profiles.size(), 2);
        QCOMPARE(settings.profiles[0], zebra);
        QCOMPARE(settings.profiles[1].urls, QStringList{u"redis://s:2"_s});
    }

    void aServerThatIsOpenedAgainKeepsItsName()
    {
        Settings settings;
        const QStringList urls{u"redis://a"_s};
        rememberServer(settings, {urls});
        settings.recentServers[0].name = u"Billing"_s;
        setKeepsPassword(settings, urls, true);
        rememberServer(settings, {{u"redis://b"_s}});
        rememberServer(settings, {urls, u"production"_s});
        QCOMPARE(settings.recentServers.size(), 2);
        QCOMPARE(settings.recentServers[0],
                 (ServerProfile{urls, u"production"_s, false, u"Billing"_s, {}, true}));
        QVERIFY(!settings.recentServers[1].keepsPassword);
    }

    void onlyChangesAreWritten()
    {
        SettingsFile file(path());
        QCOMPARE(file.load(), QString());
        QVERIFY(file.saveChanges());
        QVERIFY(!QFile::exists(path())); // the defaults need no file
        file.values().showsUtc = true;
        QVERIFY(file.saveChanges());
        SettingsFile again(path());
        QCOMPARE(again.load(), QString());
        QVERIFY(again.values().showsUtc);
        QVERIFY(QFile::remove(path()));
        QVERIFY(file.saveChanges());
        QVERIFY(!QFile::exists(path()));
    }

    void aDamagedFileMeansDefaultsANoticeAndIsSetAside_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("binary") << QByteArray("\x00\xff\xfe\x80 \n\x01\x02[[", 10);
        QTest::newRow("other text") << QByteArray("<html>not ours</html>\n");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("another format") << QByteArray("[General]\nformat=99\ntheme=dark\n");
    }

    void aDamagedFileMeansDefaultsANoticeAndIsSetAside()
    {
        QFETCH(QByteArray, bytes);
        write(bytes);
        SettingsFile file(path());
        const QString notice = file.load();
        QVERIFY2(notice.contains(path()), qPrintable(notice));
        QVERIFY(file.values() == Settings());
        QCOMPARE(read(path()), bytes); // looking does not change it

        QVERIFY(file.isDamaged());
        QVERIFY(file.save());
        QVERIFY(!file.isDamaged());
        const QString aside = onlyAside();
        QVERIFY2(notice.contains(aside), qPrintable(notice));
        QCOMPARE(read(aside), bytes);
        QCOMPARE(SettingsFile(path()).load(), QString());
    }

    void whatIsGoodInADamagedFileIsKept_data()
    {
        QTest::addColumn<QByteArray>("good");
        QTest::addColumn<QByteArray>("bad");
        QTest::addColumn<QString>("part");
        const QByteArray columns = "columns=1 fitted automatic unsorted";
        QTest::newRow("huge list")
            << QByteArray("[alerts]\n1\\name=a\nsize=1")
            << QByteArray("[alerts]\n1\\name=a\nsize=999999999") << u"alerts"_s;
        QTest::newRow("lost size") << QByteArray("[alerts]\n1\\name=a\nsize=1")
                                   << QByteArray("[alerts]\n1\\name=a\nsize=x") << u"alerts"_s;
        QTest::newRow("columns") << "[layout]\n" + columns << "[layout]\n" + columns + "?"
                                 << u"layout/columns"_s;
        QTest::newRow("bytes") << QByteArray("[layout]\ndocks=\"356a192b7913b04c:MQ==\"")
                               << QByteArray("[layout]\ndocks=\"356a192b7913b04c:Mg==\"")
                               << u"layout/docks"_s;
    }

    void whatIsGoodInADamagedFileIsKept()
    {
        QFETCH(const QByteArray, good);
        QFETCH(const QByteArray, bad);
        QFETCH(const QString, part);
        const QByteArray head = "[General]\nformat=1\nfilters=a, b\n";
        write(head + bad + '\n');
        SettingsFile file(path());
        const QString notice = file.load();
        QVERIFY2(notice.contains(part), qPrintable(notice));
        QCOMPARE(file.values().filterHistory, QStringList({u"a"_s, u"b"_s}));
        if (part == u"alerts"_s) {
            QCOMPARE(file.values().alerts.size(), 1);
        }
        QVERIFY(file.save());
        QCOMPARE(read(onlyAside()), head + bad + '\n');
        SettingsFile again(path());
        QCOMPARE(again.load(), QString());
        QVERIFY(again.values() == file.values());
        write(head + good + '\n');
        QCOMPARE(again.load(), QString());
    }

    /// QDataStream would make a list of as many elements as the text says.
    void valuesOfForeignTypesAreNotRead()
    {
        write("[General]\nformat=1\n[alerts]\n1\\name=@Variant(\\0\\0\\0\\t\\x7f\\xff\\xff\\xff)\n"
              "size=1\n");
        SettingsFile file(path());
        QVERIFY(file.load().contains(path()));
        QVERIFY(file.isDamaged());
        write("[General]\nformat=1\nfilters=@@Variant(\n"); // a text of the user
        QCOMPARE(file.load(), QString());
        QCOMPARE(file.values().filterHistory, QStringList{u"@Variant("_s});
    }

    void nothingOfTheUserIsOverwrittenBySettingAside()
    {
        for (const char* const bytes : {"one", "two"}) {
            write(bytes);
            QFile file(path());
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(QDateTime::fromSecsSinceEpoch(1'700'000'000),
                                     QFileDevice::FileModificationTime));
            SettingsFile settings(path());
            QVERIFY(!settings.load().isEmpty());
            QVERIFY(settings.save());
        }
        QCOMPARE(asideNames().size(), 2);
    }

    void aDirectoryInPlaceOfTheFileIsANoticeAndSavingFails()
    {
        QVERIFY(QDir().mkpath(path()));
        SettingsFile file(path());
        QVERIFY(file.load().contains(path()));
        QVERIFY(!file.save());
    }

    void fieldsOfTheWrongKindKeepTheirDefaults()
    {
        write("[General]\nformat=1\ntheme=purple\n[window]\ngeometry=@Invalid()\n"
              "[recentServers]\n1\\environment=production\nsize=1\n");
        SettingsFile file(path());
        QCOMPARE(file.load(), QString());
        QVERIFY(file.values() == Settings());
    }

    void recentServersAreNewestFirstWithoutDoublesAndBounded()
    {
        Settings settings;
        for (int i = 0; i < 15; ++i) {
            rememberServer(settings, {{u"redis://host:%1"_s.arg(i + 1)}, {}, false});
        }
        QCOMPARE(settings.recentServers.size(), Settings::kRecentServersMax);
        QCOMPARE(settings.recentServers.first().urls.first(), u"redis://host:15"_s);

        rememberServer(settings, {{u"redis://host:10"_s}, u"staging"_s, true});
        QCOMPARE(settings.recentServers.size(), Settings::kRecentServersMax);
        QCOMPARE(settings.recentServers.first().environment, u"staging"_s);
        QCOMPARE(std::count_if(settings.recentServers.begin(), settings.recentServers.end(),
                               [](const ServerProfile& s) {
                                   return s.urls.first() == u"redis://host:10";
                               }),
                 1);
    }

    void aFullDiskLeavesTheOldFile()
    {
        SettingsFile file(path());
        file.values().lockPatterns = QStringList{u"job:*"_s};
        QVERIFY(file.save());
        const QByteArray before = read(path());
        file.values().lockPatterns.append(QString(20'000, u'x'));
        for (const int room : {0, 20, 300, 18'000}) {
            const testing::SizeLimit limit(static_cast<rlim_t>(room));
            QVERIFY(!file.saveChanges());
        }
        QCOMPARE(read(path()), before);
        QCOMPARE(QDir(m_directory.filePath(u"config"_s)).entryList(QDir::Files),
                 QStringList{u"lockscope.ini"_s});
        QVERIFY(file.saveChanges());
        QVERIFY(read(path()).size() > 20'000);
    }

    void filterHistoryIsNewestFirstWithoutDoubles()
    {
        Settings settings;
        rememberFilter(settings, u"a"_s);
        rememberFilter(settings, u"b"_s);
        rememberFilter(settings, u"a"_s);
        QCOMPARE(settings.filterHistory, QStringList({u"a"_s, u"b"_s}));
    }

    void namedFiltersStandByNameWithoutDoubles()
    {
        Settings settings;
        nameFilter(settings, {u"b"_s, u"held>1m"_s});
        nameFilter(settings, {u"a"_s, u"flag:any"_s});
        nameFilter(settings, {u"b"_s, u"held>2m"_s});
        nameFilter(settings, {QString(), u"held>3m"_s});
        nameFilter(settings, {u"c"_s, QString()});
        QCOMPARE(settings.namedFilters,
                 QList<NamedFilter>({{u"a"_s, u"flag:any"_s}, {u"b"_s, u"held>2m"_s}}));
    }
};

LOCKSCOPE_TEST(TestSettings, Core)

} // namespace lockscope::tst_settings

#include "tst_settings.moc"
