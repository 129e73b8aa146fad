#include "views/session/selection.h"

#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilewright::views {

using namespace report;

namespace {

void set(std::vector<char> &flags, int id)
{
    if (id >= 0 && id < static_cast<int>(flags.size())) flags[static_cast<std::size_t>(id)] = 1;
}

template <typename F> void forEachSet(std::vector<char> const &flags, F f)
{
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i]) f(static_cast<int>(i));
}

/// Fills a Lineage step by step; every step only adds.
class Tracer {
public:
    explicit Tracer(ReportSnapshot const &report) : r(report), d(report.data())
    {
        out.ops.assign(d.ops.size(), 0);
        out.computeSets.assign(d.computeSets.size(), 0);
        out.programs.assign(d.programs.size(), 0);
        out.variables.assign(d.variables.size(), 0);
        out.vertexTypes.assign(d.vertexTypes.size(), 0);
        out.tiles.assign(static_cast<std::size_t>(r.tiles()), 0);
        out.ipus.assign(static_cast<std::size_t>(std::max(1, d.target.ipusPerReplica)), 0);
        out.stages.assign(d.stages.size(), 0);
        out.steps.assign(d.livenessSteps.size(), 0);
        out.eventTypes.assign(d.eventTypes.size(), 0);
    }

    void op(int id)
    {
        if (id < 0 || id >= static_cast<int>(d.ops.size()) || out.ops[static_cast<std::size_t>(id)]) return;
        set(out.ops, id);
        for (int child : r.childOps(id)) op(child);
    }
    void layer(std::string const &name)
    {
        for (std::size_t i = 0; i < d.ops.size(); ++i)
            if (d.ops[i].level == "keras" && d.ops[i].name == name) op(static_cast<int>(i));
    }
    void program(int id)
    {
        if (id < 0 || id >= static_cast<int>(d.programs.size()) || out.programs[static_cast<std::size_t>(id)]) return;
        set(out.programs, id);
        for (int child : r.childrenOf(id)) program(child);
        if (int const callee = d.programs[static_cast<std::size_t>(id)].callee;
            callee >= 0 && callee < static_cast<int>(d.functions.size()))
            program(d.functions[static_cast<std::size_t>(callee)].root);
    }
    /// What belongs to the operations found so far.
    void fromOps()
    {
        forEachSet(out.ops, [&](int id) {
            for (int p : r.programsOfOp(id)) set(out.programs, p);
        });
        for (std::size_t i = 0; i < d.computeSets.size(); ++i)
            if (Lineage::has(out.ops, d.computeSets[i].op)) set(out.computeSets, static_cast<int>(i));
        for (std::size_t i = 0; i < d.variables.size(); ++i)
            if (Lineage::has(out.ops, d.variables[i].op)) set(out.variables, static_cast<int>(i));
        for (std::size_t i = 0; i < d.programs.size(); ++i)
            if (Lineage::has(out.ops, d.programs[i].op)) set(out.programs, static_cast<int>(i));
    }
    void fromPrograms(bool withVariables)
    {
        forEachSet(out.programs, [&](int id) {
            auto const &row = d.programs[static_cast<std::size_t>(id)];
            set(out.computeSets, row.computeSet);
            set(out.ops, row.op);
            for (int o : r.opsOfProgram(id)) set(out.ops, o);
            if (withVariables)
                for (int v : r.variablesOf(id)) set(out.variables, v);
        });
    }
    /// Steps, events, tiles, stages, layers of what was found.
    void finish(bool tilesOfVariables, bool tilesOfPrograms)
    {
        forEachSet(out.programs, [&](int id) {
            for (int s : r.stepsOf(id)) set(out.steps, s);
        });
        for (std::size_t i = 0; i < d.eventTypes.size(); ++i)
            if (Lineage::has(out.programs, d.eventTypes[i].program)) set(out.eventTypes, static_cast<int>(i));
        for (auto const &row : d.computeSetVertices)
            if (Lineage::has(out.computeSets, row.computeSet)) set(out.vertexTypes, row.vertexType);
        if (tilesOfVariables) forEachSet(out.variables, [&](int id) { tilesOf(d.variables[static_cast<std::size_t>(id)].bytesVec); });
        if (tilesOfPrograms) {
            forEachSet(out.computeSets, [&](int id) { tilesOf(d.computeSets[static_cast<std::size_t>(id)].cyclesVec); });
            forEachSet(out.programs, [&](int id) {
                if (int const e = r.exchangeOf(id); e >= 0) {
                    tilesOf(d.exchanges[static_cast<std::size_t>(e)].sentVec);
                    tilesOf(d.exchanges[static_cast<std::size_t>(e)].receivedVec);
                }
            });
        }
        std::vector<char> seen(d.ops.size(), 0);
        forEachSet(out.ops, [&](int id) {
            auto const &row = d.ops[static_cast<std::size_t>(id)];
            set(out.stages, row.stage);
            int const layerOp = r.layerOp(id);
            if (layerOp >= 0 && !seen[static_cast<std::size_t>(layerOp)]) {
                seen[static_cast<std::size_t>(layerOp)] = 1;
                out.layers.push_back(QString::fromStdString(d.ops[static_cast<std::size_t>(layerOp)].name));
            }
        });
        int const perIpu = std::max(1, r.tilesPerIpu());
        forEachSet(out.tiles, [&](int tile) { set(out.ipus, tile / perIpu); });
    }
    void tilesOf(int vec)
    {
        auto const &values = r.tileVec(vec);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i] != 0) set(out.tiles, static_cast<int>(i));
    }

    ReportSnapshot const &r;
    ReportData const &d;
    Lineage out;
};

} // namespace

bool Lineage::empty() const
{
    auto const none = [](std::vector<char> const &f) { return count(f) == 0; };
    return none(ops) && none(computeSets) && none(programs) && none(variables) && none(vertexTypes) && none(tiles) && none(ipus)
        && none(stages) && none(steps) && layers.empty() && begin == end;
}

int Lineage::count(std::vector<char> const &flags) { return static_cast<int>(std::count(flags.begin(), flags.end(), 1)); }

namespace {

/// Almost every variable and compute set has a part on every tile: those belong to the IPU. Only what lies on few tiles belongs to them.
bool isOfFewTiles(ReportSnapshot const &report, int vec)
{
    constexpr int kOneOf = 8;
    auto const &values = report.tileVec(vec);
    auto const on = std::ranges::count_if(values, [](auto value) { return value != 0; });
    return on <= std::max(1, report.tilesPerIpu() / kOneOf);
}

} // namespace

Lineage lineageOf(ReportSnapshot const &report, Selected const &selected)
{
    Tracer t(report);
    auto const &d = report.data();
    switch (selected.kind) {
    case SelectionKind::Layer:
        for (auto const &name : selected.name.split(QLatin1Char('\n'))) t.layer(name.toStdString());
        t.fromOps();
        t.finish(true, true);
        break;
    case SelectionKind::Op:
        for (int id : selected.ids) t.op(id);
        t.fromOps();
        t.finish(true, true);
        break;
    case SelectionKind::ComputeSet:
        for (int id : selected.ids) {
            set(t.out.computeSets, id);
            for (std::size_t p = 0; p < d.programs.size(); ++p)
                if (d.programs[p].computeSet == id) t.program(static_cast<int>(p));
        }
        t.fromPrograms(true);
        t.finish(false, true);
        break;
    case SelectionKind::Program:
        for (int id : selected.ids) t.program(id);
        t.fromPrograms(true);
        t.finish(false, true);
        break;
    case SelectionKind::LivenessStep:
        for (int id : selected.ids) {
            if (id < 0 || id >= static_cast<int>(d.livenessSteps.size())) continue;
            t.program(d.livenessSteps[static_cast<std::size_t>(id)].program);
        }
        t.fromPrograms(true);
        t.finish(false, true);
        t.out.steps.assign(d.livenessSteps.size(), 0);
        for (int id : selected.ids) set(t.out.steps, id);
        break;
    case SelectionKind::Variable:
        for (int id : selected.ids) {
            if (id < 0 || id >= static_cast<int>(d.variables.size())) continue;
            set(t.out.variables, id);
            set(t.out.ops, d.variables[static_cast<std::size_t>(id)].op);
        }
        for (auto const &row : d.programVariables)
            if (Lineage::has(t.out.variables, row.variable)) set(t.out.programs, row.program);
        t.finish(true, false);
        break;
    case SelectionKind::VertexType:
        for (int id : selected.ids) set(t.out.vertexTypes, id);
        for (auto const &row : d.computeSetVertices)
            if (Lineage::has(t.out.vertexTypes, row.vertexType)) {
                set(t.out.computeSets, row.computeSet);
                t.tilesOf(row.countVec);
            }
        for (std::size_t p = 0; p < d.programs.size(); ++p)
            if (Lineage::has(t.out.computeSets, d.programs[p].computeSet)) t.program(static_cast<int>(p));
        t.fromPrograms(false);
        t.finish(false, false);
        break;
    case SelectionKind::Tile: {
        for (int id : selected.ids) {
            set(t.out.tiles, id);
            for (auto const &placed : report.placedOn(id))
                if (int const v = placed.item.variable; v >= 0 && v < static_cast<int>(d.variables.size())
                    && isOfFewTiles(report, d.variables[static_cast<std::size_t>(v)].bytesVec))
                    set(t.out.variables, v);
        }
        for (std::size_t i = 0; i < d.computeSets.size(); ++i) {
            auto const &values = report.tileVec(d.computeSets[i].cyclesVec);
            bool const there = std::ranges::any_of(selected.ids, [&](int id) {
                return id >= 0 && id < static_cast<int>(values.size()) && values[static_cast<std::size_t>(id)] != 0;
            });
            if (there && isOfFewTiles(report, d.computeSets[i].cyclesVec)) set(t.out.computeSets, static_cast<int>(i));
        }
        for (std::size_t p = 0; p < d.programs.size(); ++p)
            if (Lineage::has(t.out.computeSets, d.programs[p].computeSet)) set(t.out.programs, static_cast<int>(p));
        t.finish(false, false);
        break;
    }
    case SelectionKind::Ipu: {
        int const perIpu = std::max(1, report.tilesPerIpu());
        for (int id : selected.ids) {
            int const inReplica = id % std::max(1, d.target.ipusPerReplica);
            set(t.out.ipus, inReplica);
            for (int tile = 0; tile < perIpu; ++tile) set(t.out.tiles, inReplica * perIpu + tile);
            for (std::size_t s = 0; s < d.stages.size(); ++s)
                if (d.stages[s].indexInReplica == inReplica) set(t.out.stages, static_cast<int>(s));
        }
        break;
    }
    case SelectionKind::Stage:
        for (int id : selected.ids) {
            set(t.out.stages, id);
            for (std::size_t i = 0; i < d.ops.size(); ++i)
                if (d.ops[i].stage == id) set(t.out.ops, static_cast<int>(i));
        }
        t.fromOps();
        t.finish(true, true);
        break;
    case SelectionKind::TimeRange:
        t.out.begin = selected.begin;
        t.out.end = selected.end;
        break;
    case SelectionKind::None:
    case SelectionKind::Run:
    case SelectionKind::Option:
    case SelectionKind::Insight: break;
    }
    return std::move(t.out);
}

Selection::Selection(JobRunner *jobs, QObject *parent) : QObject(parent), m_jobs(jobs), m_lineage(std::make_shared<Lineage const>()) {}

void Selection::tell()
{
    int const generation = ++m_generation;
    bool const reads = m_report && m_current.kind != SelectionKind::None;
    m_tracing = m_jobs && reads && m_report->isWhole() && !m_report->isInMemory();
    m_lineage = std::make_shared<Lineage const>(reads && !m_tracing ? lineageOf(*m_report, m_current) : Lineage());
    if (m_tracing)
        m_jobs->compute<std::shared_ptr<Lineage const>>(
            this, JobKind::Quiet, QStringLiteral("lineage"),
            [report = m_report, selected = m_current](JobContext const &) -> Result<std::shared_ptr<Lineage const>> {
                return std::make_shared<Lineage const>(lineageOf(*report, selected));
            },
            [this, generation](Result<std::shared_ptr<Lineage const>> const &found) {
                if (generation != m_generation) return;
                m_tracing = false;
                if (found.ok()) m_lineage = *found;
                emit lineageChanged();
            });
    emit changed();
    // Somebody who heard of it may have chosen something else meanwhile.
    if (generation == m_generation && !m_tracing) emit lineageChanged();
}

void Selection::select(Selected selected, QObject *from)
{
    if (selected == m_current) return;
    m_current = std::move(selected);
    m_origin = from;
    constexpr std::size_t kKept = 100;
    m_history.resize(static_cast<std::size_t>(m_at + 1));
    m_history.push_back(m_current);
    if (m_history.size() > kKept) m_history.erase(m_history.begin());
    m_at = static_cast<int>(m_history.size()) - 1;
    tell();
}

void Selection::selectLayer(QString const &name, QObject *from)
{
    Selected selected;
    selected.kind = SelectionKind::Layer;
    selected.name = name;
    select(std::move(selected), from);
}

void Selection::selectIds(SelectionKind kind, std::vector<int> ids, QObject *from)
{
    Selected selected;
    selected.kind = ids.empty() ? SelectionKind::None : kind;
    selected.ids = std::move(ids);
    select(std::move(selected), from);
}

void Selection::back()
{
    if (!canGoBack()) return;
    m_current = m_history[static_cast<std::size_t>(--m_at)];
    m_origin = nullptr;
    tell();
}

void Selection::forward()
{
    if (!canGoForward()) return;
    m_current = m_history[static_cast<std::size_t>(++m_at)];
    m_origin = nullptr;
    tell();
}

void Selection::setReport(ReportPtr report)
{
    m_report = std::move(report);
    forgetRows();
    tell();
}

/// Ids and cycles are those of the report before; names outlive it. The place in the history stays between the entries that stay.
void Selection::forgetRows()
{
    auto const isOfReport = [](Selected const &one) { return !one.ids.empty() || one.kind == SelectionKind::TimeRange; };
    m_current.at = {};
    for (auto &one : m_history) one.at = {};
    std::vector<Selected> kept;
    int at = -1;
    for (int i = 0; i < static_cast<int>(m_history.size()); ++i) {
        auto const &one = m_history[static_cast<std::size_t>(i)];
        if (!isOfReport(one) && (kept.empty() || kept.back() != one)) kept.push_back(one);
        if (i == m_at) at = static_cast<int>(kept.size()) - 1;
    }
    m_history = std::move(kept);
    m_at = at;
    if (!isOfReport(m_current)) return;
    m_current = {};
    if (at < 0 || m_history[static_cast<std::size_t>(at)] == m_current) return;
    // What was selected is gone: Back leads to what was selected before it.
    m_history.resize(static_cast<std::size_t>(at) + 1);
    m_history.push_back(m_current);
    m_at = at + 1;
}

void Selection::forget()
{
    m_current = {};
    m_history.clear();
    m_at = -1;
    m_origin = nullptr;
    tell();
}

void Selection::growReport(ReportPtr report) { m_report = std::move(report); }

void Selection::updateReport(ReportPtr report)
{
    m_report = std::move(report);
    tell();
}

QString Selection::text() const
{
    auto const words = [](char const *s) { return QCoreApplication::translate("views", s); };
    auto const row = [&](auto const &rows) -> QString {
        int const id = m_current.ids.front();
        return id >= 0 && id < static_cast<int>(rows.size()) ? QString::fromStdString(rows[static_cast<std::size_t>(id)].name)
                                                             : QString::number(id);
    };
    int const chosen = static_cast<int>(m_current.ids.size());
    auto const several = [&](QString const &one, char const *many, auto const &rows) {
        if (m_current.ids.size() == 1) return m_report ? one.arg(row(rows)) : one.arg(m_current.ids.front());
        return QCoreApplication::translate("views", many, nullptr, chosen);
    };
    auto const &d = m_report->data();
    switch (m_current.kind) {
    case SelectionKind::None: return {};
    case SelectionKind::Layer:
        if (int const names = static_cast<int>(m_current.name.count(QLatin1Char('\n'))) + 1; names > 1)
            return QCoreApplication::translate("views", "%n layer(s)", nullptr, names);
        return words(QT_TRANSLATE_NOOP("views", "Layer %1")).arg(m_current.name);
    case SelectionKind::Option: return words(QT_TRANSLATE_NOOP("views", "Option %1")).arg(m_current.name);
    case SelectionKind::Op:
        return several(words(QT_TRANSLATE_NOOP("views", "Operation %1")), QT_TRANSLATE_N_NOOP("views", "%Ln operation(s)"), d.ops);
    case SelectionKind::ComputeSet:
        return several(words(QT_TRANSLATE_NOOP("views", "Compute set %1")), QT_TRANSLATE_N_NOOP("views", "%Ln compute set(s)"),
                       d.computeSets);
    case SelectionKind::Program:
        return several(words(QT_TRANSLATE_NOOP("views", "Program step %1")), QT_TRANSLATE_N_NOOP("views", "%Ln program step(s)"),
                       d.programs);
    case SelectionKind::Variable:
        return several(words(QT_TRANSLATE_NOOP("views", "Variable %1")), QT_TRANSLATE_N_NOOP("views", "%Ln variable(s)"), d.variables);
    case SelectionKind::VertexType:
        return several(words(QT_TRANSLATE_NOOP("views", "Vertex %1")), QT_TRANSLATE_N_NOOP("views", "%Ln vertex type(s)"), d.vertexTypes);
    case SelectionKind::Tile:
        return m_current.ids.size() == 1 ? words(QT_TRANSLATE_NOOP("views", "Tile %1")).arg(m_current.ids.front())
                                         : QCoreApplication::translate("views", "%Ln tile(s)", nullptr, chosen);
    case SelectionKind::Ipu: return words(QT_TRANSLATE_NOOP("views", "IPU %1")).arg(m_current.ids.front());
    case SelectionKind::Stage: return words(QT_TRANSLATE_NOOP("views", "Stage %1")).arg(m_current.ids.front());
    case SelectionKind::LivenessStep: return words(QT_TRANSLATE_NOOP("views", "Liveness step %1")).arg(m_current.ids.front());
    case SelectionKind::TimeRange: return words(QT_TRANSLATE_NOOP("views", "Cycles %1 to %2")).arg(m_current.begin).arg(m_current.end);
    case SelectionKind::Run: return words(QT_TRANSLATE_NOOP("views", "Run %1")).arg(m_current.ids.front());
    case SelectionKind::Insight: return words(QT_TRANSLATE_NOOP("views", "Insight %1")).arg(m_current.ids.front());
    }
    return {};
}

} // namespace tilewright::views
