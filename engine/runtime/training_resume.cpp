// The part of a training's state that no variable holds: saved and resumed.
#include "engine/core/replica_seeds.h"
#include "engine/core/text.h"
#include "engine/graph/written.h"
#include "engine/runtime/run_state.h"
#include "engine/runtime/training_session.h"
#include "engine/training/written_rates.h"

#include <cstring>

namespace tilewright::runtime {

TrainingState TrainingSession::withRun(TrainingState state) const
{
    model::Json run = model::Json::object();
    for (auto const &[name, now] : m_session->written()) {
        auto const planned = m_planned.find(name);
        if (training::isWrittenPart(name) || planned == m_planned.end() || planned->second == now) continue;
        run["written"][name] = {{"planned", planned->second}, {"now", now}};
    }
    if (m_seedReset && m_seedReset->step <= state.step)
        run["device_seed"] = {{"planned", runSeed(deviceSeedOf(m_request, deviceSeedOf(m_project.training)))},
                              {"now", runSeed(m_seedReset->seed)},
                              {"alike", (m_seedReset->seed & kIdenticalReplicas) != 0},
                              {"step", m_seedReset->step}};
    if (auto callbacks = m_callbacks.save(state); !callbacks.empty()) run["callbacks"] = std::move(callbacks);
    bool const within = m_allSteps > 0 && m_step % m_allSteps != 0 && m_epochMeans->samples() > 0 && state.step == m_step;
    if (within) run["epoch_sums"] = {{"step", m_step}, {"sums", m_epochMeans->totals()}, {"samples", m_epochMeans->samples()}};
    if (!run.empty()) addRunState(state, run);
    return state;
}

/// The draws go on as the last reset began them.
void TrainingSession::resumeSeed(model::Json const &saved)
{
    auto const planned = countOf(saved, "planned"), now = countOf(saved, "now"), step = countOf(saved, "step");
    auto const ofPlan = runSeed(deviceSeedOf(m_request, deviceSeedOf(m_project.training)));
    if (!planned || !now || !step || static_cast<std::uint64_t>(*planned) != ofPlan || *step < 0 || *step > m_step) return;
    bool const alike = saved.contains("alike") && saved["alike"].is_boolean() && saved["alike"].get<bool>();
    m_seedReset = SeedReset{withIdenticalReplicas(static_cast<std::uint64_t>(*now), alike), *step};
    m_session->continueSeed(m_seedReset->seed, m_step - *step);
    if (m_evaluator) m_evaluator->setSeed(m_seedReset->seed);
}

/// A value that the plan has changed since is the plan's.
Status TrainingSession::resumeRun()
{
    m_toldBatches = m_step;
    auto const *from = resumed();
    if (!from) return {};
    TW_ASSIGN(auto const run, runStateOf(*from));
    if (!run.is_object()) return {};
    auto const written = run.value("written", model::Json::object());
    for (auto const &[name, planned] : m_planned)
        if (written.is_object() && written.contains(name) && numberOf(written[name], "planned") == planned)
            if (auto const now = numberOf(written[name], "now")) TW_TRY(m_session->setValue(name, *now, "checkpoint"));
    resumeSeed(run.value("device_seed", model::Json()));
    m_callbacks.load(run.value("callbacks", model::Json()), *from);
    auto const sums = run.value("epoch_sums", model::Json());
    if (countOf(sums, "step") != m_step || m_firstInEpoch <= 0) return {};
    std::vector<double> values;
    for (auto const &sum : sums.value("sums", model::Json::array())) values.push_back(sum.is_number() ? sum.get<double>() : 0);
    m_epochMeans->continueFrom(values, numberOf(sums, "samples").value_or(0));
    return {};
}

void TrainingSession::tellValue(RateChange change)
{
    log(config::LogComponent::Runtime, config::LogLevel::Info,
        change.name + " " + numberText(change.before) + " to " + numberText(change.now) + " after step " + groupedDigits(change.step) + " ("
            + change.by + ")");
    m_outcome.values.push_back(std::move(change));
}

/// The device adapts it; the log shows what an execution changed.
void TrainingSession::watchLossScale()
{
    auto const read = [this](std::string const &name) -> std::optional<float> {
        auto const tensor = m_session->read(name);
        if (!tensor.ok() || tensor->bytes.size() != sizeof(float)) return {};
        float value = 0;
        std::memcpy(&value, tensor->bytes.data(), sizeof value);
        return value;
    };
    if (m_step > m_first && !m_lossScale) return; // there is none
    auto const scale = read(graph::kLossScale), skipped = read(std::string(graph::kLossScale) + "/skipped");
    if (!scale || !skipped) return;
    if (!m_lossScale) m_skippedBefore = *skipped;
    auto const already = m_outcome.skippedUpdates;
    m_outcome.skippedUpdates = static_cast<std::int64_t>(*skipped - m_skippedBefore);
    auto const more = m_outcome.skippedUpdates - already;
    if (m_lossScale && *m_lossScale != *scale)
        tellValue({m_step, *m_lossScale, *scale, more > 0 ? "automatic, " + groupedDigits(more) + " updates skipped" : "automatic",
                   graph::kLossScale});
    else if (more > 0)
        log(config::LogComponent::Runtime, config::LogLevel::Info,
            groupedDigits(more) + " updates skipped after step " + groupedDigits(m_step) + ": their gradients are not finite");
    m_lossScale = scale;
}

} // namespace tilewright::runtime
