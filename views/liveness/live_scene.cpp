#include "views/liveness/live_scene.h"

#include "views/common/format.h"
#include "views/liveness/live_steps.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilewright::views {

namespace {
constexpr int kPeaks = 16;
}

std::vector<int> localMaxima(std::vector<std::int64_t> const &curve, int most)
{
    std::vector<int> found;
    for (std::size_t s = 0; s < curve.size();) {
        std::size_t end = s + 1;
        while (end < curve.size() && curve[end] == curve[s]) ++end;
        if ((s == 0 || curve[s - 1] < curve[s]) && (end == curve.size() || curve[end] < curve[s])) found.push_back(static_cast<int>(s));
        s = end;
    }
    std::stable_sort(found.begin(), found.end(), [&](int a, int b) { return curve[static_cast<std::size_t>(a)] > curve[static_cast<std::size_t>(b)]; });
    if (static_cast<int>(found.size()) > most) found.resize(static_cast<std::size_t>(most));
    return found;
}

LivePicture livePicture(ReportSnapshot const &report, TileContents const &contents, LiveQuestion const &question, bool cycles)
{
    LivePicture picture;
    picture.question = question;
    picture.bands = liveBands(report, contents, question);
    auto const &d = report.data();
    auto const curve = curveOf(picture.bands, contents.lives.steps());
    if (!curve.empty()) {
        auto const top = std::max_element(curve.begin(), curve.end());
        picture.peakStep = static_cast<int>(top - curve.begin());
        picture.peak = *top;
    }
    picture.fullPeak = report.liveCurve(scopeName(question.scope), question.scope.id)->peak;
    if (question.without.empty()) {
        for (auto const &row : d.livePeaks)
            if (row.scope == scopeName(question.scope) && row.scopeId == question.scope.id) picture.peaks.push_back(row.step);
    }
    if (picture.peaks.empty()) picture.peaks = localMaxima(curve, kPeaks);
    if (question.scope.kind != LiveScope::Stage) picture.capacity = d.target.bytesPerTile * (question.scope.kind == LiveScope::All ? report.tiles() : report.tilesPerIpu());

    auto scene = std::make_shared<ColumnScene>();
    scene->axis = stepAxis(report, cycles);
    scene->lanes = stepLanes(report);
    scene->limit = picture.capacity;
    for (auto const &band : picture.bands) scene->bands.push_back({band.key.name, band.key.token, band.key.shade, false, band.bytes, true});
    picture.scene = std::move(scene);
    return picture;
}

QString withoutText(LivePicture const &picture)
{
    if (picture.question.without.empty()) return {};
    auto const saved = picture.fullPeak - picture.peak;
    return QCoreApplication::translate("views", "Without %1 variables the peak is %2 at liveness step %3, %4 lower. A guess from lifetimes: another placement or recomputation may need more.")
        .arg(picture.question.without.size()).arg(bytesText(picture.peak)).arg(picture.peakStep).arg(bytesText(saved));
}

} // namespace tilewright::views
