#pragma once

#include "engine/data/preview.h"

#include <QImage>
#include <QRectF>
#include <QWidget>

namespace tilewright::views {

/// Display form of samples.
enum class SampleLook { Image, Curve, Numbers };
SampleLook lookOf(Shape const &shape);
/// The picture of a sample H×W or H×W×C (grey, colour, colour with opacity); `low` is black, `high` white.
QImage sampleImage(Shape const &shape, std::vector<float> const &values, double low, double high);

/// The first samples with their labels: pictures, small curves, or numbers.
class SampleGrid : public QWidget {
    Q_OBJECT
public:
    explicit SampleGrid(QWidget *parent);
    void setSamples(Shape shape, std::vector<data::SamplePreview> samples);
    QRectF rectOf(int sample) const;
    QString tipOf(int sample) const;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    QSize cell() const;
    int across(int width) const;
    void paintCurve(QPainter &painter, QRectF const &area, std::vector<float> const &values) const;
    void paintNumbers(QPainter &painter, QRectF const &area, std::vector<float> const &values) const;
    Shape m_shape;
    std::vector<data::SamplePreview> m_samples;
    std::vector<QImage> m_images;
    double m_low = 0, m_high = 1;
};

} // namespace tilewright::views
