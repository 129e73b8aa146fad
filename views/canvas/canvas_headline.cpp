#include "views/canvas/canvas_headline.h"

#include "views/common/format.h"
#include "views/session/document.h"
#include "views/session/report_snapshot.h"
#include "views/session/run_controller.h"
#include "views/session/session.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

namespace tilewright::views {

namespace {

/// Every layer that computes something is in the report.
bool isOf(ReportSnapshot const &report, ModelGraph const &graph)
{
    std::set<std::string> known;
    for (auto const &op : report.data().ops)
        if (op.level == "keras") known.insert(op.name);
    return std::all_of(graph.layers.begin(), graph.layers.end(), [&](LayerInfo const &layer) { return layer.input || known.contains(layer.name); });
}

} // namespace

std::optional<CompiledFit> compiledFit(Session &session, ModelGraph const &graph)
{
    auto const report = session.report();
    if (report && report->isWhole() && !session.reportIsStale() && isOf(*report, graph)) {
        for (auto const &verdict : report->data().verdicts)
            if (verdict.scope == "all" && verdict.capacity > 0)
                return CompiledFit{verdict.fits, static_cast<double>(verdict.bytes) / static_cast<double>(verdict.capacity), verdict.worstTile,
                                   std::max(1, static_cast<int>(report->data().ipus.size()))};
    }
    auto const &compile = session.runs().live().compile;
    if (!session.runs().isActive() || !compile.done || compile.ipus.empty()) return {};
    CompiledFit fit{compile.fits, 0, 0, static_cast<int>(compile.ipus.size())};
    for (auto const &ipu : compile.ipus) {
        double const share = ipu.limitBytes > 0 ? static_cast<double>(ipu.worstTileBytes) / static_cast<double>(ipu.limitBytes) : 0;
        if (share <= fit.worstShare) continue;
        fit.worstShare = share;
        fit.worstTile = ipu.worstTile;
    }
    return fit;
}

QString canvasHeadline(ModelGraph const &graph, FitEstimate const &estimate, std::optional<CompiledFit> const &compiled, std::span<Diagnostic const> problems)
{
    auto const text = [](char const *source) { return QCoreApplication::translate("views", source); };
    if (graph.layers.empty()) return text(QT_TRANSLATE_NOOP("views", "The model has no layers yet"));
    QStringList parts;
    auto const errors = std::count_if(problems.begin(), problems.end(), [](Diagnostic const &d) { return d.severity == Severity::Error; });
    if (errors > 0) {
        auto const &first = *std::find_if(problems.begin(), problems.end(), [](Diagnostic const &d) { return d.severity == Severity::Error; });
        // The whole message is with the layer and in the list of problems: here it must leave room for the drawing.
        constexpr qsizetype kMostLetters = 72;
        QString what = QString::fromStdString(first.message);
        if (graph.row(first.subject) >= 0) what.prepend(QString::fromStdString(first.subject) + QStringLiteral(": "));
        if (what.size() > kMostLetters) what = what.left(kMostLetters).trimmed() + u'…';
        parts << QCoreApplication::translate("views", "%n error(s): %1", nullptr, static_cast<int>(errors)).arg(what);
    }
    parts << QCoreApplication::translate("views", "%1 parameters").arg(countText(graph.parameters));
    int ipus = std::max<int>(1, static_cast<int>(estimate.ipus.size()));
    if (compiled) {
        ipus = compiled->ipus;
        QString const share = shareText(compiled->worstShare);
        QString fit = compiled->fits ? QCoreApplication::translate("views", "compiled, fits: worst tile %1").arg(share)
                                     : QCoreApplication::translate("views", "compiled, does not fit: worst tile %1").arg(share);
        if (estimate.known) fit += QCoreApplication::translate("views", " (estimated %1)").arg(shareText(estimate.worstShare));
        parts << fit;
    } else if (estimate.known && errors == 0) {
        QString const share = shareText(estimate.worstShare);
        parts << (estimate.fits ? QCoreApplication::translate("views", "will fit: worst tile %1, estimated").arg(share)
                                : QCoreApplication::translate("views", "will not fit: worst tile %1, estimated").arg(share));
    }
    if (errors > 0) return parts.join(QStringLiteral(" · ")); // first things first
    parts << QCoreApplication::translate("views", "%n IPU(s)", nullptr, ipus);
    if (graph.stages > 1) parts << QCoreApplication::translate("views", "%n stage(s)", nullptr, graph.stages);
    return parts.join(QStringLiteral(" · "));
}

} // namespace tilewright::views
