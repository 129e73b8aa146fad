#pragma once

#include "views/time/lanes.h"
#include "views/widgets/color_keys.h"

#include <QList>
#include <QString>

namespace tilewright::views {

/// What the rows of the execution view are.
enum ExecutionMode { Flat, Flame, Bsp, Pipeline, Exchange, Host, Modes };
/// Stable: layouts and files name them.
inline constexpr char const *kModeIds[Modes] = {"flat", "flame", "bsp", "pipeline", "exchange", "host"};

QString modeTitle(ExecutionMode mode);
QString modeTip(ExecutionMode mode);
/// What the colours mean, where the panel's bar of phases does not say it.
QString modeLegend(ExecutionMode mode);
/// What occurs in the lanes: a colour with all that it stands for.
QList<ColorKey> styleKeys(LaneSet const &set);
/// Swatches for the legend beside the plot, of what is drawn in the lanes; tiles and exchanges have the same everywhere.
QList<ColorKey> modeKeys(ExecutionMode mode, bool severalIpus, LaneSet const &set = {});
/// Why there is nothing to see, and what to do.
QString modeEmptyText(ExecutionMode mode);

} // namespace tilewright::views
