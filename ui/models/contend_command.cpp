#include "contend_command.h"

#include "formatting.h"
#include "typed_values.h"

#include <QRegularExpression>
#include <QStringList>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using workload::Scenario;

namespace {

constexpr int kUsualThreadCount = 2;

/// As a shell takes it for one word.
QString shellWord(QString text)
{
    static const QRegularExpression kHarmless(u"^[A-Za-z0-9_@%+=:,./~-]+$"_s);
    if (kHarmless.match(text).hasMatch() && !text.startsWith(u'~')) {
        return text;
    }
    return u'\'' + text.replace(u'\'', u"'\\''"_s) + u'\'';
}

class CommandLine {
public:
    void add(const QString& option, const QString& value)
    {
        m_words += u"--"_s + option;
        m_words += shellWord(value);
    }
    void addUnless(bool isDefault, const QString& option, const QString& value)
    {
        if (!isDefault) {
            add(option, value);
        }
    }
    QString text() const { return m_words.join(u' '); }

private:
    QStringList m_words{u"lockscope-cli"_s, u"contend"_s};
};

/// The longest pause as --retry-max takes it: the first one where they are all alike.
Duration longestPause(const protocol::Retry& retry)
{
    return retry.kind == protocol::Retry::Kind::Exponential ? retry.intervalMax : retry.interval;
}

void addRetry(CommandLine& line, const protocol::Retry& retry, const protocol::Retry& usual)
{
    line.addUnless(retry.interval == usual.interval, u"retry"_s, spanWord(retry.interval));
    const bool isUsualKind = retry.kind == usual.kind;
    const bool isFixed = retry.kind == protocol::Retry::Kind::Fixed;
    line.addUnless(isUsualKind && (isFixed || retry.intervalMax == usual.intervalMax),
                   u"retry-max"_s, spanWord(longestPause(retry)));
    line.addUnless(retry.jitter == usual.jitter, u"jitter"_s, spanWord(retry.jitter));
    line.addUnless(retry.triesMax == usual.triesMax, u"tries"_s,
                   QString::number(retry.triesMax.value_or(0)));
}

void addScenario(CommandLine& line, const Scenario& scenario, const Scenario& usual)
{
    const bool isUsualKind = scenario.kind == Scenario::Kind::Contention;
    line.addUnless(isUsualKind, u"kind"_s, toQString(workload::idOf(scenario.kind)));
    line.addUnless(scenario.keyCount == usual.keyCount, u"keys"_s,
                   QString::number(scenario.keyCount));
    line.addUnless(scenario.think == usual.think, u"think"_s,
                   toQString(workload::toText(scenario.think)));
    line.addUnless(scenario.hold == usual.hold, u"hold"_s,
                   toQString(workload::toText(scenario.hold)));
    line.addUnless(scenario.lease == usual.lease, u"lease"_s, spanWord(scenario.lease));
    line.addUnless(scenario.waitLimit == usual.waitLimit, u"wait"_s, spanWord(scenario.waitLimit));
    addRetry(line, scenario.retry, usual.retry);
    line.addUnless(scenario.renewal.period == usual.renewal.period, u"renew"_s,
                   periodWord(scenario.renewal.period));
    line.addUnless(scenario.readShare == usual.readShare, u"read-share"_s,
                   shareWord(scenario.readShare));
    line.addUnless(scenario.reentryDepth == usual.reentryDepth, u"depth"_s,
                   QString::number(scenario.reentryDepth));
    line.addUnless(scenario.permits == usual.permits, u"permits"_s,
                   QString::number(scenario.permits));
    line.addUnless(scenario.crashProbability == 0, u"crash"_s,
                   shareWord(scenario.crashProbability));
    line.addUnless(scenario.pauseProbability == 0, u"pause"_s,
                   shareWord(scenario.pauseProbability));
    const bool isPauseUsual = scenario.pauseProbability == 0 || scenario.pauseFor == Duration(0);
    line.addUnless(isPauseUsual, u"pause-for"_s, spanWord(scenario.pauseFor));
}

} // namespace

QString contendCommand(const service::LiveRunOrder& order, const QString& protocolFile)
{
    const Scenario& scenario = order.scenario;
    const protocol::ProtocolInfo& info = order.protocol->info();
    CommandLine line;
    line.addUnless(protocolFile.isEmpty(), u"protocol-file"_s, protocolFile);
    line.add(u"protocol"_s, toQString(info.id));
    line.add(u"clients"_s, QString::number(scenario.contenderCount));
    line.add(u"for"_s, spanWord(scenario.duration));
    addScenario(line, scenario, Scenario::withDefaults(info));
    line.addUnless(order.threadCount == kUsualThreadCount, u"threads"_s,
                   QString::number(order.threadCount));
    line.add(u"seed"_s, QString::number(scenario.seed));
    if (order.servers.empty()) {
        line.add(u"private"_s, QString::number(order.privateServerCount));
    }
    for (const store::Endpoint& server : order.servers) {
        line.add(u"url"_s, toQString(store::toUrl(server)));
    }
    return line.text();
}

} // namespace lockscope::models
