#pragma once

#include "views/time/lanes.h"
#include "views/widgets/color_keys.h"

#include <QList>
#include <QString>

namespace tilewright::views {

/// Kind of rows in the execution view.
enum ExecutionMode { Flat, Flame, Bsp, Pipeline, Exchange, Host, Modes };
/// Stable ids for layouts and files.
inline constexpr char const *kModeIds[Modes] = {"flat", "flame", "bsp", "pipeline", "exchange", "host"};

QString modeTitle(ExecutionMode mode);
QString modeTip(ExecutionMode mode);
/// Meaning of the colours, if the panel's bar of phases does not show it.
QString modeLegend(ExecutionMode mode);
/// Keys for the styles in the lanes: a colour with all its meanings.
QList<ColorKey> styleKeys(LaneSet const &set);
/// Swatches for the legend beside the plot, from the contents of the lanes; the modes of tiles and exchanges have fixed ones.
QList<ColorKey> modeKeys(ExecutionMode mode, bool severalIpus, LaneSet const &set = {});
/// The reason for an empty view, and what to do.
QString modeEmptyText(ExecutionMode mode);

} // namespace tilewright::views
