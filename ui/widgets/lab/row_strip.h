#pragma once

#include <QRgb>

#include <cstddef>
#include <vector>

class QPainter;

namespace lockscope::widgets {

/// The narrow bars of one row, pixel by pixel, the later ones on top. Neighbours of one colour are
/// painted as one rectangle, so that a row costs no more than it has pixels, however many bars
/// stand in it.
class RowStrip {
public:
    explicit RowStrip(double width);

    /// From the pixel of `left` up to that of `right`, but one at least. What lies outside of the
    /// row is left out.
    void fill(double left, double right, QRgb color);
    /// Something else covers it, and is painted later.
    void clear(double left, double right) { fill(left, right, kNothing); }

    /// Paints what there is, and empties the strip.
    void paint(QPainter& painter, int top, int height);

private:
    static constexpr QRgb kNothing = 0;

    std::vector<QRgb> m_pixels;
    std::size_t m_begin = 0; // of what was touched
    std::size_t m_end = 0;
};

} // namespace lockscope::widgets
