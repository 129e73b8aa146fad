#include "views/canvas/canvas_headline.h"

#include "views/advice/fit_watch.h"
#include "views/common/format.h"
#include "views/diagnostics/diagnostic_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

/// The words of a sentence that fit in `most` letters, without a bracket that is left open.
QString cutAtWord(QString const &sentence, qsizetype most)
{
    QString cut = sentence.left(most);
    if (auto const space = cut.lastIndexOf(QLatin1Char(' ')); space > 0) cut.truncate(space);
    for (auto const &[open, close] : {std::pair('[', ']'), std::pair('(', ')')})
        if (auto const at = cut.lastIndexOf(QLatin1Char(open)); at > 0 && cut.indexOf(QLatin1Char(close), at) < 0) cut.truncate(at);
    cut = cut.trimmed();
    while (cut.endsWith(QLatin1Char(',')) || cut.endsWith(QLatin1Char(':'))) cut.chop(1);
    return cut + QStringLiteral(" …");
}

} // namespace

QString canvasHeadline(ModelGraph const &graph, FitWatch const &fit, std::span<Diagnostic const> problems, int ipusOfMachine)
{
    auto const text = [](char const *source) { return QCoreApplication::translate("views", source); };
    if (graph.layers.empty()) return text(QT_TRANSLATE_NOOP("views", "The model has no layers yet"));
    QStringList parts;
    auto const errors = std::count_if(problems.begin(), problems.end(), [](Diagnostic const &d) { return d.severity == Severity::Error; });
    if (errors > 0) {
        auto const &first =
            *std::find_if(problems.begin(), problems.end(), [](Diagnostic const &d) { return d.severity == Severity::Error; });
        // Short form, to leave room for the drawing. The full message is at the layer and in the list of problems.
        constexpr qsizetype kMostLetters = 130;
        QString what = diagnosticText(first).message;
        if (graph.row(first.subject) >= 0) what.prepend(QString::fromStdString(first.subject) + QStringLiteral(": "));
        if (what.size() > kMostLetters) what = cutAtWord(what, kMostLetters);
        int const count = static_cast<int>(errors);
        parts << QCoreApplication::translate("views", "%n error(s): %1", nullptr, count).arg(what);
    }
    // Layers after a broken one have no shape, and so no number of parameters.
    bool const counted = std::ranges::none_of(graph.layers, [](LayerInfo const &layer) { return layer.shape.empty(); });
    if (errors == 0 || counted) parts << QCoreApplication::translate("views", "%1 parameters").arg(countText(graph.parameters));
    int const worst = fit.worst();
    if (worst >= 0 && (errors == 0 || fit.source() != FitSource::Estimate)) {
        QString const share = shareText(fit.ipus()[static_cast<std::size_t>(worst)].placed);
        if (fit.source() == FitSource::Estimate)
            parts << (fit.fits() ? QCoreApplication::translate("views", "will fit: worst tile %1, estimated").arg(share)
                                 : QCoreApplication::translate("views", "will not fit: worst tile %1, estimated").arg(share));
        else
            parts << (fit.fits() ? QCoreApplication::translate("views", "fits: worst tile %1").arg(share)
                                 : QCoreApplication::translate("views", "does not fit: worst tile %1").arg(share));
    }
    if (errors > 0) return parts.join(QStringLiteral(" · ")); // errors first
    int const ipus = ipusOfMachine == 0 || fit.ipus().empty() ? ipusOfMachine : static_cast<int>(fit.ipus().size());
    if (ipus > 0) parts << QCoreApplication::translate("views", "%n IPU(s)", nullptr, ipus);
    else parts << text(QT_TRANSLATE_NOOP("views", "on the host, nothing emulated"));
    if (graph.stages > 1) parts << QCoreApplication::translate("views", "%n stage(s)", nullptr, graph.stages);
    return parts.join(QStringLiteral(" · "));
}

} // namespace tilewright::views
