#include "engine/model/epoch_steps.h"

#include "engine/core/held_out.h"

#include <algorithm>
#include <vector>

namespace tilewright::model {

namespace {

constexpr double kSmallLoss = 0.01, kLargeLoss = 0.1; ///< of the training samples that a limit leaves out

/// A limit of the data, not above what there is, that leaves a multiple of `unit` training samples. The largest, or one at most 1 %
/// smaller that holds out whole batches too: those are validated faster. Nothing: there is none.
struct Limit {
    std::int64_t all = 0, kept = 0;
};
std::optional<Limit> wholeLimit(std::int64_t samples, std::int64_t unit, std::int64_t batch, double heldOut)
{
    std::optional<Limit> largest;
    std::int64_t const most = samples / unit * unit;
    for (std::int64_t kept = most; kept > 0 && (!largest || kept >= most - most / 64); kept -= unit) {
        auto const all = samplesToKeep(kept, heldOut);
        if (all > 0 && (all - kept) % batch == 0) return Limit{all, kept};
        if (!largest && all > 0) largest = Limit{all, kept};
    }
    return largest;
}

/// Fits the rest of a plan to one batch size.
class EpochFitter {
public:
    EpochFitter(TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated, double heldOut, EpochWish const &wish)
        : m_wish(wish), m_samples(samples), m_replicas(std::max(1, replicas)),
          m_accumulation(std::max<std::int64_t>(1, plan.gradientAccumulationSteps)),
          m_execution(std::max<std::int64_t>(1, plan.stepsPerExecution)), m_emulated(emulated), m_heldOut(heldOut)
    {
    }

    /// Without a limit; nothing where these samples do not take it.
    std::optional<EpochFit> whole(std::int64_t batch) const
    {
        if (batch < 1 || (m_emulated && m_samples % batch != 0)) return std::nullopt;
        auto const execution = executionOf(m_samples / batch / m_replicas);
        return execution > 0 ? std::optional(EpochFit{batch, execution, 0, 0}) : std::nullopt;
    }

    std::optional<EpochFit> limited(std::int64_t batch, double mostLoss) const
    {
        if (!m_wish.mayLimit) return std::nullopt;
        std::vector<std::int64_t> steps{m_execution}; // of which an epoch holds a multiple
        if (!m_wish.keepsExecution) steps.push_back(m_accumulation);
        for (auto const each : steps) {
            if (each % m_accumulation != 0) continue;
            auto const limit = wholeLimit(m_samples, batch * m_replicas * each, batch, m_heldOut);
            if (!limit || static_cast<double>(m_samples - limit->kept) > mostLoss * static_cast<double>(m_samples)) continue;
            if (auto const execution = executionOf(limit->kept / batch / m_replicas); execution > 0)
                return EpochFit{batch, execution, limit->all, m_samples - limit->kept};
        }
        return std::nullopt;
    }

    /// The batch from `least` to `most` nearest to `batch` by its factor whose epoch is whole.
    std::optional<EpochFit> otherBatch(std::int64_t batch, std::int64_t least, std::int64_t most) const
    {
        std::optional<EpochFit> best;
        double nearest = 0;
        for (std::int64_t b = std::min(m_samples, most); b >= std::max<std::int64_t>(1, least); --b) {
            if (b == batch || b <= m_wish.batchAbove || (m_wish.batchBelow > 0 && b >= m_wish.batchBelow)) continue;
            double const distance =
                b > batch ? static_cast<double>(b) / static_cast<double>(batch) : static_cast<double>(batch) / static_cast<double>(b);
            if (best && distance > nearest) continue; // of two as near the smaller
            if (auto const fit = whole(b)) {
                best = fit;
                nearest = distance;
            }
        }
        return best;
    }

private:
    std::int64_t executionOf(std::int64_t steps) const
    {
        if (steps < 1) return 0;
        if (steps % m_execution == 0 && m_execution % m_accumulation == 0) return m_execution;
        return m_wish.keepsExecution ? 0 : executableSteps(steps, m_accumulation, m_execution);
    }

    EpochWish const &m_wish;
    std::int64_t m_samples;
    std::int64_t m_replicas;
    std::int64_t m_accumulation;
    std::int64_t m_execution;
    bool m_emulated;
    double m_heldOut;
};

} // namespace

Result<std::int64_t> stepsPerEpoch(model::TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated,
                                   JobContext const &job, double heldOut)
{
    std::int64_t const batch = plan.batchSize;
    std::int64_t steps = samples / batch; // plain Keras: what is left is a smaller last batch
    if (emulated) {
        if (samples % batch != 0) {
            std::optional<EpochFit> other, limited;
            for (bool const keeps : {true, false}) { // one change is better than two
                EpochWish const wish{.keepsExecution = keeps};
                EpochFitter const fitter(plan, samples, replicas, emulated, heldOut, wish);
                if (!other) other = fitter.otherBatch(batch, 1, batch);
                if (!limited) limited = fitter.limited(batch, 1);
            }
            auto remedy = Message::of("Use more samples, or fewer gradient accumulation steps.");
            if (other && limited)
                remedy = Message::of("Use a batch size that divides the data, such as %1, or set data.limit to %2.",
                                     std::to_string(other->batch), std::to_string(limited->limit));
            else if (other) remedy = Message::of("Use a batch size that divides the data, such as %1.", std::to_string(other->batch));
            else if (limited) remedy = Message::of("Set data.limit to %1.", std::to_string(limited->limit));
            return makeError(ErrorKind::Data, "data.batch", "training.batch_size",
                             Message::of("%1 samples are not a multiple of the batch size %2: the last batch would have %3 samples, and "
                                         "shapes on the device are fixed.",
                                         samples, std::to_string(batch), samples % batch),
                             std::move(remedy));
        }
        if (steps < replicas)
            return makeError(ErrorKind::Data, "data.replicas", "data",
                             Message::of("%1 batches are fewer than the %2 replicas.", steps, replicas),
                             Message::of("Give each replica at least one batch."));
        if (steps % replicas)
            job.warn(makeWarning(
                "data.replicas", "data",
                Message::of("%1 batches at the end of each epoch are dropped: they do not fill all replicas.", steps % replicas)));
        steps /= replicas;
    }
    if (plan.stepsPerEpoch > 0) {
        std::int64_t const copies = emulated ? replicas : 1, wanted = plan.stepsPerEpoch / copies;
        if (wanted < 1 || wanted > steps + (!emulated && samples % batch != 0 ? 1 : 0))
            return makeError(ErrorKind::Data, "data.steps", "training.steps_per_epoch",
                             Message::of("an epoch of the data has %1 micro-batches over all replicas, but steps_per_epoch is %2.",
                                         steps * copies, plan.stepsPerEpoch),
                             Message::of("Set it to a multiple of %1 up to %2, or to null for all samples.", copies, steps * copies));
        steps = std::min(steps, wanted);
    }
    if (steps % plan.stepsPerExecution == 0) return steps;
    if (auto warning = shortEpoch(plan, steps)) {
        job.warn(std::move(*warning));
        return steps;
    }
    auto const fits = executableSteps(steps, plan.gradientAccumulationSteps, plan.stepsPerExecution);
    return makeError(ErrorKind::Invalid, "training.steps-per-execution", "training.steps_per_execution",
                     Message::of("%1 does not divide the %2 steps of an epoch.", plan.stepsPerExecution, steps),
                     fits > 0 ? Message::of("Use %1, or a data set of another size (data.limit).", std::to_string(fits))
                              : Message::of("No number of whole weight updates divides them: change data.limit, training.batch_size or "
                                            "training.gradient_accumulation_steps."));
}

std::optional<Diagnostic> shortEpoch(TrainingPlan const &plan, std::int64_t epochSteps)
{
    if (epochSteps < 1 || plan.stepsPerExecution <= epochSteps) return {};
    if (epochSteps % std::max<std::int64_t>(1, plan.gradientAccumulationSteps) != 0) return {};
    return makeWarning(
        "training.short-epoch", "training.steps_per_execution",
        Message::of("an epoch has %1 steps, fewer than the %2 of an execution: %1 are used.", epochSteps, plan.stepsPerExecution),
        Message::of("Set training.steps_per_execution to %1.", std::to_string(epochSteps)));
}

std::optional<EpochFit> fitEpoch(TrainingPlan const &plan, std::int64_t samples, int replicas, bool emulated, double heldOut,
                                 EpochWish const &wish)
{
    if (samples < 1 || plan.batchSize < 1) return std::nullopt;
    EpochFitter const fitter(plan, samples, replicas, emulated, heldOut, wish);
    auto const batch = plan.batchSize;
    if (auto fit = fitter.whole(batch)) return fit;
    if (auto fit = fitter.limited(batch, kSmallLoss)) return fit;
    if (wish.keepsBatch) return fitter.limited(batch, kLargeLoss);
    if (auto fit = fitter.otherBatch(batch, batch / 2, batch * 2)) return fit;
    if (auto fit = fitter.limited(batch, kLargeLoss)) return fit;
    return fitter.otherBatch(batch, 1, batch);
}

std::int64_t executableSteps(std::int64_t epochSteps, std::int64_t updateSteps, std::int64_t wanted)
{
    updateSteps = std::max<std::int64_t>(1, updateSteps);
    if (epochSteps < 1 || epochSteps % updateSteps != 0) return 0;
    std::int64_t const updates = epochSteps / updateSteps;
    for (std::int64_t n = std::clamp<std::int64_t>(wanted / updateSteps, 1, updates); n >= 1; --n)
        if (updates % n == 0) return n * updateSteps;
    return updateSteps;
}

std::int64_t dividingBatch(std::int64_t samples, std::int64_t batch)
{
    for (std::int64_t b = std::min(batch, samples); b > 1; --b)
        if (samples % b == 0) return b;
    return 1;
}

} // namespace tilewright::model
