#include "core/kernel/inspect/watch/waiter_channel.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <string>
#include <utility>

namespace lockscope::tst_waiter_channel {

using namespace lockscope::inspect;

class TestWaiterChannel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChannelIsToldByItsFormAndTheName();
    void locksOfOneFormatShareTheirForm();
};

void TestWaiterChannel::aChannelIsToldByItsFormAndTheName()
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kChannels{{
        {"redisson_lock__channel:{order:42}", "order:42"},
        {"redisson_lock__channel:{a}", "a"}, // which is in the rest of it as well
        {"order:42", "order:42"},
        {"one for all", "order:42"},
        {"one for all", ""},
        {"x:order:42:order:42:y", "order:42"},
        {"", "order:42"},
    }};
    ChannelForms forms;
    for (const auto& [channel, name] : kChannels) {
        const ChannelFormPtr form = forms.formOf(channel, name);
        QCOMPARE(form != nullptr, !channel.empty());
        QVERIFY(form == nullptr || form->channelOf(name) == channel);
    }
}

void TestWaiterChannel::locksOfOneFormatShareTheirForm()
{
    ChannelForms forms;
    const ChannelFormPtr first = forms.formOf("redisson_lock__channel:{order:0}", "order:0");
    for (int i = 1; i < 1'000; ++i) {
        const std::string name = "order:" + std::to_string(i);
        QVERIFY(forms.formOf("redisson_lock__channel:{" + name + "}", name) == first);
    }
    QVERIFY(forms.formOf("redisson_sc:{order:0}", "order:0") != first);
}

LOCKSCOPE_TEST(TestWaiterChannel, Core)

} // namespace lockscope::tst_waiter_channel

#include "tst_waiter_channel.moc"
