#include "views/data/class_chart.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

std::int64_t countOf(data::ClassBalance const &balance, DataPart part)
{
    switch (part) {
    case DataPart::Train: return balance.train;
    case DataPart::Validation: return balance.validation;
    case DataPart::Test: return balance.test;
    }
    return 0;
}

QString nameOf(DataPart part)
{
    switch (part) {
    case DataPart::Train: return ClassChart::tr("training");
    case DataPart::Validation: return ClassChart::tr("validation");
    case DataPart::Test: return ClassChart::tr("test");
    }
    return {};
}

/// Shade and pattern: the parts also differ without colour.
QBrush brushOf(DataPart part)
{
    switch (part) {
    case DataPart::Train: return theme().sequential(0.35);
    case DataPart::Validation: return {theme().sequential(0.55), Qt::Dense3Pattern};
    case DataPart::Test: return {theme()[Token::Text], Qt::BDiagPattern};
    }
    return {};
}

} // namespace

std::vector<DataPart> partsOf(std::vector<data::ClassBalance> const &classes)
{
    std::vector<DataPart> parts;
    for (auto const part : {DataPart::Train, DataPart::Validation, DataPart::Test})
        if (std::ranges::any_of(classes, [part](auto const &each) { return countOf(each, part) > 0; })) parts.push_back(part);
    return parts;
}

ClassChart::ClassChart(QWidget *parent) : BarChart(parent)
{
    setAccessibleName(tr("Samples by class"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void ClassChart::setClasses(std::vector<data::ClassBalance> classes)
{
    m_classes = std::move(classes);
    std::vector<BarSeries> series;
    for (auto const part : partsOf(m_classes)) {
        BarSeries bars{nameOf(part), {}, [part] { return brushOf(part); }};
        for (auto const &each : m_classes) bars.values.push_back(static_cast<double>(countOf(each, part)));
        series.push_back(std::move(bars));
    }
    ChartAxis x, y;
    x.title = tr("class");
    x.text = [this](double at) {
        auto const index = std::llround(at);
        return index >= 0 && index < static_cast<long long>(m_classes.size())
            ? QString::number(m_classes[static_cast<std::size_t>(index)].label)
            : QString();
    };
    y.title = tr("samples");
    y.kind = AxisKind::Whole;
    y.text = [](double count) { return countText(std::llround(count)); };
    setBars(std::move(series), std::move(x), std::move(y));
    setDescription(tr("Classes: %1; arrow keys read them").arg(m_classes.size()));
}

QSize ClassChart::sizeHint() const { return {100 * kGrid, 40 * kGrid}; }
QSize ClassChart::minimumSizeHint() const { return {40 * kGrid, 32 * kGrid}; }

QString ClassChart::tipOf(int index) const
{
    auto const &each = m_classes[static_cast<std::size_t>(index)];
    QStringList parts{tr("Class %1: %2 training").arg(each.label).arg(countText(each.train))};
    if (each.validation > 0) parts << tr("%1 validation").arg(countText(each.validation));
    if (each.test > 0) parts << tr("%1 test").arg(countText(each.test));
    return parts.join(QStringLiteral(", "));
}

} // namespace tilewright::views
