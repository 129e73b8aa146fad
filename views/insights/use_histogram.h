#pragma once

#include "engine/report/tile_use.h"
#include "views/plots/bar_chart.h"

namespace tilewright::views {

/// Number of tiles by used memory. A click or a box selects the tiles of those bars. Selected tiles are drawn over them.
class UseHistogram : public BarChart {
    Q_OBJECT
public:
    explicit UseHistogram(QWidget *parent);
    void setUse(std::vector<report::UseBin> bins, Bytes capacity);
    std::vector<report::UseBin> const &bins() const { return m_bins; }
    /// `selected`: flags by tile; may be empty. `name`: the object they belong to.
    void setSelected(std::vector<char> const &selected, QString const &name);
    QString tipOf(int index) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
signals:
    void tilesChosen(std::vector<int> const &tiles, Qt::KeyboardModifiers modifiers); ///< ascending
private:
    std::vector<int> tilesOf(int first, int last) const;
    std::vector<report::UseBin> m_bins;
    std::vector<double> m_selected; ///< tiles by bar
    Bytes m_capacity = 0;
};

} // namespace tilewright::views
