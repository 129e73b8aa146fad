#pragma once

#include "views/common/theme.h"
#include "views/tiles/column_stats.h"

#include <QImage>
#include <QRect>
#include <QString>

#include <cstdint>
#include <vector>

class QPainter;

// Areas over tiles or steps, drawn by pixel column. (A filled curve of a plotting library takes seconds instead of milliseconds.)
namespace tilewright::views {

/// One band of a stack. Bands of the same token differ by `shade` (0, 1, 2, …: lighter).
struct ColumnBand {
    QString name;
    Token token = Token::Accent;
    int shade = 0;
    std::vector<std::int64_t> values;
    bool shown = true;
};
QColor bandColor(ColumnBand const &band, Theme const &theme);
inline constexpr int kShades = 4;
/// Whether two bands that touch can be told apart by lightness alone, in every theme. Bands have no patterns: patterns of one pixel shimmer
/// while the plot scrolls or zooms.
bool differInLightness(ColumnBand const &a, ColumnBand const &b);
/// Bands at least this high have a separating line above them.
inline constexpr int kOutlinedFrom = 4;

/// A stretch behind or above the plot: a stage, a pass.
struct ColumnSpan {
    int first = 0, last = 0; ///< positions, inclusive
    Token token = Token::Idle;
    QString text;
};

/// Content of a chart; immutable once shown.
struct ColumnScene {
    std::vector<ColumnBand> bands; ///< bottom to top
    PositionAxis axis;
    std::vector<std::vector<ColumnSpan>> lanes; ///< strips above the plot; the first one also tints the ground
    std::vector<int> dividers;                  ///< positions with a line before them (start of the next IPU)
    std::int64_t limit = 0;                     ///< 0: none
    bool signedValues = false;                  ///< one band about zero, coloured by sign
};

/// Sum of the visible bands, by position.
std::vector<std::int64_t> stackTotals(ColumnScene const &scene);

/// A scene with precomputed sums for fast drawing.
class ColumnPainter {
public:
    void setScene(ColumnScene const &scene);
    std::vector<std::int64_t> const &totals() const { return m_totals; }
    std::int64_t low() const { return m_low; } ///< 0, or below with signed values
    std::int64_t high() const { return m_high; }
    /// Draws the stack into `plot`: means as areas, the largest total of each column as a line.
    void paint(QPainter &painter, QRect const &plot, ColumnScene const &scene, AxisWindow const &window, double low, double high,
               Theme const &theme) const;

private:
    std::vector<BandSums> m_sums;
    std::vector<std::int64_t> m_totals;
    std::int64_t m_low = 0, m_high = 0;
};

} // namespace tilewright::views
