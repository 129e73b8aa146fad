#include "views/memory/tile_values.h"

#include "views/common/format.h"
#include "views/reports/report_snapshot.h"

#include <QCoreApplication>
#include <QFloat16>
#include <QStringList>
#include <QtEndian>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

template <typename T> std::vector<double> decoded(std::span<std::byte const> bytes)
{
    std::vector<double> values;
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T))
        values.push_back(static_cast<double>(qFromLittleEndian<T>(bytes.data() + at)));
    return values;
}

/// Row of `exchanges` of the last exchange between tiles at or before a step. The host is not a tile.
int lastExchange(ReportSnapshot const &report, int program, int step)
{
    auto const &d = report.data();
    auto const betweenTiles = [&](int at) {
        int const row = report.exchangeOf(at);
        if (row < 0) return -1;
        auto const &kind = d.exchanges[static_cast<std::size_t>(row)].kind;
        return kind == "internal" || kind == "global" ? row : -1;
    };
    if (int const own = betweenTiles(program); own >= 0) return own;
    for (int s = std::min(step, static_cast<int>(d.livenessSteps.size()) - 1); s >= 0; --s)
        if (int const row = betweenTiles(d.livenessSteps[static_cast<std::size_t>(s)].program); row >= 0) return row;
    return -1;
}

} // namespace

std::vector<double> decodeValues(std::span<std::byte const> bytes, std::string_view dtype)
{
    if (dtype == "f32") return decoded<float>(bytes);
    if (dtype == "f16") return decoded<qfloat16>(bytes);
    if (dtype == "i32") return decoded<qint32>(bytes);
    if (dtype == "u8" || dtype == "bool") return decoded<quint8>(bytes);
    return {};
}

TileReading readTile(ReportSnapshot const &report, TileContents const &contents, TileValues const &values)
{
    TileReading reading;
    reading.tile = values.tile;
    reading.program = values.program;
    reading.superstep = values.superstep;
    auto const steps = report.stepsOf(values.program);
    if (!steps.empty()) reading.step = steps.front();
    auto const &d = report.data();
    if (auto const *group = contents.of(values.tile))
        for (auto const &item : group->items) {
            if (item.variable < 0 || item.variable >= static_cast<int>(d.variables.size())) continue;
            HeldVariable held;
            held.variable = item.variable;
            held.offset = item.offset;
            held.bytes = item.bytes;
            held.live =
                reading.step >= 0 ? contents.lives.isLive(item.livenessClass, reading.step) : contents.lives.isAlways(item.livenessClass);
            auto const from = static_cast<std::size_t>(item.offset), size = static_cast<std::size_t>(item.bytes);
            if (from <= values.bytes.size() && size <= values.bytes.size() - from)
                held.values =
                    decodeValues(std::span(values.bytes).subspan(from, size), d.variables[static_cast<std::size_t>(item.variable)].dtype);
            double sum = 0;
            std::size_t finite = 0;
            for (double const value : held.values) {
                if (!std::isfinite(value)) {
                    ++held.notFinite;
                    continue;
                }
                held.min = finite == 0 ? value : std::min(held.min, value);
                held.max = finite == 0 ? value : std::max(held.max, value);
                sum += value;
                ++finite;
            }
            held.mean = finite > 0 ? sum / static_cast<double>(finite) : 0;
            reading.variables.push_back(std::move(held));
        }
    std::stable_sort(reading.variables.begin(), reading.variables.end(), [](auto const &a, auto const &b) { return a.live > b.live; });
    reading.exchange = lastExchange(report, values.program, reading.step);
    if (reading.exchange >= 0)
        for (auto const &pair : d.exchanges[static_cast<std::size_t>(reading.exchange)].pairs) {
            if (pair.to == values.tile) reading.senders.push_back({pair.from, pair.bytes});
            else if (pair.to < 0) reading.otherBytes += pair.bytes;
        }
    std::stable_sort(reading.senders.begin(), reading.senders.end(), [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
    return reading;
}

QString valuesText(std::vector<double> const &values, int most)
{
    QStringList parts;
    for (std::size_t i = 0; i < values.size() && static_cast<int>(i) < most; ++i) parts << numberText(values[i]);
    QString const text = parts.join(QStringLiteral(", "));
    if (static_cast<int>(values.size()) <= most) return text;
    return QCoreApplication::translate("views", "%1 … (%2 values)").arg(text, countText(static_cast<std::int64_t>(values.size())));
}

} // namespace tilewright::views
