#pragma once

#include "engine/data/preview.h"
#include "views/plots/bar_chart.h"

namespace tilewright::views {

enum class DataPart { Train, Validation, Test };

/// The parts that have samples.
std::vector<DataPart> partsOf(std::vector<data::ClassBalance> const &classes);

/// Frequency of each class in training, validation and test data.
class ClassChart : public BarChart {
    Q_OBJECT
public:
    explicit ClassChart(QWidget *parent);
    void setClasses(std::vector<data::ClassBalance> classes);
    QString tipOf(int index) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    std::vector<data::ClassBalance> m_classes;
};

} // namespace tilewright::views
