#include "tests/support/test_program.h"
#include "ui/models/contend/contend_form_state.h"

#include <QTest>

namespace lockscope::tst_contend_form_state {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestContendFormState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBack()
    {
        const ContendFormState state{
            u"redlock"_s, u"draw"_s, {{u"contenders"_s, u"many"_s}, {u"lease"_s, QString()}}, true};
        QVERIFY(ContendFormState::of(state.text()) == state);
    }

    void whatCannotBeUnderstoodIsAsAtFirst()
    {
        for (const QByteArray& text :
             {QByteArray(), QByteArray("[]"), QByteArray("{"), QByteArray(R"({"fields":[1]})")}) {
            QVERIFY2(ContendFormState::of(text) == ContendFormState(), text.constData());
        }
    }
};

LOCKSCOPE_TEST(TestContendFormState, Core)

} // namespace lockscope::tst_contend_form_state

#include "tst_contend_form_state.moc"
