#include "views/compile/compile_picture.h"

#include "engine/report/message_keys.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/stored_text.h"
#include "views/figures/tile_memory.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"
#include "views/wording/labels.h"
#include "views/wording/tile_memory_text.h"

namespace tilewright::views {

namespace {

/// Passes belong to this phase (engine/runtime/run_report.cpp writes them so).
constexpr char kPassPhase[] = "Graph optimisations";

std::int64_t figureOr(ReportSnapshot const &report, char const *name)
{
    auto const value = report.figure(name);
    return value ? static_cast<std::int64_t>(*value) : -1;
}

} // namespace

CompilePicture pictureOf(CompileInfo const &info)
{
    CompilePicture picture;
    picture.exists = info.done;
    picture.cache = info.cache;
    picture.cacheReason = info.cacheReason;
    picture.seconds = info.seconds;
    picture.fits = info.fits;
    picture.emulated = info.emulated;
    if (info.outOfMemory) {
        picture.outOfMemory = diagnosticLine(*info.outOfMemory);
        picture.fits = false;
    }
    double at = 0;
    for (auto const &phase : info.phases) {
        int const parent = static_cast<int>(picture.steps.size());
        picture.steps.push_back({phase.name, at, phase.seconds});
        if (phase.name == QLatin1String(kPassPhase)) {
            double inside = at;
            for (auto const &pass : info.passes) {
                picture.steps.push_back({pass.name, inside, pass.seconds, parent, pass.before, pass.after});
                inside += pass.seconds;
            }
        }
        at += phase.seconds;
    }
    for (auto const &ipu : info.ipus)
        if (ipu.worstTileBytes > picture.worst.placed)
            picture.worst = {ipu.worstTile, std::nullopt,   ipu.worstTileBytes,
                             std::nullopt,  ipu.limitBytes, ipu.worstTileBytes <= ipu.limitBytes};
    picture.vertices = info.vertices;
    picture.exchanges = info.exchanges;
    picture.hostBytes = info.hostBytes;
    picture.cyclesPerStep = info.cyclesPerStep;
    return picture;
}

CompilePicture pictureOf(ReportSnapshot const &report)
{
    CompilePicture picture;
    auto const &data = report.data();
    picture.fromReport = true;
    picture.exists = !data.compilePasses.empty() || !data.verdicts.empty();
    for (auto const &pass : data.compilePasses) {
        bool const ended = pass.endNs >= pass.startNs;
        double const start = static_cast<double>(pass.startNs) * 1e-9;
        double const end = static_cast<double>(ended ? pass.endNs : pass.startNs) * 1e-9;
        picture.steps.push_back(
            {QString::fromStdString(pass.name), start, end - start, pass.parent, pass.itemsBefore, pass.itemsAfter, ended});
        picture.seconds = std::max(picture.seconds, end);
        if (!pass.cache.empty()) {
            picture.cache = QString::fromStdString(pass.cache);
            auto const message = data.meta.find(std::string(report::kCacheMessage));
            picture.cacheReason = storedText(pass.cacheReason, message == data.meta.end() ? std::string() : message->second);
        }
    }
    if (auto const it = data.meta.find("time_compile_ms"); it != data.meta.end())
        picture.seconds = QString::fromStdString(it->second).toDouble() / 1000;
    if (auto const worst = worstTileMemory(report)) {
        picture.worst = *worst;
        picture.fits = worst->fits;
        if (!picture.fits)
            picture.outOfMemory = Words::tr("%1: %2 placed, the limit is %3.")
                                      .arg(tileLabel(data, worst->tile), bytesText(worst->placed), bytesText(worst->limit));
    }
    picture.vertices = figureOr(report, "vertices");
    picture.exchanges = figureOr(report, "exchanges");
    picture.hostBytes = figureOr(report, "host_compile_bytes");
    picture.cyclesPerStep = report.figure("cycles_per_step").value_or(0);
    return picture;
}

QString compileHeadline(CompilePicture const &picture)
{
    if (!picture.exists) return {};
    QStringList parts;
    bool const known = picture.worst.limit > 0;
    if (!picture.fits) parts.append(known ? Words::tr("does not fit: %1").arg(worstTileText(picture.worst)) : Words::tr("does not fit"));
    parts.append(picture.cache == QLatin1String("hit") ? Words::tr("loaded from the cache in %1").arg(secondsText(picture.seconds))
                                                       : Words::tr("compiled in %1").arg(secondsText(picture.seconds)));
    if (!picture.emulated) parts.append(Words::tr("for the host, no tiles"));
    else if (picture.fits && known) parts.append(Words::tr("fits: %1").arg(worstTileText(picture.worst)));
    return parts.join(QStringLiteral(" · "));
}

QString cacheSentence(CompilePicture const &picture)
{
    if (picture.cache == QLatin1String("hit")) return Words::tr("Cache: hit, nothing had to be compiled.");
    if (picture.cache == QLatin1String("miss"))
        return picture.cacheReason.isEmpty() ? Words::tr("Cache: miss, compiled again.")
                                             : Words::tr("Cache: miss, compiled again: %1.").arg(picture.cacheReason);
    if (picture.cache == QLatin1String("off")) return Words::tr("Cache: off.");
    return {};
}

QStringList compileFacts(CompilePicture const &picture)
{
    QStringList facts;
    if (QString const cache = cacheSentence(picture); !cache.isEmpty()) facts.append(cache);
    if (picture.vertices >= 0)
        facts.append(Words::tr("%1 vertex(es)", nullptr, pluralOf(picture.vertices)).arg(countText(picture.vertices)));
    if (picture.exchanges >= 0)
        facts.append(Words::tr("%1 exchange(s)", nullptr, pluralOf(picture.exchanges)).arg(countText(picture.exchanges)));
    if (picture.worst.limit > 0) facts.append(Words::tr("Worst tile %1: %2").arg(countText(picture.worst.tile), placedText(picture.worst)));
    if (picture.cyclesPerStep > 0)
        facts.append(Words::tr("%1 per step, modelled").arg(cyclesText(static_cast<std::int64_t>(picture.cyclesPerStep))));
    if (picture.hostBytes >= 0) facts.append(Words::tr("At most %1 of this computer's memory").arg(bytesText(picture.hostBytes)));
    return facts;
}

} // namespace tilewright::views
