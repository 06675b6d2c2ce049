#include "ui/models/lab/story_model.h"

#include "ui/models/formatting.h"
#include "ui/models/timeline/timeline_scale.h"

#include <algorithm>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;

void StoryModel::show(std::vector<search::StoryLine> story)
{
    beginResetModel();
    m_story = std::move(story);
    m_turn.reset();
    endResetModel();
}

void StoryModel::setTurningPoint(const search::TurningPoint& turn)
{
    if (turn.line < m_story.size()) {
        m_turn = turn;
        const QModelIndex line = index(static_cast<int>(turn.line));
        Q_EMIT dataChanged(line, line);
    }
}

QString StoryModel::turnText() const
{
    return tr("From here on the violation was unavoidable: all of %1 random continuations ended in "
              "it, but only %2 of %1 from one step earlier.")
        .arg(m_turn->sampleCount)
        .arg(m_turn->brokenCountBefore);
}

Instant StoryModel::timeAt(int row) const
{
    return m_story.at(static_cast<std::size_t>(row)).at;
}

int StoryModel::rowAt(Instant time) const
{
    const auto behind = std::ranges::upper_bound(m_story, time, {}, &search::StoryLine::at);
    return static_cast<int>(behind - m_story.begin()) - 1;
}

std::uint32_t StoryModel::stepAt(int row) const
{
    return static_cast<std::uint32_t>(search::numberAt(m_story, static_cast<std::size_t>(row)));
}

int StoryModel::rowAtStep(std::uint32_t step) const
{
    int row = -1;
    for (int i = 0; i < rowCount(); ++i) {
        const auto number = static_cast<std::uint32_t>(m_story[static_cast<std::size_t>(i)].number);
        row = number > 0 && number <= step ? i : row;
    }
    return row;
}

bool StoryModel::isInstant() const
{
    return !m_story.empty()
           && m_story.back().at - m_story.front().at <= std::chrono::milliseconds(1);
}

QString StoryModel::text() const
{
    QString text;
    for (const std::string& line : search::numbered(m_story)) {
        text += toQString(line) + u'\n';
    }
    return text;
}

int StoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_story.size());
}

QVariant StoryModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const search::StoryLine& line = m_story[static_cast<std::size_t>(index.row())];
    const bool isTurn = m_turn && static_cast<int>(m_turn->line) == index.row();
    switch (role) {
    case Qt::DisplayRole: return toQString(line.text);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        const QString sentence = tr("At %1: %2").arg(storyTimeText(line.at), toQString(line.text));
        const QString text = line.number > 0 ? tr("%1. %2").arg(line.number).arg(sentence)
                                             : sentence;
        return isTurn ? tr("%1. %2").arg(text, turnText()) : text;
    }
    case TurningPointRole: return isTurn ? turnText() : QString();
    case NumberRole: return line.number > 0 ? QString::number(line.number) : QString();
    case TimeRole: return storyTimeText(line.at);
    case IsViolationRole: return line.isViolation;
    default: return {};
    }
}

} // namespace lockscope::models
