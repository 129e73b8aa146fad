#pragma once

#include "views/common/export.h"
#include "views/common/theme.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::views {

enum class CurveShape { Line, Dashed, Steps, Points, LineAndPoints };

/// One curve of a panel. x ascends; NaN in y is a gap.
struct Curve {
    QString name;
    std::vector<double> x, y;
    CurveShape shape = CurveShape::Line;
    std::optional<Token> color; ///< nullopt: by its position in the panel
    bool smooth = true;         ///< the panel's smoothing applies to it
    bool broad = false;         ///< a broad pale line, below other curves
    bool shown = true;
    /// For points that represent several values (otherwise empty): mean and number of the values, used for smoothing.
    std::vector<double> means = {}, counts = {};
};

/// A vertical line with a short text: an event, the chosen step.
struct CurveMark {
    double x = 0;
    QString text;
    Token color = Token::Accent;
};

struct CurveAxes {
    QString x, y;                                ///< with their units
    std::function<QString(double)> xText, yText; ///< of ticks and readout; empty: numberText
    bool zeroBased = false;                      ///< the value axis begins at 0 (linear only)
};

/// Curves over a common axis, with legend, read-out and zoom. Follows the newest point until the user zooms or pans; F resumes. Mouse: drag
/// zooms to a box, Shift or middle drag pans, Ctrl+wheel zooms at the pointer, Shift+wheel pans, double click shows all. Keys: arrows pan,
/// + and - zoom, F. Replots at most ten times a second without user input, and only while visible.
class CurvePanel : public QWidget {
    Q_OBJECT
public:
    explicit CurvePanel(QString const &title, QWidget *parent = nullptr);
    ~CurvePanel() override;

    void setTitle(QString const &title);
    void setAxes(CurveAxes axes);
    QString axisTitle() const; ///< of x
    /// Replaces all curves. Keeps hidden curves (by name) and, unless following, the zoom.
    void setCurves(std::vector<Curve> curves);
    std::vector<Curve> const &curves() const;
    void setMarks(std::vector<CurveMark> marks);

    void setSmoothing(double weight); ///< 0 (none) … 0.999, see smoothed()
    double smoothing() const;
    void setLogarithmic(bool on); ///< value axis; values of 0 and below become gaps
    bool isLogarithmic() const;
    void setFollowing(bool on);
    bool isFollowing() const;
    void fit();                               ///< shows everything and continues to follow
    void setXRange(double begin, double end); ///< ends following
    std::pair<double, double> xRange() const;
    std::pair<double, double> yRange() const;
    void setCurveShown(int curve, bool shown);
    /// A vertical line, for panels that share an axis; nullopt: none.
    void setCrosshair(std::optional<double> x);
    /// "step 1,204 · loss 0.0711 (smoothed 0.0732)": exact values of the points nearest to x.
    QString readout(double x) const;

    /// A row per x that occurs, a column per curve; raw values.
    ExportTable exportTable(QString const &name) const;
    /// Number of redraws, for measurements.
    int replots() const;

signals:
    void followingChanged(bool on);
    void xRangeChanged(double begin, double end); ///< by the user
    void hovered(double x);                       ///< NaN when the pointer has left
    void clicked(int curve, double x);            ///< nearest curve and its point

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

/// Initial smoothing of curves: losses of small batches are noisy.
inline constexpr double kCurveSmoothing = 0.9;
/// Colour and line style of the n-th curve of a panel: different hues and, beyond six, dashes.
Token curveToken(int n);

} // namespace tilewright::views
