#include "views/insights/use_histogram.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kHeight = 44 * kGrid, kLeastHeight = 32 * kGrid, kLeastWidth = 50 * kGrid;

QBrush plainBrush() { return theme()[Token::Compute]; }
QBrush chosenBrush() { return {theme()[Token::Accent], Qt::SolidPattern}; }

} // namespace

UseHistogram::UseHistogram(QWidget *parent) : BarChart(parent)
{
    setAccessibleName(tr("Tiles by the memory they use"));
    setEmptyText(tr("This report does not say what its tiles use."));
    setDragSelects(true);
    connect(this, &Chart::clicked, this, [this](int index, QPointF, Qt::KeyboardModifiers modifiers) {
        if (auto const tiles = tilesOf(index, index); !tiles.empty()) emit tilesChosen(tiles, modifiers);
    });
    connect(this, &Chart::boxDrawn, this, [this](QRectF const &box) {
        // The bar at each end counts, however small its part in the box.
        if (auto const tiles = tilesOf(static_cast<int>(std::lround(box.left())), static_cast<int>(std::lround(box.right())));
            !tiles.empty())
            emit tilesChosen(tiles, QGuiApplication::keyboardModifiers());
    });
}

void UseHistogram::setUse(std::vector<report::UseBin> bins, Bytes capacity)
{
    m_bins = std::move(bins);
    m_capacity = capacity;
    m_selected.clear();
    std::vector<double> counts;
    for (auto const &bin : m_bins) counts.push_back(static_cast<double>(bin.tiles.size()));
    ChartAxis x, y;
    x.title = tr("used on a tile, from");
    x.text = [this](double at) {
        auto const index = static_cast<std::size_t>(std::max(0.0, at));
        return index < m_bins.size() ? bytesText(m_bins[index].from) : QString();
    };
    y.title = tr("tiles");
    y.kind = AxisKind::Whole;
    y.text = [](double count) { return shortCount(count); };
    std::vector<BarSeries> series;
    if (!counts.empty()) series.push_back({{}, std::move(counts), plainBrush}); // the axes have the labels
    setBars(std::move(series), std::move(x), std::move(y));
    QStringList words;
    for (int i = 0; i < static_cast<int>(m_bins.size()); ++i)
        if (!m_bins[static_cast<std::size_t>(i)].tiles.empty() && words.size() < 8) words << tipOf(i);
    setDescription(words.join(QStringLiteral("; ")));
}

void UseHistogram::setSelected(std::vector<char> const &selected, QString const &name)
{
    m_selected.assign(m_bins.size(), 0);
    double all = 0;
    for (std::size_t i = 0; i < m_bins.size(); ++i)
        for (int const tile : m_bins[i].tiles)
            if (static_cast<std::size_t>(tile) < selected.size() && selected[static_cast<std::size_t>(tile)]) {
                ++m_selected[i];
                ++all;
            }
    if (all == 0) m_selected.clear();
    setChosen({name, m_selected, chosenBrush});
}

std::vector<int> UseHistogram::tilesOf(int first, int last) const
{
    std::vector<int> tiles;
    for (int i = std::max(0, first); i <= std::min(last, static_cast<int>(m_bins.size()) - 1); ++i)
        tiles.insert(tiles.end(), m_bins[static_cast<std::size_t>(i)].tiles.begin(), m_bins[static_cast<std::size_t>(i)].tiles.end());
    std::ranges::sort(tiles);
    return tiles;
}

QString UseHistogram::tipOf(int index) const
{
    auto const &bin = m_bins[static_cast<std::size_t>(index)];
    auto const share = [this](Bytes bytes) {
        return shareText(m_capacity > 0 ? static_cast<double>(bytes) / static_cast<double>(m_capacity) : 0);
    };
    QString text = tr("%Ln tile(s) use %1 to %2 (%3 to %4)", nullptr, static_cast<int>(bin.tiles.size()))
                       .arg(bytesText(bin.from), bytesText(bin.to), share(bin.from), share(bin.to));
    if (static_cast<std::size_t>(index) < m_selected.size() && m_selected[static_cast<std::size_t>(index)] > 0)
        text += QStringLiteral(", ") + tr("%1 of them selected").arg(countText(std::llround(m_selected[static_cast<std::size_t>(index)])));
    return text;
}

QSize UseHistogram::sizeHint() const { return {kLeastWidth * 2, kHeight}; }
QSize UseHistogram::minimumSizeHint() const { return {kLeastWidth, kLeastHeight}; }

} // namespace tilewright::views
