#include "views/wording/tile_memory_text.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>

namespace tilewright::views {

QString tileFigureName(TileFigure figure)
{
    switch (figure) {
    case TileFigure::Need: return Words::tr("Need");
    case TileFigure::Placed: return Words::tr("Placed");
    case TileFigure::Gaps: return Words::tr("Gaps");
    case TileFigure::Limit: return Words::tr("Limit");
    }
    return {};
}

QString tileFigureHelp(TileFigure figure)
{
    switch (figure) {
    case TileFigure::Need: return Words::tr("Bytes live at the same time, at the tile's peak. No placement takes less.");
    case TileFigure::Placed: return Words::tr("Bytes up to the highest used address, gaps included. Decides whether the tile fits.");
    case TileFigure::Gaps: return Words::tr("Unused bytes below the highest used address. The address map gives their reasons.");
    case TileFigure::Limit: return Words::tr("Memory of the tile. The tile fits if it has placed at most that much.");
    }
    return {};
}

QString placedShareText(report::TileMemory const &memory) { return shareText(memory.placedShare()); }

QString worstTileText(report::TileMemory const &memory) { return Words::tr("worst tile %1").arg(placedShareText(memory)); }

QString placedText(report::TileMemory const &memory) { return Words::tr("%1 placed").arg(bytesOfText(memory.placed, memory.limit)); }

QString largestAtPeakText(QString const &variables) { return Words::tr("Largest at its peak: %1.").arg(variables); }

LargestAtPeak largestOnWorstTile(report::ReportData const &data)
{
    LargestAtPeak out;
    auto const *verdict = report::verdictOfAll(data);
    auto const found = std::ranges::find(data.insights, "memory.largest-at-peak", &report::InsightRow::rule);
    if (!verdict || found == data.insights.end()) return out;
    auto const numbers = QJsonDocument::fromJson(QByteArray::fromStdString(found->numbers)).object();
    out.tile = verdict->worstTile;
    out.step = verdict->peakStep;
    out.live = numbers.value(QLatin1String("live")).toInteger();
    for (auto const &entry : numbers.value(QLatin1String("largest")).toArray()) {
        auto const one = entry.toObject();
        auto const variable = one.value(QLatin1String("variable")).toInteger(report::kNone);
        if (variable >= 0 && variable < static_cast<qint64>(data.variables.size()))
            out.variables.push_back({static_cast<int>(variable), one.value(QLatin1String("bytes")).toInteger()});
    }
    return out;
}

Quantity placedQuantity(report::TileMemory const &memory)
{
    return {QuantityKind::Share,
            memory.limit > 0 ? std::optional(memory.placedShare()) : std::nullopt,
            {},
            Origin::Modelled,
            Words::tr("the placement by this compile")};
}

QString tileMemoryTip(report::TileMemory const &memory) { return quantityTip(placedQuantity(memory), tileFiguresText(memory)); }

QString tileFiguresText(report::TileMemory const &memory)
{
    QStringList lines;
    auto const add = [&lines](TileFigure figure, std::optional<Bytes> bytes) {
        if (bytes) lines << Words::tr("%1: %2. %3").arg(tileFigureName(figure), bytesExact(*bytes), tileFigureHelp(figure));
    };
    add(TileFigure::Need, memory.need);
    add(TileFigure::Placed, memory.placed);
    add(TileFigure::Gaps, memory.gaps);
    add(TileFigure::Limit, memory.limit);
    return lines.join(QLatin1Char('\n'));
}

} // namespace tilewright::views
