#pragma once

#include <QImage>
#include <QRgb>

#include <cstddef>
#include <vector>

class QPainter;

namespace lockscope::widgets {

/// The narrow bars or lines of one row, pixel by pixel, the later ones on top. Neighbours of one
/// colour are painted as one rectangle, and many rectangles as one picture, so that a row costs no
/// more than it has pixels, however much stands in it.
class RowStrip {
public:
    explicit RowStrip(double width);

    /// From the pixel of `left` up to that of `right`, but one at least. What lies outside of the
    /// row is left out.
    void fill(double left, double right, QRgb color);
    /// Something else covers it, and is painted later.
    void clear(double left, double right) { fill(left, right, kNothing); }

    bool isEmpty() const { return m_begin >= m_end; }
    /// Takes over what another one of the same width has. It must be empty.
    void copy(const RowStrip& other);

    /// Paints what there is, over so many lines of pixels. The painter must not be smoothing edges.
    void paint(QPainter& painter, int top, int height);
    /// Empties the strip for the next row.
    void clear();

private:
    static constexpr QRgb kNothing = 0;
    static constexpr std::size_t kRunsForPicture = 64;

    std::vector<QRgb>::iterator at(std::size_t pixel)
    {
        return m_pixels.begin() + static_cast<std::ptrdiff_t>(pixel);
    }
    std::size_t runCount() const;
    void paintRuns(QPainter& painter, int top, int height) const;
    void paintPicture(QPainter& painter, int top, int height);

    std::vector<QRgb> m_pixels; // opaque, or nothing
    QImage m_picture;           // kept for its memory
    std::size_t m_begin = 0;    // of what was touched
    std::size_t m_end = 0;
};

} // namespace lockscope::widgets
