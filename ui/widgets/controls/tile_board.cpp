#include "ui/widgets/controls/tile_board.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/style/tones.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::RunTile;
using models::TileTone;

namespace {

constexpr int kTileCharacters = 28;

QColor colorOf(TileTone tone, const QPalette& palette)
{
    const StateColors colors = stateColorsOf(palette);
    switch (tone) {
    case TileTone::Good: return colors.green;
    case TileTone::Warning: return colors.amber;
    case TileTone::Bad: return colors.red;
    case TileTone::Plain: break;
    }
    return palette.color(QPalette::WindowText);
}

} // namespace

int tilesPerRow(int tileCount, int width, int tileWidth)
{
    const int fitting = std::clamp(width / std::max(tileWidth, 1), 1, std::max(tileCount, 1));
    const int rows = (tileCount + fitting - 1) / fitting;
    return rows > 0 ? (tileCount + rows - 1) / rows : 1;
}

TileView::TileView(QWidget* parent) : QWidget(parent)
{
    m_title = createQuietLabel({}, this);
    m_value = new QLabel(this);
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont large = m_value->font();
    large.setPointSizeF(large.pointSizeF() * 1.35);
    large.setBold(true);
    m_value->setFont(large);
    auto* detail = new ElidedLabel(Qt::ElideRight, this);
    detail->setForegroundRole(QPalette::PlaceholderText);
    m_detail = detail;
    // The tiles of a row are as high as the highest, and their captions stand on one line.
    createColumn(this, {12, 7, 12, 8}, 1, {m_title, m_value, m_detail})->addStretch(1);
}

void TileView::showTile(const RunTile& tile)
{
    if (tile == m_tile) {
        return;
    }
    const bool hasNewTone = tile.tone != m_tile.tone;
    m_tile = tile;
    setObjectName(u"tile_"_s + tile.id);
    setAccessibleName(u"%1: %2 %3"_s.arg(tile.title, tile.value, tile.detail));
    setToolTip(tile.meaning);
    m_title->setText(tile.title);
    m_value->setText(tile.value);
    m_value->setObjectName(u"value_"_s + tile.id);
    static_cast<ElidedLabel*>(m_detail)->setFullText(tile.detail);
    if (hasNewTone) {
        color();
    }
}

void TileView::color()
{
    QPalette colored = palette();
    colored.setColor(QPalette::WindowText, colorOf(m_tile.tone, palette()));
    m_value->setPalette(colored);
    QPalette detail = palette();
    if (m_tile.tone == TileTone::Bad) {
        detail.setColor(QPalette::PlaceholderText, colorOf(m_tile.tone, palette()));
    }
    m_detail->setPalette(detail);
    update();
}

void TileView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_detail != nullptr) {
        color();
    }
}

void TileView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const QColor surface = palette().color(QPalette::Window);
    painter.fillRect(rect(), m_tile.tone == TileTone::Bad
                                 ? tintOf(colorOf(m_tile.tone, palette()), surface)
                                 : surface);
}

TileBoard::TileBoard(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"tileBoard"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TileBoard::showTiles(const std::vector<RunTile>& tiles)
{
    const bool hasOtherCount = tiles.size() != m_tiles.size();
    while (m_tiles.size() < tiles.size()) {
        m_tiles.push_back(new TileView(this));
        m_tiles.back()->show();
    }
    while (m_tiles.size() > tiles.size()) {
        delete m_tiles.back();
        m_tiles.pop_back();
    }
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        m_tiles[i]->showTile(tiles[i]);
    }
    if (hasOtherCount) {
        arrange();
    }
}

QSize TileBoard::minimumSizeHint() const
{
    const int width = fontMetrics().averageCharWidth() * kTileCharacters;
    return {width, m_tiles.empty() ? 0 : m_tiles.front()->sizeHint().height()};
}

void TileBoard::arrange()
{
    const int count = static_cast<int>(m_tiles.size());
    if (count == 0) {
        return;
    }
    const int perRow = tilesPerRow(count, width(),
                                   fontMetrics().averageCharWidth() * kTileCharacters);
    const int tileHeight = m_tiles.front()->sizeHint().height();
    setFixedHeight((count + perRow - 1) / perRow * (tileHeight + 1));
    for (int i = 0; i < count; ++i) {
        const int column = i % perRow;
        const int left = column * (width() + 1) / perRow;
        const int right = (column + 1) * (width() + 1) / perRow - 1;
        m_tiles[static_cast<std::size_t>(i)]->setGeometry(left, i / perRow * (tileHeight + 1),
                                                          right - left, tileHeight);
    }
}

void TileBoard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void TileBoard::paintEvent(QPaintEvent* /*event*/)
{
    // What shows between the tiles are the hairlines.
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    const QColor hairline = palette().color(QPalette::Mid);
    for (const TileView* tile : m_tiles) {
        painter.fillRect(tile->geometry().adjusted(0, 0, 1, 1), hairline);
    }
}

} // namespace lockscope::widgets
