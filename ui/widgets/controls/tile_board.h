#pragma once

#include "ui/models/contend/run_tiles.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace lockscope::widgets {

/// One number: what it is, how much, and a few words. Its colour speaks only when something is
/// wrong.
class TileView : public QWidget {
    Q_OBJECT
public:
    explicit TileView(QWidget* parent = nullptr);

    void showTile(const models::RunTile& tile);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void color();

    models::RunTile m_tile;
    QLabel* m_title = nullptr;
    QLabel* m_value = nullptr;
    QLabel* m_detail = nullptr;
};

/// The numbers of a run as a grid, hairlines between them, as many to a row as there is room for.
class TileBoard : public QWidget {
    Q_OBJECT
public:
    explicit TileBoard(QWidget* parent = nullptr);

    void showTiles(const std::vector<models::RunTile>& tiles);

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void arrange();

    std::vector<TileView*> m_tiles;
};

/// How many tiles of at least `tileWidth` stand in a row: as even as can be, so that the last row
/// is not nearly empty.
int tilesPerRow(int tileCount, int width, int tileWidth);

} // namespace lockscope::widgets
