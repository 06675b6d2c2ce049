#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/protocol_draft.h"
#include "ui/models/lab/protocol_template.h"

#include <QTest>
#include <QTranslator>

#include <algorithm>

namespace lockscope::tst_protocol_template {

using namespace lockscope::models;
using namespace Qt::StringLiterals;

class TestProtocolTemplate : public QObject {
    Q_OBJECT

    static ProtocolTemplate named(const QString& name)
    {
        const auto all = protocolTemplates();
        const auto found = std::ranges::find(all, name, &ProtocolTemplate::name);
        return found != all.end() ? *found : ProtocolTemplate();
    }

private Q_SLOTS:
    void everyBuiltinProtocolIsThereOrSaysWhyNot()
    {
        for (const protocol::LockProtocol* const builtin : protocol::builtinProtocols()) {
            const ProtocolTemplate found = named(QString::fromStdString(builtin->info().id));
            QVERIFY(found.isBuiltin);
            QVERIFY2(found.isThere() != found.reason.endsWith(u'.'), qPrintable(found.name));
        }
        QVERIFY(named(u"redisson-lock"_s).isThere());
        QVERIFY(named(u"redlock"_s).reason.contains(u"several servers"_s));
        QVERIFY(named(u"rw-two-keys"_s).reason.contains(u"readers"_s));
        QVERIFY(named(u"list-handoff"_s).reason.contains(u"block on a list"_s));
        QVERIFY(named(u"setnx-getset"_s).reason.contains(u"between two commands"_s));
    }

    void everyCopyCanBeEdited()
    {
        sim::LuaEngine lua;
        for (const ProtocolTemplate& original : protocolTemplates()) {
            if (!original.isThere()) {
                continue;
            }
            const ProtocolDraft draft = draftOfCopy(original);
            const ParsedProtocol parsed = readProtocolDraft(draft, lua);
            QVERIFY2(parsed.protocol != nullptr, qPrintable(original.name));
            QVERIFY(ProtocolDraft::of(parsed.fileText) == draft);
        }
    }

    void theFirstExampleGetsAnotherName()
    {
        QCOMPARE(draftOfCopy(protocolTemplates().front()).text(ProtocolPart::Id), u"my-lock"_s);
    }

    void whatACopySaysOfItselfIsInTheLanguageOfTheUser()
    {
        QTranslator chinese;
        QVERIFY(chinese.load(u":/translations/lockscope_zh_CN.qm"_s));
        for (const ProtocolTemplate& original : protocolTemplates()) {
            const ProtocolDraft draft = draftOfCopy(original);
            for (const ProtocolPart part : {ProtocolPart::Title, ProtocolPart::Summary}) {
                const QByteArray text = draft.text(part).toUtf8();
                QVERIFY2(!original.isThere()
                             || !chinese.translate("KernelText", text.constData()).isEmpty(),
                         text.constData());
            }
        }
    }
};

LOCKSCOPE_TEST(TestProtocolTemplate, Core)

} // namespace lockscope::tst_protocol_template

#include "tst_protocol_template.moc"
