// Tables of the memory view for export, and its layout for the next start.
#include "views/memory/memory_controls.h"
#include "views/memory/memory_widget.h"
#include "views/memory/tiles_page.h"
#include "views/memory/values_pane.h"

#include <QSplitter>
#include <QTabWidget>

#include <algorithm>

namespace tilewright::views {

QList<ExportTable> MemoryWidget::exportTables() const
{
    if (!m_report) return {};
    ExportTable tiles{tr("tiles"), {tr("tile")}, {}};
    auto const &picture = m_tilesPage->picture();
    tiles.columns << tr("bytes shown");
    for (auto const &band : picture.scene->bands) tiles.columns << band.name;
    for (std::size_t i = 0; i < picture.order.size(); ++i) {
        int const tile = picture.order[i];
        QStringList row{QString::number(tile), QString::number(picture.values[static_cast<std::size_t>(tile)])};
        for (auto const &band : picture.scene->bands) row << QString::number(band.values[i]);
        tiles.rows << row;
    }
    QList<ExportTable> all{tiles};
    auto const table = m_tables->currentIndex();
    if (table != Values || m_values->isShowingValues())
        all << m_panes[static_cast<std::size_t>(table)]->exportTable(m_tables->tabText(table));
    return all;
}

QJsonObject MemoryWidget::saveState() const
{
    auto const &o = options();
    QJsonObject state{{QStringLiteral("show"), static_cast<int>(o.show)},
                      {QStringLiteral("by"), QString::fromLatin1(idOf(o.by))},
                      {QStringLiteral("limit"), o.limit},
                      {QStringLiteral("order"), static_cast<int>(o.order)},
                      {QStringLiteral("scale"), static_cast<int>(o.scale)},
                      {QStringLiteral("page"), m_pages->currentIndex()},
                      {QStringLiteral("table"), m_tables->currentIndex()},
                      {QStringLiteral("split"), QString::fromLatin1(m_splitter->saveState().toBase64())},
                      {QStringLiteral("tilesSplit"), QString::fromLatin1(m_tilesPage->sharing().toBase64())}};
    if (m_controls->gapsChosen()) state.insert(QStringLiteral("with_gaps"), o.gaps);
    return state;
}

void MemoryWidget::restoreState(QJsonObject const &state)
{
    MemoryOptions o = options();
    auto const number = [&](char const *key, int most) { return std::clamp(state.value(QLatin1String(key)).toInt(), 0, most); };
    o.show = static_cast<MemoryShow>(number("show", static_cast<int>(MemoryShow::Sent)));
    o.by = parseBreakdown(state.value(QStringLiteral("by")).toString());
    o.gaps = state.value(QStringLiteral("with_gaps")).toBool(o.gaps);
    if (state.contains(QStringLiteral("with_gaps"))) m_controls->setGapsChosen();
    o.limit = state.value(QStringLiteral("limit")).toBool(o.limit);
    o.order = static_cast<TileOrder>(number("order", static_cast<int>(TileOrder::Sorted)));
    o.scale = static_cast<ScaleKind>(number("scale", static_cast<int>(ScaleKind::ShareOfLimit)));
    m_controls->setOptions(o);
    if (state.value(QStringLiteral("compare")).toBool()) m_controls->wantCompare(); // a figure that compares with another report
    m_pages->setCurrentIndex(number("page", m_pages->count() - 1));
    m_tables->setCurrentIndex(number("table", m_tables->count() - 1));
    m_splitter->restoreState(QByteArray::fromBase64(state.value(QStringLiteral("split")).toString().toLatin1()));
    m_tilesPage->setSharing(QByteArray::fromBase64(state.value(QStringLiteral("tilesSplit")).toString().toLatin1()));
    rebuild();
}

} // namespace tilewright::views
