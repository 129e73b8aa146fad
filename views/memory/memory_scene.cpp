#include "views/memory/memory_scene.h"

#include "views/reports/report_snapshot.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>

namespace tilewright::views {

namespace {

constexpr std::size_t kMostVariables = 12; ///< bands of chosen variables

QString words(char const *text) { return QCoreApplication::translate("views", text); }

std::vector<MemoryPart> variableParts(ReportSnapshot const &report, std::vector<int> const &variables, QString &note)
{
    static constexpr std::array kColors{Token::Weights, Token::Activations, Token::Gradients,
                                        Token::Code,    Token::Buffers,     Token::VertexState};
    std::vector<MemoryPart> parts;
    for (int const id : variables) {
        if (id < 0 || id >= static_cast<int>(report.data().variables.size())) continue;
        if (parts.size() == kMostVariables) {
            note = words(QT_TRANSLATE_NOOP("views", "The first %1 of %2 variables are shown.")).arg(kMostVariables).arg(variables.size());
            break;
        }
        auto const &row = report.data().variables[static_cast<std::size_t>(id)];
        auto const i = parts.size();
        parts.push_back({{QString::fromStdString(row.name), kColors[i % kColors.size()], static_cast<int>(i / kColors.size())},
                         report.tileVec(row.bytesVec)});
    }
    if (parts.empty())
        note = words(QT_TRANSLATE_NOOP("views", "No variable is chosen. Choose some in the table of variables or in another view."));
    return parts;
}

/// Bytes of the newest run by tile of replica 0.
std::vector<MemoryPart> trafficParts(ReportSnapshot const &report, MemoryShow show, QString &note)
{
    auto const &runs = report.data().runs;
    bool const sent = show == MemoryShow::Sent;
    auto values = runs.empty() ? std::vector<std::int64_t>{}
                               : report.runTileMetric(static_cast<int>(runs.size()) - 1, sent ? "bytes_sent" : "bytes_received");
    if (values.empty()) {
        note = words(QT_TRANSLATE_NOOP("views", "This report holds no run, so there is no traffic to show."));
        return {};
    }
    values.resize(static_cast<std::size_t>(report.tiles()), 0);
    return {{{sent ? words(QT_TRANSLATE_NOOP("views", "sent")) : words(QT_TRANSLATE_NOOP("views", "received")), Token::InternalExchange, 0},
             std::move(values)}};
}

/// Bytes of all these variables on each tile. Variables that share addresses at different times all count.
std::vector<std::int64_t> bytesOfVariables(ReportSnapshot const &report, std::vector<int> const &variables)
{
    std::vector<std::int64_t> sum(static_cast<std::size_t>(report.tiles()), 0);
    for (int const id : variables) {
        if (id < 0 || id >= static_cast<int>(report.data().variables.size())) continue;
        auto const &bytes = report.tileVec(report.data().variables[static_cast<std::size_t>(id)].bytesVec);
        for (std::size_t t = 0; t < std::min(sum.size(), bytes.size()); ++t) sum[t] += bytes[t];
    }
    return sum;
}

QString titleOf(MemoryRequest const &request)
{
    switch (request.options.show) {
    case MemoryShow::Whole:
        return request.options.gaps ? words(QT_TRANSLATE_NOOP("views", "bytes placed on each tile, gaps included (modelled)"))
                                    : words(QT_TRANSLATE_NOOP("views", "bytes used on each tile, without gaps (modelled)"));
    case MemoryShow::AtStep:
        return words(QT_TRANSLATE_NOOP("views", "bytes live on each tile at liveness step %1 (modelled)")).arg(request.step);
    case MemoryShow::Variables: return words(QT_TRANSLATE_NOOP("views", "bytes of the chosen variables on each tile (modelled)"));
    case MemoryShow::Received: return words(QT_TRANSLATE_NOOP("views", "bytes each tile received in the run (modelled)"));
    case MemoryShow::Sent: return words(QT_TRANSLATE_NOOP("views", "bytes each tile sent in the run (modelled)"));
    }
    return {};
}

} // namespace

MemoryPicture memoryPicture(MemoryRequest const &request)
{
    MemoryPicture picture;
    auto const &report = *request.report;
    auto const &options = request.options;
    int const tiles = report.tiles();
    picture.title = titleOf(request);
    bool const memory = options.show == MemoryShow::Whole || options.show == MemoryShow::AtStep;
    Bytes const limit = memory ? report.data().target.bytesPerTile : 0;

    std::vector<MemoryPart> parts;
    bool signedValues = false;
    if (options.compare && request.baseline) {
        auto difference = memoryDifference(report, *request.baseline, options.gaps ? "with_gaps" : "without_gaps");
        picture.note = difference.note;
        picture.title = words(QT_TRANSLATE_NOOP("views", "bytes of each tile, now minus before (modelled)"));
        if (difference.comparable)
            parts = {{{words(QT_TRANSLATE_NOOP("views", "difference")), Token::Weights, 0}, std::move(difference.bytes)}};
        signedValues = true;
    } else switch (options.show) {
        case MemoryShow::Whole: parts = wholeProgramParts(report, *request.contents, options.by, options.gaps); break;
        case MemoryShow::AtStep: parts = partsAtStep(report, *request.contents, options.by, request.step); break;
        case MemoryShow::Variables: parts = variableParts(report, request.variables, picture.note); break;
        case MemoryShow::Received:
        case MemoryShow::Sent: parts = trafficParts(report, options.show, picture.note); break;
        }
    picture.values = sumOf(parts, tiles);
    picture.scale = scaleFor(signedValues                                                 ? ScaleKind::Diverging
                                 : options.scale == ScaleKind::ShareOfLimit && limit == 0 ? ScaleKind::Linear
                                                                                          : options.scale,
                             picture.values, signedValues ? 0 : limit);
    picture.order = orderedTiles(report, options.order, picture.values, options.ipu);
    picture.axisTitle = options.order == TileOrder::Sorted ? words(QT_TRANSLATE_NOOP("views", "tiles, the largest first"))
        : options.order == TileOrder::Physical             ? words(QT_TRANSLATE_NOOP("views", "tiles by their place on the die"))
                                                           : words(QT_TRANSLATE_NOOP("views", "tile"));
    picture.positionOf.assign(static_cast<std::size_t>(tiles), -1);
    for (std::size_t i = 0; i < picture.order.size(); ++i)
        picture.positionOf[static_cast<std::size_t>(picture.order[i])] = static_cast<int>(i);

    auto scene = std::make_shared<ColumnScene>();
    scene->axis.count = static_cast<int>(picture.order.size());
    scene->limit = signedValues ? 0 : limit;
    scene->signedValues = signedValues;
    for (auto const &part : parts) {
        ColumnBand band{part.key.name, part.key.token, part.key.shade, {}, true};
        band.values.reserve(picture.order.size());
        for (int const tile : picture.order)
            band.values.push_back(static_cast<std::size_t>(tile) < part.bytes.size() ? part.bytes[static_cast<std::size_t>(tile)] : 0);
        scene->bands.push_back(std::move(band));
    }
    int const per = std::max(1, report.tilesPerIpu());
    if (options.order != TileOrder::Sorted)
        for (std::size_t i = 1; i < picture.order.size(); ++i)
            if (picture.order[i] / per != picture.order[i - 1] / per) scene->dividers.push_back(static_cast<int>(i));
    picture.scene = std::move(scene);
    picture.map = {words(QT_TRANSLATE_NOOP("views", "Floor plan: %1")).arg(picture.title), picture.values, picture.scale, false};
    if (!request.selection.isEmpty() && options.show == MemoryShow::Whole && !signedValues) {
        auto bytes = bytesOfVariables(report, request.variables);
        auto const holding = std::count_if(bytes.begin(), bytes.end(), [](auto b) { return b > 0; });
        if (holding > 0) {
            auto const scale = scaleFor(ScaleKind::Linear, bytes, 0);
            picture.map = {words(QT_TRANSLATE_NOOP("views", "Floor plan: bytes of %1 by tile, on %2 of %3 tiles (modelled)"))
                               .arg(request.selection, QLocale().toString(static_cast<qlonglong>(holding)), QLocale().toString(tiles)),
                           std::move(bytes), scale, true};
        }
    }
    return picture;
}

} // namespace tilewright::views
