#include "views/execution/pipeline_layout.h"
#include "views/common/words.h"
#include "views/wording/bubble_words.h"
#include "views/wording/labels.h"

#include "views/common/format.h"

#include <QCoreApplication>

#include <map>
#include <set>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Event types of pipeline lanes: passes, then bubbles.
enum PipelineType { Forward, Recompute, Backward, Update, Other, Bubble, PipelineTypes };

PipelineType typeOf(std::string const &pass)
{
    if (pass == "forward") return Forward;
    if (pass == "recompute") return Recompute;
    if (pass == "backward") return Backward;
    if (pass == "update") return Update;
    return Other;
}

/// Around the batch, weights are updated: no stage has a task there, and no IPU waits for one.
PipelineType gapType(std::string const &cause) { return cause == "update" ? Update : Bubble; }

QChar passLetter(PipelineType type)
{
    static constexpr char letters[] = {'F', 'R', 'B', 'U', '?'};
    return QLatin1Char(letters[type]);
}

/// Fills `row` with tasks (in order), then with bubbles in the free time.
void fill(PipelineRow &row, report::ReportData const &data, std::vector<int> const &tasks, std::vector<int> const &bubbles)
{
    std::vector<PipelineBox> boxes;
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    for (int const task : tasks) {
        auto const &source = data.stageTasks[at(task)];
        std::int64_t const begin = std::max(source.startCycle, end);
        if (source.endCycle <= begin) continue;
        boxes.push_back({begin, source.endCycle, false, task, -1});
        end = source.endCycle;
    }
    std::size_t const count = boxes.size();
    std::int64_t filled = std::numeric_limits<std::int64_t>::min(); // end of the bubbles so far
    for (int const gap : bubbles) {
        auto const &source = data.bubbles[at(gap)];
        std::int64_t begin = std::max(source.startCycle, filled);
        filled = std::max(filled, source.endCycle);
        auto it = std::partition_point(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(count),
                                       [&](PipelineBox const &box) { return box.end <= begin; });
        for (; begin < source.endCycle; ++it) {
            bool const last = it == boxes.begin() + static_cast<std::ptrdiff_t>(count);
            std::int64_t const until = last ? source.endCycle : std::min(source.endCycle, it->begin);
            std::int64_t const next = last ? source.endCycle : it->end;
            auto const index = it - boxes.begin();
            if (until > begin) boxes.push_back({begin, until, true, -1, gap});
            it = boxes.begin() + index;
            begin = std::max(begin, next);
            if (last) break;
        }
    }
    std::ranges::sort(boxes, {}, &PipelineBox::begin);
    row.boxes = std::move(boxes);
}

} // namespace

std::vector<PipelineRow> pipelineRows(report::ReportData const &data, int pattern, PipelineRows rows)
{
    std::map<std::pair<int, int>, std::vector<int>> tasks; // by (IPU, -1) or (stage, IPU): the order of rows
    std::map<int, std::vector<int>> bubbles;
    for (int task = 0; task < static_cast<int>(data.stageTasks.size()); ++task) {
        auto const &row = data.stageTasks[at(task)];
        if (row.pattern == pattern)
            tasks[rows == PipelineRows::Ipus ? std::pair(row.ipu, -1) : std::pair(row.stage, row.ipu)].push_back(task);
    }
    for (int bubble = 0; bubble < static_cast<int>(data.bubbles.size()); ++bubble)
        if (data.bubbles[at(bubble)].pattern == pattern) bubbles[data.bubbles[at(bubble)].ipu].push_back(bubble);
    for (auto &[ipu, list] : bubbles) std::ranges::stable_sort(list, {}, [&](int bubble) { return data.bubbles[at(bubble)].startCycle; });
    std::vector<PipelineRow> result;
    for (auto &[key, list] : tasks) {
        PipelineRow row;
        row.ipu = rows == PipelineRows::Ipus ? key.first : key.second;
        row.stage = rows == PipelineRows::Ipus ? -1 : key.first;
        std::ranges::stable_sort(list, {}, [&](int task) { return data.stageTasks[at(task)].startCycle; });
        fill(row, data, list, bubbles[row.ipu]);
        result.push_back(std::move(row));
    }
    return result;
}

QString pipelineHeadline(report::BubbleShares const &shares, std::int64_t steps)
{
    if (shares.stages == 0) return {};
    QStringList parts{QCoreApplication::translate("views", "%n stages", nullptr, shares.stages)};
    if (steps > 1) parts << Words::tr("weight update of %1 steps").arg(countText(steps));
    parts << bubbleText(shares);
    if (shares.outside > 0.0005) parts << Words::tr("%1 of the update outside the pipeline").arg(shareText(shares.outside));
    parts << Words::tr("modelled");
    return parts.join(QStringLiteral(" · "));
}

QChar causeLetter(std::string const &cause)
{
    if (cause == "ramp_up") return QLatin1Char('u');
    if (cause == "ramp_down") return QLatin1Char('d');
    if (cause == "imbalance") return QLatin1Char('i');
    if (cause == "schedule") return QLatin1Char('s');
    if (cause == "transfer") return QLatin1Char('t');
    if (cause == "host") return QLatin1Char('h');
    if (cause == "update") return QLatin1Char('w');
    return QLatin1Char('?');
}

QList<ColorKey> pipelineKeys(report::ReportData const &data, LaneSet const &set)
{
    std::vector<std::int64_t> counts(PipelineTypes, 0);
    bool marked = false;
    for (auto const &lane : set.lanes) {
        marked = marked || lane.marks;
        if (!lane.events) continue;
        auto const ofLane = lane.events->countByType();
        for (std::size_t type = 0; type < std::min(ofLane.size(), counts.size()); ++type) counts[type] += ofLane[type];
    }
    QList<ColorKey> keys;
    for (auto const &[type, pass] : {std::pair{Forward, "forward"}, {Recompute, "recompute"}, {Backward, "backward"}})
        if (counts[type] > 0) keys << ColorKey{set.style(type).token, QStringLiteral("%1 (%2)").arg(passLabel(pass)).arg(passLetter(type))};
    if (counts[Update] > 0)
        keys << ColorKey{set.style(Update).token, QStringLiteral("%1 (%2)").arg(Words::tr("Weight update")).arg(causeLetter("update"))};
    if (counts[Other] > 0) keys << ColorKey{set.style(Other).token, passLabel("other")};
    if (counts[Bubble] > 0) {
        QStringList causes;
        for (auto const *cause : {"ramp_up", "ramp_down", "imbalance", "schedule", "transfer", "host"})
            if (std::ranges::any_of(data.bubbles, [&](report::BubbleRow const &row) { return row.cause == cause; }))
                causes << QStringLiteral("%1 %2").arg(causeLetter(cause)).arg(causeWord(cause));
        QString const name = Words::tr("Bubble (no task)");
        keys << ColorKey{Token::Idle, causes.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, causes.join(QStringLiteral(", "))),
                         KeyLook::Hatched};
    }
    if (marked) keys << ColorKey{Token::Text, Words::tr("Critical path"), KeyLook::Top};
    if (set.gridLines) keys << ColorKey{Token::SecondaryText, Words::tr("Begin of a slot"), KeyLook::Dashed};
    return keys;
}

QString causeText(std::string const &cause)
{
    if (cause == "ramp_up") return Words::tr("ramp up: the first micro-batch has not arrived yet");
    if (cause == "ramp_down") return Words::tr("ramp down: the last micro-batch has passed");
    if (cause == "imbalance") return Words::tr("imbalance: another stage of the slot takes longer");
    if (cause == "schedule") return Words::tr("schedule: one stage works at a time");
    if (cause == "transfer") return Words::tr("transfer between IPUs");
    if (cause == "host") return Words::tr("waiting for the host");
    if (cause == "update") return Words::tr("weight update");
    return QString::fromStdString(cause);
}

QString taskLabel(report::StageTaskRow const &task) { return passLetter(typeOf(task.pass)) + QString::number(task.microBatch); }

QString taskTip(report::ReportData const &data, report::StageTaskRow const &task, TimeScale const &scale)
{
    QString const stage = task.stage >= 0 && task.stage < static_cast<int>(data.stages.size())
        ? QString::fromStdString(data.stages[at(task.stage)].name)
        : QString();
    return Words::tr("Micro-batch %1, %2 of stage %3 %4").arg(task.microBatch).arg(passLabel(task.pass)).arg(task.stage).arg(stage)
        + QLatin1Char('\n') + Words::tr("IPU %1, slot %2").arg(task.ipu).arg(task.slot) + QLatin1Char('\n')
        + durationText(task.endCycle - task.startCycle, scale) + QLatin1Char('\n')
        + (task.slack == 0 ? Words::tr("no slack: it sets the length of its slot") : Words::tr("slack %1").arg(cyclesText(task.slack)));
}

QString bubbleTip(report::BubbleRow const &bubble, TimeScale const &scale)
{
    if (gapType(bubble.cause) == Update)
        return Words::tr("Weight update") + QLatin1Char('\n') + durationText(bubble.endCycle - bubble.startCycle, scale);
    QString text = Words::tr("Bubble (%1): %2").arg(causeLetter(bubble.cause)).arg(causeText(bubble.cause)) + QLatin1Char('\n')
        + durationText(bubble.endCycle - bubble.startCycle, scale);
    if (bubble.waitingFor >= 0) text += QLatin1Char('\n') + Words::tr("waiting for IPU %1").arg(bubble.waitingFor);
    return text;
}

namespace {

std::set<int> stagesOn(report::ReportData const &data, int ipu)
{
    std::set<int> stages;
    for (auto const &task : data.stageTasks)
        if (task.ipu == ipu) stages.insert(task.stage);
    return stages;
}

/// "Stage 0", "Stage 0, Stage 3".
QString stageNames(report::ReportData const &data, std::set<int> const &stages)
{
    QStringList names;
    for (int const stage : stages) {
        bool const named = stage >= 0 && stage < static_cast<int>(data.stages.size()) && !data.stages[at(stage)].name.empty();
        names << (named ? QString::fromStdString(data.stages[at(stage)].name) : Words::tr("Stage %1").arg(stage));
    }
    return names.join(QStringLiteral(", "));
}

} // namespace

ExecutionLanes pipelineLanes(Blocks const &blocks, RunPlaces const &run, PipelineRows rows)
{
    auto const &data = blocks->report->data();
    ExecutionLanes lanes;
    auto const style = [](QString const &name, Token token) { return EventStyle{name, token, false, false}; };
    lanes.set.styles = {style(Words::tr("forward"), Token::Forward),   style(Words::tr("recompute"), Token::Recompute),
                        style(Words::tr("backward"), Token::Backward), style(Words::tr("update"), Token::Update),
                        style(Words::tr("other"), Token::Control),     {Words::tr("bubble"), Token::Idle, false, true}};
    std::vector<LanePhase> phases(PipelineTypes, LanePhase::Other);
    phases[Bubble] = LanePhase::Idle;
    auto const ipuRows = ipuLanes(data);
    // Blocks by pattern and row. Rows of all patterns are ordered by (IPU, stage).
    std::map<std::pair<int, int>, BlockMap> blocksOf;
    auto boxes = std::make_shared<std::map<LaneLod const *, std::vector<PipelineBox>>>();
    std::set<int> patterns;
    for (auto const &place : run.places) patterns.insert(place.pattern);
    std::vector<std::pair<int, int>> order;
    for (int const pattern : patterns)
        for (auto const &row : pipelineRows(data, pattern, rows)) {
            OwnedEvents columns;
            for (auto const &box : row.boxes)
                columns.add(box.begin, box.end - box.begin,
                            box.bubble ? gapType(data.bubbles[at(box.gap)].cause) : typeOf(data.stageTasks[at(box.task)].pass));
            auto const block = OwnedEvents::block(std::move(columns), phases);
            (*boxes)[block.get()] = row.boxes;
            std::pair const key(row.ipu, row.stage);
            if (!blocksOf.contains(key)) order.push_back(key);
            blocksOf[key][{pattern, 0}] = block;
        }
    for (auto const &key : order) {
        auto const &[ipu, stage] = key;
        Lane lane;
        // By its stages and its IPU, whichever the row is of.
        QString const ipuName = Words::tr("IPU %1").arg(ipu), names = stageNames(data, stage < 0 ? stagesOn(data, ipu) : std::set{stage});
        lane.name = names.isEmpty() ? ipuName : (stage < 0 ? QStringLiteral("%1 · %2") : QStringLiteral("%2 · %1")).arg(ipuName, names);
        lane.tip = lane.name;
        lane.events = placed(blocksOf[key], 0, run);
        auto const row = std::ranges::find_if(ipuRows, [&, number = ipu](int r) { return data.lanes[at(r)].ipu == number; });
        if (row != ipuRows.end()) lane.marks = placed(blocks->criticals, *row, run);
        lane.height = 2 * kRowHeight;
        lanes.laneOf.push_back(row == ipuRows.end() ? -1 : *row);
        lanes.set.lanes.push_back(std::move(lane));
    }
    for (int const row : ipuRows)
        if (auto const events = placed(blocks->lanes, row, run)) lanes.overview.push_back(events);
    BlockMap starts;
    for (auto const &[pattern, block] : blocks->slotStarts) starts[{pattern, 0}] = block;
    lanes.set.gridLines = placed(starts, 0, run);
    std::vector<std::shared_ptr<LaneTimeline const>> timelines;
    for (auto const &lane : lanes.set.lanes) timelines.push_back(lane.events);
    auto const boxOf = [timelines, boxes](int lane, std::int64_t event) {
        return (*boxes).at(timelines[at(lane)]->blockOf(event))[at(timelines[at(lane)]->indexInBlock(event))];
    };
    lanes.set.label = [blocks, boxOf](int lane, std::int64_t event) {
        auto const box = boxOf(lane, event);
        auto const &all = blocks->report->data();
        return box.bubble ? QString(causeLetter(all.bubbles[at(box.gap)].cause)) : taskLabel(all.stageTasks[at(box.task)]);
    };
    lanes.set.letter = [label = lanes.set.label](int lane, std::int64_t event) { return label(lane, event).left(1); };
    lanes.set.tip = [blocks, boxOf, scale = run.scale](int lane, std::int64_t event) {
        auto const box = boxOf(lane, event);
        auto const &all = blocks->report->data();
        return box.bubble ? bubbleTip(all.bubbles[at(box.gap)], scale) : taskTip(all, all.stageTasks[at(box.task)], scale);
    };
    return lanes;
}

} // namespace tilewright::views
