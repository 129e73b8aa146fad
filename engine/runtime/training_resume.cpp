// The part of a training's state that no variable holds: saved and resumed.
#include "engine/core/text.h"
#include "engine/graph/written.h"
#include "engine/runtime/run_state.h"
#include "engine/runtime/training_session.h"

namespace tilewright::runtime {

TrainingState TrainingSession::withRun(TrainingState state) const
{
    model::Json run = model::Json::object();
    for (auto const &[name, now] : m_session->written()) {
        auto const planned = m_planned.find(name);
        if (name.ends_with(graph::kWrittenRest) || planned == m_planned.end() || planned->second == now) continue;
        run["written"][name] = {{"planned", planned->second}, {"now", now}};
    }
    if (auto callbacks = m_callbacks.save(state); !callbacks.empty()) run["callbacks"] = std::move(callbacks);
    bool const within = m_allSteps > 0 && m_step % m_allSteps != 0 && m_epochMeans->weight() > 0 && state.step == m_step;
    if (within) run["epoch_sums"] = {{"step", m_step}, {"sums", m_epochMeans->sums()}, {"samples", m_epochMeans->weight()}};
    if (!run.empty()) addRunState(state, run);
    return state;
}

/// A value that the plan has changed since is the plan's.
Status TrainingSession::resumeRun()
{
    if (!m_request.resume) return {};
    TW_ASSIGN(auto const run, runStateOf(*m_request.resume));
    if (!run.is_object()) return {};
    auto const written = run.value("written", model::Json());
    auto const rate = written.is_object() ? written.value(graph::kLearningRate, model::Json()) : model::Json();
    auto const planned = m_session->learningRate(), now = numberOf(rate, "now");
    if (planned && now && numberOf(rate, "planned") == planned) TW_TRY(m_session->setLearningRate(*now, "checkpoint"));
    m_callbacks.load(run.value("callbacks", model::Json()), *m_request.resume);
    auto const sums = run.value("epoch_sums", model::Json());
    if (countOf(sums, "step") != m_step || m_firstInEpoch <= 0) return {};
    std::vector<double> values;
    for (auto const &sum : sums.value("sums", model::Json::array())) values.push_back(sum.is_number() ? sum.get<double>() : 0);
    m_epochMeans->continueFrom(values, numberOf(sums, "samples").value_or(0));
    return {};
}

} // namespace tilewright::runtime
