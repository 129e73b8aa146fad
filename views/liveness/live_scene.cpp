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
    std::stable_sort(found.begin(), found.end(),
                     [&](int a, int b) { return curve[static_cast<std::size_t>(a)] > curve[static_cast<std::size_t>(b)]; });
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
    if (question.scope.kind != LiveScope::Stage)
        picture.capacity = d.target.bytesPerTile * (question.scope.kind == LiveScope::All ? report.tiles() : report.tilesPerIpu());

    auto scene = std::make_shared<ColumnScene>();
    scene->axis = stepAxis(report, cycles);
    scene->lanes = stepLanes(report);
    scene->limit = picture.capacity;
    for (auto const &band : picture.bands) scene->bands.push_back({band.key.name, band.key.token, band.key.shade, band.bytes, true});
    picture.scene = std::move(scene);
    return picture;
}

std::shared_ptr<ColumnScene const> sceneOfSteps(ColumnScene const &all, std::vector<int> const &steps)
{
    auto scene = std::make_shared<ColumnScene>();
    scene->limit = all.limit;
    scene->signedValues = all.signedValues;
    for (auto const &band : all.bands) {
        auto some = band;
        some.values.clear();
        for (int const step : steps)
            some.values.push_back(static_cast<std::size_t>(step) < band.values.size() ? band.values[static_cast<std::size_t>(step)] : 0);
        scene->bands.push_back(std::move(some));
    }
    scene->axis.count = static_cast<int>(steps.size());
    if (!all.axis.edges.empty()) {
        double at = 0;
        scene->axis.edges.push_back(at);
        for (int const step : steps) scene->axis.edges.push_back(at += all.axis.edge(step + 1) - all.axis.edge(step));
        if (scene->axis.length() <= 0) scene->axis.edges.clear(); // without cycles: steps side by side
    }
    for (auto const &lane : all.lanes) {
        std::vector<ColumnSpan> some;
        auto span = lane.begin();
        for (int position = 0; position < static_cast<int>(steps.size()); ++position) {
            while (span != lane.end() && span->last < steps[static_cast<std::size_t>(position)]) ++span;
            if (span == lane.end()) break;
            bool const goesOn =
                !some.empty() && some.back().last + 1 == position && some.back().token == span->token && some.back().text == span->text;
            if (goesOn) some.back().last = position;
            else some.push_back({position, position, span->token, span->text});
        }
        scene->lanes.push_back(std::move(some));
    }
    return scene;
}

PositionAxis axisOfSteps(PositionAxis const &all, std::vector<int> const &steps)
{
    PositionAxis axis;
    axis.count = all.count;
    double at = 0;
    axis.edges.push_back(at);
    double length = 0;
    for (int const step : steps) length += all.edge(step + 1) - all.edge(step);
    auto next = steps.begin();
    for (int step = 0; step < all.count; ++step) {
        bool const here = next != steps.end() && *next == step;
        if (here) {
            ++next;
            at += length > 0 ? all.edge(step + 1) - all.edge(step) : 1;
        }
        axis.edges.push_back(at);
    }
    return axis;
}

QString withoutText(LivePicture const &picture)
{
    if (picture.question.without.empty()) return {};
    auto const saved = picture.fullPeak - picture.peak;
    return QCoreApplication::translate("views",
                                       "Without %1 variables the peak is %2 at liveness step %3, %4 lower. A guess from lifetimes: another "
                                       "placement or recomputation may need more.")
        .arg(picture.question.without.size())
        .arg(bytesText(picture.peak))
        .arg(picture.peakStep)
        .arg(bytesText(saved));
}

} // namespace tilewright::views
