#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"

#include <QFile>
#include <QTest>

#include <array>
#include <string_view>

namespace lockscope::tst_damaged_settings {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

/// A file of settings may be cut short or changed anywhere: the window opens all the same, in the
/// time that it takes otherwise.
class TestDamagedSettings : public QObject, private test::WindowBench {
    Q_OBJECT
private:
    testing::RandomInput m_input;
    QByteArray m_good;

    QString path() const { return m_directory->filePath(u"settings.ini"_s); }

    void write(const QByteArray& bytes) const
    {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    /// Some bytes are other ones, or more, or missing; or a number is another one.
    QByteArray damaged()
    {
        static constexpr std::array<std::string_view, 12> kPieces{
            "\\",   "@",     "=",    "\"", "\n", "999999999", "\\xff", std::string_view("\0", 1),
            "\xff", "[-]\n", "size", ","};
        QByteArray bytes = m_good;
        for (auto count = m_input.rng().below(4) + 1; count > 0; --count) {
            const auto place = static_cast<qsizetype>(
                m_input.rng().below(static_cast<std::uint64_t>(bytes.size())));
            const std::string_view piece = kPieces[m_input.rng().below(kPieces.size())];
            const auto length = static_cast<qsizetype>(m_input.rng().below(3));
            bytes.replace(place, length, piece.data(), static_cast<qsizetype>(piece.size()));
        }
        if (m_input.rng().below(20) == 0) {
            bytes.truncate(static_cast<qsizetype>(
                m_input.rng().below(static_cast<std::uint64_t>(bytes.size()))));
        }
        return bytes;
    }

private Q_SLOTS:
    /// Writes a file that has settings of every kind.
    void init()
    {
        begin();
        Settings& settings = m_rig->settings.values();
        settings.alerts = {{u"queue"_s, u"waiters>5"_s}};
        settings.colorRules = {{u"busy"_s, u"held>1h"_s, models::RuleColor::Magenta, true}};
        rememberServer(settings, {{u"redis://a:1"_s, u"redis://b:2"_s}});
        saveProfile(settings, {{u"redis://c"_s}, u"production"_s, true, u"C"_s, u"Shop"_s});
        nameFilter(settings, {u"stuck"_s, u"flag:no-expiry"_s});
        rememberFilter(settings, u"owner:a"_s);
        m_rig->window->close();
        m_rig.reset();
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_good = file.readAll();
        QVERIFY(m_good.contains("[layout]"));
    }
    void cleanup() { m_rig.reset(); }

    void theWindowOpens()
    {
        for (int round = 0; round < 40; ++round) {
            write(damaged());
            m_rig = std::make_unique<test::WindowRig>(path());
            QVERIFY2(m_rig->window->isVisible(), m_input.recipe().c_str());
            m_rig.reset();
        }
    }

    void theSettingsAreRead()
    {
        for (int round = 0; round < 1500; ++round) {
            write(damaged());
            SettingsFile file(path());
            const bool isComplete = file.load().isEmpty();
            QCOMPARE(isComplete, !file.isDamaged());
        }
    }
};

LOCKSCOPE_TEST(TestDamagedSettings, Widgets)

} // namespace lockscope::tst_damaged_settings

#include "tst_damaged_settings.moc"
