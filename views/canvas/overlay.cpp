#include "views/canvas/overlay.h"

#include "engine/report/quantities.h"

#include "views/common/format.h"
#include "views/reports/report_snapshot.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace tilewright::views {

namespace {

std::map<std::string, double> bytesByLayer(ReportSnapshot const &report)
{
    std::map<std::string, double> bytes;
    for (auto const &op : report.data().ops)
        if (op.level == "keras") bytes[op.name] += static_cast<double>(op.variableBytes + op.vertexStateBytes + report::codeOf(op));
    return bytes;
}

} // namespace

double Overlay::shareOf(std::string const &layer) const
{
    auto const it = values.find(layer);
    if (it == values.end()) return -1;
    return most > 0 ? std::clamp(it->second / most, 0.0, 1.0) : 0;
}

QString Overlay::textOf(double value) const
{
    auto const whole = static_cast<std::int64_t>(value);
    switch (kind) {
    case OverlayKind::Parameters: return countText(whole);
    case OverlayKind::EstimatedBytes:
    case OverlayKind::ReportBytes: return bytesText(whole);
    case OverlayKind::ReportCycles: return cyclesText(whole);
    case OverlayKind::Stage: return QCoreApplication::translate("views", "stage %1").arg(whole);
    case OverlayKind::None:
    case OverlayKind::Count: break;
    }
    return {};
}

QString overlayName(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::None: return QCoreApplication::translate("views", "Families");
    case OverlayKind::Parameters: return QCoreApplication::translate("views", "Parameters");
    case OverlayKind::EstimatedBytes: return QCoreApplication::translate("views", "Bytes (estimated)");
    case OverlayKind::Stage: return QCoreApplication::translate("views", "Pipeline stages");
    case OverlayKind::ReportCycles: return QCoreApplication::translate("views", "Cycles (report)");
    case OverlayKind::ReportBytes: return QCoreApplication::translate("views", "Bytes (report)");
    case OverlayKind::Count: break;
    }
    return {};
}

std::map<std::string, double> cyclesByLayer(ReportSnapshot const &report)
{
    std::map<std::string, double> cycles;
    auto const &data = report.data();
    auto const frame = report::runFrame(data);
    auto const costs = report::costsByOp(data, report::costsByProgram(data, frame.run));
    for (std::size_t op = 0; op < data.ops.size(); ++op)
        if (data.ops[op].level == "keras") cycles[data.ops[op].name] += report::cyclesPerStep(frame, costs[op].cycles);
    return cycles;
}

Overlay makeOverlay(OverlayKind kind, ModelGraph const &graph, ReportSnapshot const *report)
{
    Overlay overlay;
    overlay.kind = kind;
    bool const ofReport = kind == OverlayKind::ReportCycles || kind == OverlayKind::ReportBytes;
    if (ofReport) {
        overlay.title = kind == OverlayKind::ReportCycles ? QCoreApplication::translate("views", "cycles per step, modelled")
                                                          : QCoreApplication::translate("views", "variables, code and state, modelled");
        if (!report) {
            overlay.why = QCoreApplication::translate("views", "No report is open: compile first.");
            return overlay;
        }
        auto const all = kind == OverlayKind::ReportCycles ? cyclesByLayer(*report) : bytesByLayer(*report);
        for (auto const &layer : graph.layers)
            if (auto const it = all.find(layer.name); it != all.end()) overlay.values.insert(*it);
        if (overlay.values.empty()) overlay.why = QCoreApplication::translate("views", "The report on show has no layer of this model.");
    } else {
        for (auto const &layer : graph.layers) {
            if (kind == OverlayKind::Parameters) overlay.values[layer.name] = static_cast<double>(layer.parameters);
            if (kind == OverlayKind::EstimatedBytes && !layer.shape.empty())
                overlay.values[layer.name] = static_cast<double>(layer.bytes());
            if (kind == OverlayKind::Stage && layer.stage >= 0) overlay.values[layer.name] = layer.stage;
        }
        if (kind == OverlayKind::Parameters) overlay.title = QCoreApplication::translate("views", "parameters");
        if (kind == OverlayKind::EstimatedBytes)
            overlay.title = QCoreApplication::translate("views", "weights, optimizer, activations of a micro-batch, estimated");
        if (kind == OverlayKind::Stage) {
            overlay.title = QCoreApplication::translate("views", "pipeline stages");
            if (overlay.values.empty()) overlay.why = QCoreApplication::translate("views", "The model has no pipeline stages.");
        }
    }
    for (auto const &[layer, value] : overlay.values) overlay.most = std::max(overlay.most, value);
    return overlay;
}

QColor stageColor(int stage)
{
    // Tokens that differ in lightness and hue, ordered so that neighbours differ clearly.
    static constexpr std::array kColors{Token::Forward, Token::InternalExchange, Token::Compute,   Token::Backward,
                                        Token::Update,  Token::GlobalExchange,   Token::Recompute, Token::Code};
    return theme()[kColors[static_cast<std::size_t>(std::max(0, stage)) % kColors.size()]];
}

} // namespace tilewright::views
