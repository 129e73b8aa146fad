#include "views/execution/execution_modes.h"

#include <QCoreApplication>

namespace tilewright::views {

namespace {

QString tr(char const *text) { return QCoreApplication::translate("views", text); }

} // namespace

QString modeTitle(ExecutionMode mode)
{
    switch (mode) {
    case Flat: return tr("Flat");
    case Flame: return tr("Flame");
    case Bsp: return tr("BSP");
    case Pipeline: return tr("Pipeline");
    case Exchange: return tr("Exchange");
    case Host: return tr("Host");
    case Modes: break;
    }
    return {};
}

QString modeTip(ExecutionMode mode)
{
    switch (mode) {
    case Flat: return tr("One lane per IPU, with its streams and links");
    case Flame: return tr("What runs, and beneath it the programs that hold it");
    case Bsp: return tr("What each tile does in each phase");
    case Pipeline: return tr("Micro-batches on their way through the stages");
    case Exchange: return tr("Bytes per cycle in and out");
    case Host: return tr("What the host's threads do");
    case Modes: break;
    }
    return {};
}

QString modeLegend(ExecutionMode mode)
{
    switch (mode) {
    case Flame: return tr("beneath: programs, coloured by pass");
    case Bsp: return tr("coloured: busy · blank: waiting or idle");
    case Pipeline: return tr("F forward · R recompute · B backward · U update · hatched: bubble (u ramp up, d ramp down, i imbalance, t transfer, h host, w weight update) · line on top: critical path");
    case Exchange: return tr("above: in · below: out · one scale for all");
    default: return {};
    }
}

QString modeEmptyText(ExecutionMode mode)
{
    switch (mode) {
    case Host: return tr("This report has no recording of host threads: runs record what the device does, and host times per epoch, which stand in Training.");
    case Pipeline: return tr("This program has no pipeline stages. Give layers a stage in Plan to see one here.");
    default: return tr("This report has no events. Compile again to record the schedule of a step.");
    }
}

} // namespace tilewright::views
