#include "core/kernel/report/run/run_columns.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/run/file_column.h"
#include "core/kernel/report/run/typed_column.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

namespace lockscope::report {

using protocol::FileSection;
using trace::Event;
using trace::EventKind;
using trace::Message;
using trace::ServerHold;
using trace::SpanEnd;

namespace {

constexpr std::int64_t kTimeMax = std::int64_t{1} << 53; // µs
constexpr std::int64_t kContendersMax = 1'000'000;
constexpr std::int64_t kRunServersMax = 1'000;
constexpr std::int64_t kLockMax = std::numeric_limits<trace::LockId>::max();
constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kOrderMax = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kNever = -1;       // instead of a span of time
constexpr std::int64_t kNobodyKnown = -1; // instead of a contender
constexpr std::int64_t kNoNode = -1;      // instead of a server

std::int64_t microseconds(Instant at)
{
    return at.time_since_epoch().count();
}

using Numbers = std::vector<std::int64_t>;

/// Times are written as what has passed since the one before.
class TimeWriter {
public:
    void add(Instant at)
    {
        m_passed.push_back(microseconds(at) - m_latest);
        m_latest = microseconds(at);
    }
    Json column() const { return typedColumn(m_passed); }

private:
    Numbers m_passed;
    std::int64_t m_latest = 0;
};

/// Times in their order.
class TimeColumn {
public:
    TimeColumn(const FileSection& section, std::string_view name)
        : m_column(section, name, -kTimeMax, 2 * kTimeMax)
    {}

    Instant next()
    {
        const std::int64_t passed = m_column.next();
        m_latest += passed;
        if (m_latest < -kTimeMax || m_latest > kTimeMax) {
            m_column.fail(KernelText::tr("A time is out of range."));
        }
        if (passed < 0 && !m_isFirst) {
            m_column.fail(KernelText::tr("The times are not in ascending order."));
        }
        m_isFirst = false;
        return Instant(Duration(m_latest));
    }

    const FileColumn& column() const { return m_column; }

private:
    FileColumn m_column;
    std::int64_t m_latest = 0;
    bool m_isFirst = true;
};

void expectEnds(std::initializer_list<const FileColumn*> columns)
{
    for (const FileColumn* const column : columns) {
        column->expectEnd();
    }
}

/// How many there are. Refuses a number that the first column cannot hold, so that no memory is
/// reserved for it.
std::size_t countIn(const FileSection& section, const FileColumn& first)
{
    const std::int64_t count = readInteger(section, "count", 0, kAny);
    if (static_cast<std::uint64_t>(count) > first.count()) {
        section.fail("count", KernelText::tr("The columns contain fewer numbers."));
    }
    return static_cast<std::size_t>(count);
}

/// One for each.
std::vector<std::string> textsIn(const FileSection& section, std::size_t count)
{
    std::vector<std::string> texts = section.texts("text");
    if (texts.size() != count) {
        section.fail("text", KernelText::tr("Exactly \"count\" texts are expected."));
    }
    return texts;
}

/// An instant that is that much later, or nullopt.
std::optional<Instant> later(Instant from, std::int64_t by)
{
    return by == kNever ? std::nullopt : std::optional(from + Duration(by));
}

std::optional<trace::ContenderId> holderIn(std::int64_t number)
{
    return number == kNobodyKnown ? std::nullopt
                                  : std::optional(static_cast<trace::ContenderId>(number));
}

std::optional<int> nodeIn(std::int64_t number)
{
    return number == kNoNode ? std::nullopt : std::optional(static_cast<int>(number));
}

/// A column that says nothing is left out, as it was in files of before there was one.
void addUnlessAll(Json& json, const char* name, const Numbers& numbers, std::int64_t usual)
{
    if (!std::ranges::all_of(numbers, [usual](std::int64_t number) { return number == usual; })) {
        json[name] = typedColumn(numbers);
    }
}

/// One that may be left out.
class OptionalColumn {
public:
    OptionalColumn(const FileSection& section, std::string_view name, std::int64_t least,
                   std::int64_t most)
    {
        if (section.has(name)) {
            m_column.emplace(section, name, least, most);
        }
    }

    std::int64_t nextOr(std::int64_t usual) { return m_column ? m_column->next() : usual; }
    void expectEnd() const
    {
        if (m_column) {
            m_column->expectEnd();
        }
    }

private:
    std::optional<FileColumn> m_column;
};

std::int64_t passedUntil(const std::optional<Instant>& at, Instant since)
{
    return at ? (*at - since).count() : kNever;
}

} // namespace

Instant readInstant(const FileSection& file, std::string_view name)
{
    return Instant(Duration(readInteger(file, name, -kTimeMax, kTimeMax)));
}

Json eventColumns(std::span<const Event> events)
{
    TimeWriter at;
    Numbers kind;
    Numbers contender;
    Numbers lock;
    Numbers value;
    Numbers read;
    for (const Event& event : events) {
        at.add(event.at);
        kind.push_back(static_cast<std::int64_t>(event.kind));
        contender.push_back(event.contender);
        lock.push_back(event.lock);
        value.push_back(event.value);
        read.push_back(event.isRead ? 1 : 0);
    }
    return Json{{"count", events.size()},    {"at", at.column()},
                {"kind", typedColumn(kind)}, {"contender", typedColumn(contender)},
                {"lock", typedColumn(lock)}, {"value", typedColumn(value)},
                {"read", typedColumn(read)}};
}

std::vector<Event> readEvents(const FileSection& file, std::string_view name)
{
    const FileSection section(file.at(name), file.pathOf(name),
                              {"count", "at", "kind", "contender", "lock", "value", "read"});
    TimeColumn at(section, "at");
    FileColumn kind(section, "kind", 0, static_cast<std::int64_t>(EventKind::Forced));
    FileColumn contender(section, "contender", 0, kContendersMax - 1);
    FileColumn lock(section, "lock", 0, kLockMax);
    FileColumn value(section, "value", -kAny - 1, kAny);
    FileColumn read(section, "read", 0, 1);
    std::vector<Event> events(countIn(section, at.column()));
    for (Event& event : events) {
        event.at = at.next();
        event.kind = kind.nextAs<EventKind>();
        event.contender = contender.nextAs<trace::ContenderId>();
        event.lock = lock.nextAs<trace::LockId>();
        event.value = value.next();
        event.isRead = read.next() == 1;
    }
    expectEnds({&at.column(), &kind, &contender, &lock, &value, &read});
    return events;
}

Json serverHoldColumns(std::span<const ServerHold> serverHolds)
{
    TimeWriter from;
    Numbers duration;
    Numbers holder;
    Numbers lock;
    Numbers end;
    Numbers overBy;
    Numbers node;
    Numbers step;
    for (const ServerHold& serverHold : serverHolds) {
        from.add(serverHold.from);
        duration.push_back((serverHold.to - serverHold.from).count());
        holder.push_back(serverHold.holder ? std::int64_t(*serverHold.holder) : kNobodyKnown);
        lock.push_back(serverHold.lock);
        end.push_back(static_cast<std::int64_t>(serverHold.end));
        overBy.push_back(passedUntil(serverHold.overBy, serverHold.to));
        node.push_back(serverHold.node.value_or(kNoNode));
        step.push_back(serverHold.fromStep);
        step.push_back(serverHold.toStep);
    }
    Json json{{"count", serverHolds.size()},       {"from", from.column()},
              {"duration", typedColumn(duration)}, {"holder", typedColumn(holder)},
              {"lock", typedColumn(lock)},         {"end", typedColumn(end)},
              {"overBy", typedColumn(overBy)}};
    addUnlessAll(json, "node", node, kNoNode);
    addUnlessAll(json, "step", step, 0);
    return json;
}

std::vector<ServerHold> readServerHolds(const FileSection& file, std::string_view name)
{
    const FileSection section(file.at(name), file.pathOf(name),
                              {"count", "from", "duration", "holder", "lock", "end", "overBy",
                               "node", "step"});
    TimeColumn from(section, "from");
    FileColumn duration(section, "duration", 0, kTimeMax);
    FileColumn holder(section, "holder", kNobodyKnown, kContendersMax - 1);
    FileColumn lock(section, "lock", 0, kLockMax);
    FileColumn end(section, "end", 0, static_cast<std::int64_t>(SpanEnd::Uncertain));
    FileColumn overBy(section, "overBy", kNever, kTimeMax);
    OptionalColumn node(section, "node", kNoNode, kRunServersMax - 1);
    OptionalColumn step(section, "step", 0, kOrderMax);
    std::vector<ServerHold> serverHolds(countIn(section, from.column()));
    for (ServerHold& serverHold : serverHolds) {
        serverHold.from = from.next();
        serverHold.to = serverHold.from + Duration(duration.next());
        serverHold.holder = holderIn(holder.next());
        serverHold.lock = lock.nextAs<trace::LockId>();
        serverHold.end = end.nextAs<SpanEnd>();
        serverHold.overBy = later(serverHold.to, overBy.next());
        serverHold.node = nodeIn(node.nextOr(kNoNode));
        serverHold.fromStep = static_cast<std::uint32_t>(step.nextOr(0));
        serverHold.toStep = static_cast<std::uint32_t>(step.nextOr(0));
    }
    expectEnds({&from.column(), &duration, &holder, &lock, &end, &overBy});
    node.expectEnd();
    step.expectEnd();
    return serverHolds;
}

Json messageColumns(std::span<const Message> messages)
{
    TimeWriter sent;
    Numbers applied;
    Numbers answered;
    Numbers contender;
    Numbers node;
    Numbers push;
    Numbers order;
    Numbers step;
    Json texts = Json::array();
    for (const Message& message : messages) {
        sent.add(message.sentAt);
        applied.push_back(passedUntil(message.appliedAt, message.sentAt));
        answered.push_back(passedUntil(message.answeredAt, message.sentAt));
        contender.push_back(message.contender);
        node.push_back(message.node);
        push.push_back(message.isPush ? 1 : 0);
        for (const std::uint32_t place :
             {message.sentOrder, message.appliedOrder, message.answeredOrder}) {
            order.push_back(place);
        }
        for (const std::uint32_t number :
             {message.sentStep, message.appliedStep, message.answeredStep}) {
            step.push_back(number);
        }
        texts.push_back(message.text);
    }
    Json json{{"count", messages.size()},
              {"sent", sent.column()},
              {"applied", typedColumn(applied)},
              {"answered", typedColumn(answered)},
              {"contender", typedColumn(contender)},
              {"node", typedColumn(node)},
              {"push", typedColumn(push)},
              {"order", typedColumn(order)},
              {"text", std::move(texts)}};
    addUnlessAll(json, "step", step, 0);
    return json;
}

std::vector<Message> readMessages(const FileSection& file, std::string_view name)
{
    const FileSection section(file.at(name), file.pathOf(name),
                              {"count", "sent", "applied", "answered", "contender", "node", "push",
                               "order", "text", "step"});
    TimeColumn sent(section, "sent");
    FileColumn applied(section, "applied", kNever, kTimeMax);
    FileColumn answered(section, "answered", kNever, kTimeMax);
    FileColumn contender(section, "contender", 0, kContendersMax - 1);
    FileColumn node(section, "node", 0, kRunServersMax - 1);
    FileColumn push(section, "push", 0, 1);
    FileColumn order(section, "order", 0, kOrderMax);
    OptionalColumn step(section, "step", 0, kOrderMax);
    std::vector<Message> messages(countIn(section, sent.column()));
    std::vector<std::string> texts = textsIn(section, messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        Message& message = messages[i];
        message.sentAt = sent.next();
        message.appliedAt = later(message.sentAt, applied.next());
        message.answeredAt = later(message.sentAt, answered.next());
        message.contender = contender.nextAs<trace::ContenderId>();
        message.node = node.nextAs<int>();
        message.isPush = push.next() == 1;
        message.sentOrder = order.nextAs<std::uint32_t>();
        message.appliedOrder = order.nextAs<std::uint32_t>();
        message.answeredOrder = order.nextAs<std::uint32_t>();
        message.sentStep = static_cast<std::uint32_t>(step.nextOr(0));
        message.appliedStep = static_cast<std::uint32_t>(step.nextOr(0));
        message.answeredStep = static_cast<std::uint32_t>(step.nextOr(0));
        message.text = std::move(texts[i]);
        if (message.answeredAt && (!message.appliedAt || message.answeredAt < message.appliedAt)) {
            answered.fail(KernelText::tr("A reply precedes the execution of its command."));
        }
    }
    expectEnds({&sent.column(), &applied, &answered, &contender, &node, &push, &order});
    step.expectEnd();
    return messages;
}

Json noteColumns(std::span<const trace::Note> notes)
{
    TimeWriter at;
    Numbers contender;
    Json texts = Json::array();
    for (const trace::Note& note : notes) {
        at.add(note.at);
        contender.push_back(note.contender);
        texts.push_back(note.text);
    }
    return Json{{"count", notes.size()},
                {"at", at.column()},
                {"contender", typedColumn(contender)},
                {"text", std::move(texts)}};
}

std::vector<trace::Note> readNotes(const FileSection& file, std::string_view name)
{
    const FileSection section(file.at(name), file.pathOf(name),
                              {"count", "at", "contender", "text"});
    TimeColumn at(section, "at");
    FileColumn contender(section, "contender", 0, kContendersMax - 1);
    std::vector<trace::Note> notes(countIn(section, at.column()));
    std::vector<std::string> texts = textsIn(section, notes.size());
    for (std::size_t i = 0; i < notes.size(); ++i) {
        notes[i] = {at.next(), contender.nextAs<trace::ContenderId>(), std::move(texts[i])};
    }
    expectEnds({&at.column(), &contender});
    return notes;
}

Json runStepsColumns(const trace::RunSteps& steps)
{
    TimeWriter times;
    for (const Instant at : steps.times) {
        times.add(at);
    }
    return Json{{"count", steps.times.size()},
                {"times", times.column()},
                {"events", typedColumn(Numbers(steps.eventSteps.begin(), steps.eventSteps.end()))}};
}

trace::RunSteps readRunSteps(const FileSection& file, std::string_view name, std::size_t eventCount)
{
    const FileSection section(file.at(name), file.pathOf(name), {"count", "times", "events"});
    TimeColumn times(section, "times");
    trace::RunSteps steps;
    steps.times.resize(countIn(section, times.column()));
    std::ranges::generate(steps.times, [&times] { return times.next(); });
    FileColumn events(section, "events", 0, static_cast<std::int64_t>(steps.times.size()) - 1);
    if (events.count() != eventCount) {
        events.fail(KernelText::tr("A number is expected for each event."));
    }
    for (std::size_t i = 0; i < eventCount; ++i) {
        steps.eventSteps.push_back(events.nextAs<std::uint32_t>());
    }
    if (!std::ranges::is_sorted(steps.eventSteps)) {
        events.fail(KernelText::tr("The steps are not in ascending order."));
    }
    expectEnds({&times.column(), &events});
    return steps;
}

} // namespace lockscope::report
