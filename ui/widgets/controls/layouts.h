#pragma once

#include <QBoxLayout>

#include <initializer_list>

class QWidget;

// Rows and columns, written down as they look.
namespace lockscope::widgets {

/// What stands in a row or a column.
struct LayoutPart {
    LayoutPart() = default; // nothing
    LayoutPart(QWidget* part) : widget(part) {}
    LayoutPart(QLayout* part) : layout(part) {}

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int share = 0; // of the room that is left
    Qt::Alignment alignment{};
    int pixels = 0; // of a gap
};

/// Takes the room that the others leave; where several do, each its share of it.
LayoutPart growing(LayoutPart part, int share = 1);
/// As large as it wants to be, at a side of its place.
LayoutPart aligned(QWidget* widget, Qt::Alignment alignment);
LayoutPart gap(int pixels);
/// Nothing that grows. Without a share only where nothing else does.
LayoutPart room(int share = 1);

/// As the style has it.
constexpr int kUsualSpacing = -1;

/// Fills `parent`; without one for a place in another layout.
QHBoxLayout* createRow(QWidget* parent, const QMargins& margins, int spacing,
                       std::initializer_list<LayoutPart> parts);
QVBoxLayout* createColumn(QWidget* parent, const QMargins& margins, int spacing,
                          std::initializer_list<LayoutPart> parts);

/// For a place in another layout, without margins.
QHBoxLayout* createRow(int spacing, std::initializer_list<LayoutPart> parts);
QVBoxLayout* createColumn(int spacing, std::initializer_list<LayoutPart> parts);

/// Behind what is there.
void addParts(QBoxLayout& layout, std::initializer_list<LayoutPart> parts);

} // namespace lockscope::widgets
