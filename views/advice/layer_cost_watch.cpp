#include "views/advice/layer_cost_watch.h"

#include "views/common/words.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

#include "engine/model/stages.h"
#include "engine/runtime/layer_costs.h"

#include <QPointer>
#include <QTimer>

#include <cstdlib>

namespace tilewright::views {

namespace {

constexpr int kSettleMs = 250; ///< between the last edit and its compile

struct FoundCosts {
    project::Project of;
    std::optional<model::CutCosts> cycles;
};

Result<FoundCosts> foundCosts(project::Project const &project, JobContext const &job)
{
    FoundCosts found;
    TW_ASSIGN(found.of, runtime::singleIpu(project));
    compiler::CompileRequest request;
    TW_ASSIGN(request.environment, config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, nullptr));
    TW_ASSIGN(auto const layers, runtime::layerCosts(project, request, job));
    if (layers.costs.unit == model::CostUnit::Cycles) found.cycles = layers.costs;
    return found;
}

} // namespace

LayerCostWatch &LayerCostWatch::of(Session &session)
{
    auto *watch = session.findChild<LayerCostWatch *>(QString(), Qt::FindDirectChildrenOnly);
    return watch ? *watch : *new LayerCostWatch(session);
}

LayerCostWatch::LayerCostWatch(Session &session) : QObject(&session), m_session(session), m_delay(new QTimer(this))
{
    m_delay->setSingleShot(true);
    m_delay->setInterval(kSettleMs);
    connect(m_delay, &QTimer::timeout, this, &LayerCostWatch::start);
    connect(&session.document(), &Document::opened, this, [this] {
        m_of.reset();
        m_asked.reset();
        m_cycles.reset();
    });
    connect(&session.runs(), &RunController::finished, this, [this] {
        if (m_wanted) want();
    });
}

void LayerCostWatch::want()
{
    auto const &document = m_session.document();
    m_wanted = false;
    if (!document.isOpen()) return;
    auto one = runtime::singleIpu(document.project());
    if (!one.ok() || m_of == *one || m_asked == *one) return;
    m_asked = std::move(*one);
    m_delay->start();
}

std::optional<model::CutCosts> LayerCostWatch::costs(project::Project const &project) const
{
    if (m_cycles)
        if (auto const one = runtime::singleIpu(project); one.ok() && m_of == *one) return m_cycles;
    auto const resolved = model::resolve(model::withoutStages(project.model));
    return resolved.ok() ? std::optional(model::multiplyAddCosts(*resolved)) : std::nullopt;
}

std::function<Result<std::vector<int>>(model::Model const &, int)> LayerCostWatch::proposer() const
{
    return [watch = QPointer(this)](model::Model const &model, int stages) -> Result<std::vector<int>> {
        if (!watch) return cancelledError("stages");
        auto project = watch->m_session.document().project();
        project.model = model;
        TW_ASSIGN(auto const resolved, model::resolve(model::withoutStages(model)));
        auto const known = watch->costs(project);
        return model::adviseStages(resolved, known ? *known : model::multiplyAddCosts(resolved), stages, runtime::cutPlan(project));
    };
}

void LayerCostWatch::start()
{
    auto const &document = m_session.document();
    if (!document.isOpen()) return;
    if (m_session.runs().isActive()) { // the run needs the processor
        m_asked.reset();
        m_wanted = true;
        return;
    }
    m_session.jobs().compute<FoundCosts>(
        this, JobKind::Quiet, QStringLiteral("layer-costs"),
        [project = document.snapshot()](JobContext const &job) { return foundCosts(*project, job); },
        [this, asked = m_asked](Result<FoundCosts> found) {
            if (m_asked != asked) return; // a newer request is under way
            // For a model without costs, ask again only after it has changed.
            if (found.ok() || found.error().kind == ErrorKind::Cancelled) m_asked.reset();
            if (!found.ok()) return;
            m_of = std::move(found->of);
            m_cycles = std::move(found->cycles);
            emit changed();
        });
}

QString costsText(model::CostUnit unit)
{
    return unit == model::CostUnit::Cycles ? Words::tr("cycles of the compiler") : Words::tr("estimated from multiply-adds");
}

} // namespace tilewright::views
