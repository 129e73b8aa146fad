#pragma once

#include "views/runcontrol/run_controller.h"

#include <QImage>
#include <QWidget>

namespace tilewright::views {

/// Display form of a sample: an image (height × width, optionally × 1 or × 3) or a curve of its values.
enum class SampleForm { Gray, Color, Curve };
SampleForm sampleForm(Shape const &shape);
/// The values as pixels, stretched to the sample's minimum and maximum. Null for curves.
QImage sampleImage(std::vector<float> const &values, Shape const &shape);

/// Samples with predictions, wrong ones first, in as many columns as fit.
class PredictionGrid : public QWidget {
    Q_OBJECT
public:
    explicit PredictionGrid(QWidget *parent = nullptr);
    void setSamples(std::shared_ptr<PredictionInfo const> info);
    /// Shows one cell of the confusion matrix (label, predicted) only; nullopt: all.
    void setCell(std::optional<std::pair<int, int>> cell);
    int shownSamples() const { return static_cast<int>(m_shown.size()); }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QRectF sampleRect(int at) const;
    QString tipOf(int at) const;

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void choose();
    int columns(int width) const;
    double rowHeight() const;
    std::shared_ptr<PredictionInfo const> m_info;
    std::optional<std::pair<int, int>> m_cell;
    std::vector<int> m_shown; ///< into m_info->samples
    std::vector<QImage> m_images;
};

} // namespace tilewright::views
