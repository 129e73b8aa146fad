#include "views/liveness/live_steps.h"

#include "engine/report/quantities.h"
#include "views/common/table_model.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace tilewright::views {

using namespace report;

namespace {

QString words(char const *text) { return QCoreApplication::translate("views", text); }

QString kindText(std::string_view kind)
{
    if (kind == "execute") return words(QT_TRANSLATE_NOOP("views", "compute"));
    if (kind == "exchange") return words(QT_TRANSLATE_NOOP("views", "exchange on the IPU"));
    if (kind == "global_exchange") return words(QT_TRANSLATE_NOOP("views", "exchange between IPUs"));
    if (kind.starts_with("stream")) return words(QT_TRANSLATE_NOOP("views", "host transfer"));
    if (kind.starts_with("sync")) return words(QT_TRANSLATE_NOOP("views", "sync"));
    if (kind == "collective") return words(QT_TRANSLATE_NOOP("views", "collective"));
    return QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
}

std::vector<Cycles> executionCycles(ReportSnapshot const &report)
{
    auto const &data = report.data();
    std::map<int, Cycles> longest; // available without reading the vectors
    for (std::size_t i = 0; i < data.exchanges.size(); ++i)
        longest[data.exchanges[i].cyclesVec] = report.exchangeCycles(static_cast<int>(i));
    return cyclesOfExecution(data, runFrame(data).run, [&](int vec) {
        auto const it = longest.find(vec);
        return it == longest.end() ? Cycles{-1} : it->second;
    });
}

/// Runs of equal values become one span each.
template <typename KeyOf, typename Make> std::vector<ColumnSpan> spansOf(std::size_t count, KeyOf keyOf, Make make)
{
    std::vector<ColumnSpan> spans;
    for (std::size_t i = 0; i < count;) {
        std::size_t end = i + 1;
        while (end < count && keyOf(end) == keyOf(i)) ++end;
        auto span = make(i);
        span.first = static_cast<int>(i);
        span.last = static_cast<int>(end) - 1;
        spans.push_back(std::move(span));
        i = end;
    }
    return spans;
}

} // namespace

QString passText(std::string_view pass)
{
    if (pass == "forward") return words(QT_TRANSLATE_NOOP("views", "forward"));
    if (pass == "recompute") return words(QT_TRANSLATE_NOOP("views", "recompute"));
    if (pass == "backward") return words(QT_TRANSLATE_NOOP("views", "backward"));
    if (pass == "update") return words(QT_TRANSLATE_NOOP("views", "update"));
    return {};
}

StepFacts stepFacts(ReportSnapshot const &report, int step)
{
    StepFacts facts;
    auto const &d = report.data();
    if (step < 0 || step >= static_cast<int>(d.livenessSteps.size())) return facts;
    auto const &row = d.livenessSteps[static_cast<std::size_t>(step)];
    facts.stage = row.stage;
    facts.pass = passText(row.pass);
    if (row.program < 0 || row.program >= static_cast<int>(d.programs.size())) return facts;
    auto const &program = d.programs[static_cast<std::size_t>(row.program)];
    facts.program = row.program;
    facts.op = program.op;
    facts.name = QString::fromStdString(program.name);
    facts.kind = kindText(program.kind);
    facts.layer = report.layerOf(program.op);
    facts.isCompute = program.computeSet >= 0 && program.computeSet < static_cast<int>(d.computeSets.size());
    if (facts.isCompute) facts.vertices = d.computeSets[static_cast<std::size_t>(program.computeSet)].vertices;
    facts.cycles = executionCycles(report)[static_cast<std::size_t>(row.program)];
    facts.brief = facts.layer.isEmpty() ? facts.name
        : facts.pass.isEmpty()          ? facts.layer
                                        : QStringLiteral("%1 %2").arg(facts.layer, facts.pass);
    return facts;
}

std::vector<std::int64_t> stepCycles(ReportSnapshot const &report)
{
    auto const byProgram = executionCycles(report);
    std::vector<std::int64_t> cycles;
    for (auto const &row : report.data().livenessSteps) {
        bool const known = row.program >= 0 && row.program < static_cast<int>(byProgram.size());
        cycles.push_back(known ? std::max<std::int64_t>(0, byProgram[static_cast<std::size_t>(row.program)]) : 0);
    }
    return cycles;
}

PositionAxis stepAxis(ReportSnapshot const &report, bool cycles)
{
    PositionAxis axis;
    axis.count = static_cast<int>(report.data().livenessSteps.size());
    if (!cycles) return axis;
    double at = 0;
    axis.edges.push_back(0);
    for (auto const length : stepCycles(report)) axis.edges.push_back(at += static_cast<double>(length));
    if (axis.length() <= 0) axis.edges.clear(); // without cycles: steps side by side
    return axis;
}

std::vector<std::vector<ColumnSpan>> stepLanes(ReportSnapshot const &report)
{
    auto const &steps = report.data().livenessSteps;
    std::vector<std::vector<ColumnSpan>> lanes;
    lanes.push_back(spansOf(
        steps.size(), [&](std::size_t i) { return steps[i].pass; },
        [&](std::size_t i) {
            return ColumnSpan{0, 0, passToken(steps[i].pass), passText(steps[i].pass)};
        }));
    if (!report.data().stages.empty())
        lanes.push_back(spansOf(
            steps.size(), [&](std::size_t i) { return steps[i].stage; },
            [&](std::size_t i) {
                bool const odd = steps[i].stage % 2 != 0;
                return steps[i].stage < 0 ? ColumnSpan{0, 0, Token::Idle, {}}
                                          : ColumnSpan{0, 0, odd ? Token::Sync : Token::Compute,
                                                       words(QT_TRANSLATE_NOOP("views", "stage %1")).arg(steps[i].stage)};
            }));
    return lanes;
}

std::vector<int> stepsNamed(ReportSnapshot const &report, QString const &filter, QString *error)
{
    auto const &d = report.data();
    enum Word { Name, Kind, Layer, Pass, Stage };
    QStringList const columns{words(QT_TRANSLATE_NOOP("views", "Name")), words(QT_TRANSLATE_NOOP("views", "Kind")),
                              words(QT_TRANSLATE_NOOP("views", "Layer")), words(QT_TRANSLATE_NOOP("views", "Pass")),
                              words(QT_TRANSLATE_NOOP("views", "Stage"))};
    auto const accepts = parseFilter(filter, columns, error);
    std::vector<int> found;
    if (!error->isEmpty()) return found;
    for (std::size_t s = 0; s < d.livenessSteps.size(); ++s) {
        auto const &row = d.livenessSteps[s];
        auto const *program = row.program >= 0 && row.program < static_cast<int>(d.programs.size())
            ? &d.programs[static_cast<std::size_t>(row.program)]
            : nullptr;
        auto const cell = [&](int column) -> QVariant {
            switch (column) {
            case Name: return program ? QString::fromStdString(program->name) : QString();
            case Kind: return program ? kindText(program->kind) : QString();
            case Layer: return program ? report.layerOf(program->op) : QString();
            case Pass: return passText(row.pass);
            case Stage: return row.stage >= 0 ? words(QT_TRANSLATE_NOOP("views", "stage %1")).arg(row.stage) : QString();
            default: return {};
            }
        };
        if (!accepts || accepts(cell)) found.push_back(static_cast<int>(s));
    }
    return found;
}

int nextPeak(std::vector<int> const &peakSteps, int step, bool backwards)
{
    if (peakSteps.empty()) return -1;
    std::vector<int> sorted = peakSteps;
    std::sort(sorted.begin(), sorted.end());
    if (backwards) {
        auto const before = std::lower_bound(sorted.begin(), sorted.end(), step);
        return before == sorted.begin() ? sorted.back() : *(before - 1);
    }
    auto const after = std::upper_bound(sorted.begin(), sorted.end(), step);
    return after == sorted.end() ? sorted.front() : *after;
}

} // namespace tilewright::views
