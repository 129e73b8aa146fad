#pragma once

#include "views/modeledit/model_graph.h"

#include <QColor>
#include <QString>

#include <map>
#include <string>

// Quantities that tint the nodes of the canvas.
namespace tilewright::views {

class ReportSnapshot;

enum class OverlayKind { None, Parameters, EstimatedBytes, Stage, ReportCycles, ReportBytes, Count };

struct Overlay {
    OverlayKind kind = OverlayKind::None;
    std::map<std::string, double> values; ///< by layer; missing: unknown
    double most = 0;                      ///< largest value; 0: nothing to show
    QString title;                        ///< of the legend, with unit and origin (estimated, modelled)
    QString why;                          ///< reason if there is nothing to show
    /// Share of the largest value, 0 … 1; -1: unknown.
    double shareOf(std::string const &layer) const;
    QString textOf(double value) const;
};

QString overlayName(OverlayKind kind); ///< translated, for the choice
/// `report`: null if none is displayed. Its layers are matched by name.
Overlay makeOverlay(OverlayKind kind, ModelGraph const &graph, ReportSnapshot const *report);
/// Cycles per step of the report's first run by Keras layer: all its operations, all IPUs, modelled.
std::map<std::string, double> cyclesByLayer(ReportSnapshot const &report);

/// Colour of a pipeline stage: even steps, repeating after eight.
QColor stageColor(int stage);

} // namespace tilewright::views
