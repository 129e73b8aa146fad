#pragma once

#include "engine/data/preview.h"

#include <QRectF>
#include <QWidget>

namespace tilewright::views {

enum class DataPart { Train, Validation, Test };

/// Bars of class counts: where each lies in a plot. Parts without any sample take no room.
struct ClassBars {
    QRectF plot;
    std::vector<DataPart> parts; ///< that exist
    std::int64_t largest = 0;
    std::size_t classes = 0;
    QRectF rectOf(std::size_t index, DataPart part, std::int64_t count) const;
    /// Index of the class under x; -1: none.
    int classAt(double x) const;
};
ClassBars placeBars(std::vector<data::ClassBalance> const &classes, QRectF const &plot);

/// How often each class occurs in training, validation and test data.
class ClassChart : public QWidget {
    Q_OBJECT
public:
    explicit ClassChart(QWidget *parent);
    void setClasses(std::vector<data::ClassBalance> classes);
    QString tipOf(int index) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
private:
    ClassBars barsNow() const;
    void paintLegend(QPainter &painter, ClassBars const &bars) const;
    std::vector<data::ClassBalance> m_classes;
    int m_current = -1;
};

} // namespace tilewright::views
