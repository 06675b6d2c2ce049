#include "tests/support/test_program.h"
#include "ui/models/kept_texts.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace lockscope::tst_kept_texts {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestKeptTexts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsComeBack()
    {
        const KeptTexts texts{{u"lease"_s, u"10s"_s}, {u"keys"_s, QString()}};
        QVERIFY(keptTexts(toJson(texts)) == texts);
    }

    void whatIsNoTextIsLeftOut()
    {
        const QJsonObject json{{u"lease"_s, u"10s"_s}, {u"keys"_s, 3}};
        QVERIFY(keptTexts(json) == (KeptTexts{{u"lease"_s, u"10s"_s}}));
        QVERIFY(keptTexts(QJsonArray{u"lease"_s}).empty());
    }
};

LOCKSCOPE_TEST(TestKeptTexts, Core)

} // namespace lockscope::tst_kept_texts

#include "tst_kept_texts.moc"
