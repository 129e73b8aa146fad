#pragma once

#include "views/modeledit/model_graph.h"

#include <QColor>
#include <QString>

#include <map>
#include <string>

// What the nodes of the canvas are tinted by.
namespace tilewright::views {

class ReportSnapshot;

enum class OverlayKind { None, Parameters, EstimatedBytes, Stage, ReportCycles, ReportBytes, Count };

struct Overlay {
    OverlayKind kind = OverlayKind::None;
    std::map<std::string, double> values; ///< by layer; absent: not known
    double most = 0;                      ///< largest value; 0: nothing to show
    QString title;                        ///< of the legend, with unit and origin (estimated, modelled)
    QString why;                          ///< when there is nothing to show
    /// Share of the largest value, 0 … 1; -1: not known.
    double shareOf(std::string const &layer) const;
    QString textOf(double value) const;
};

QString overlayName(OverlayKind kind); ///< translated, for the choice
/// `report`: null when none is on show. Its layers are matched by name.
Overlay makeOverlay(OverlayKind kind, ModelGraph const &graph, ReportSnapshot const *report);
/// Cycles per step of the report's first run by Keras layer: everything its operations executed, all IPUs, modelled.
std::map<std::string, double> cyclesByLayer(ReportSnapshot const &report);

/// Colour of a pipeline stage: even steps, repeating after eight.
QColor stageColor(int stage);

} // namespace tilewright::views
