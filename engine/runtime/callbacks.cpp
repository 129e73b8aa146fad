#include "engine/runtime/callbacks.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/model/rate_expression.h"
#include "engine/runtime/callback_parts.h"
#include "engine/runtime/run_state.h"

#include <algorithm>
#include <limits>

namespace tilewright::runtime {

namespace {

Logs logsOf(EpochResult const &result)
{
    Logs logs{{"loss", result.loss}};
    for (auto const &[name, value] : result.metrics) logs[name] = value;
    if (result.valLoss) logs["val_loss"] = *result.valLoss;
    for (auto const &[name, value] : result.valMetrics) logs[name] = value;
    return logs;
}

std::string namesOf(Logs const &logs)
{
    std::vector<std::string> names;
    for (auto const &[name, value] : logs) names.push_back(name);
    return joinText(names, ",");
}

} // namespace

std::string kerasEpoch(std::int64_t epoch)
{
    auto const number = std::to_string(epoch);
    return "Epoch " + std::string(5 - std::min<std::size_t>(5, number.size()), '0') + number;
}

std::optional<double> Callbacks::One::monitored(Logs const &logs, std::string_view what, JobContext const &job)
{
    auto const it = logs.find(m_callback.text("monitor"));
    if (it != logs.end()) return it->second;
    if (!m_warned)
        job.warn(makeWarning("callback.no-value", name(),
                             Message::of("%1 conditioned on metric `%2` which is not available. Available metrics are: %3",
                                         std::string(what), m_callback.text("monitor"), namesOf(logs)),
                             Message::of("Set monitor to one of them, or validate (training.validation_split, data.validation_path).")));
    m_warned = true;
    return {};
}
namespace {

using One = Callbacks::One;

class EarlyStopping final : public One {
public:
    using One::One;

    Result<bool> endEpoch(std::int64_t epoch, Logs &logs, JobContext const &job) override
    {
        auto const value = monitored(logs, "Early stopping", job);
        if (!value) return false;
        bool const restores = m_callback.flag("restore_best_weights");
        if (restores && !m_weights) m_weights = m_actions.weights(); // of the first epoch, if none is better
        ++m_waited;
        if (!m_best) m_best = worst();
        if (improves(*value, *m_best)) {
            m_best = *value;
            m_bestEpoch = epoch;
            if (restores) m_weights = m_actions.weights();
            if (m_callback.isNull("baseline") || improves(*value, m_callback.number("baseline"))) m_waited = 0;
        }
        if (m_waited == 0 || m_waited < m_callback.integer("patience") || epoch == 1) return false;
        m_stopped = epoch;
        if (!restores || !m_weights) return true;
        tell("Restoring model weights from the end of the best epoch: " + std::to_string(m_bestEpoch) + ".");
        TW_TRY(m_actions.loadWeights(*m_weights));
        return true;
    }
    void endTraining(bool) override
    {
        if (m_stopped > 0) tell(kerasEpoch(m_stopped) + ": early stopping");
    }
    /// A training that it has ended counts anew when somebody continues it.
    model::Json save() const override
    {
        if (m_stopped > 0) return nullptr;
        return {{"best", savedBest(m_best)}, {"wait", m_waited}, {"best_epoch", m_bestEpoch}};
    }
    void load(model::Json const &saved) override
    {
        m_best = numberOf(saved, "best");
        m_waited = countOf(saved, "wait").value_or(0);
        m_bestEpoch = countOf(saved, "best_epoch").value_or(1);
    }
    TrainingState const *bestWeights() const override { return m_weights && m_stopped == 0 ? &*m_weights : nullptr; }
    void loadBestWeights(TrainingState weights) override { m_weights = std::move(weights); }

private:
    bool improves(double value, double than) const
    {
        double const least = m_callback.number("min_delta");
        return isBetter(model::largerIsBetter(m_callback) ? value - least : value + least, than);
    }

    std::optional<double> m_best;
    std::optional<TrainingState> m_weights;
    std::int64_t m_waited = 0, m_bestEpoch = 1, m_stopped = 0;
};

class ReduceRateOnPlateau final : public One {
public:
    using One::One;

    Status endAtNotFinite(std::int64_t, Logs &logs, JobContext const &) override
    {
        if (auto const rate = m_actions.rate()) logs["lr"] = *rate;
        return {};
    }
    Result<bool> endEpoch(std::int64_t epoch, Logs &logs, JobContext const &job) override
    {
        auto const rate = m_actions.rate();
        if (rate) logs["lr"] = *rate;
        auto const value = monitored(logs, "Learning rate reduction is", job);
        if (!value) return false;
        if (m_cooling > 0) {
            --m_cooling;
            m_waited = 0;
        }
        double const least = m_callback.number("min_delta");
        if (!m_best) m_best = worst();
        if (isBetter(*value, model::largerIsBetter(m_callback) ? *m_best + least : *m_best - least)) {
            m_best = *value;
            m_waited = 0;
            return false;
        }
        double const lowest = m_callback.number("min_lr");
        if (m_cooling > 0 || ++m_waited < m_callback.integer("patience") || (rate && *rate <= lowest)) return false;
        double const lower = std::max(rate.value_or(0) * m_callback.number("factor"), lowest);
        TW_TRY(m_actions.setRate(lower, name()));
        tell(kerasEpoch(epoch) + ": ReduceLROnPlateau reducing learning rate to " + numberText(lower) + ".");
        m_cooling = m_callback.integer("cooldown");
        m_waited = 0;
        return false;
    }
    model::Json save() const override { return {{"best", savedBest(m_best)}, {"wait", m_waited}, {"cooldown_counter", m_cooling}}; }
    void load(model::Json const &saved) override
    {
        m_best = numberOf(saved, "best");
        m_waited = countOf(saved, "wait").value_or(0);
        m_cooling = countOf(saved, "cooldown_counter").value_or(0);
    }

private:
    std::optional<double> m_best;
    std::int64_t m_waited = 0, m_cooling = 0;
};

class RateScheduler final : public One {
public:
    using One::One;

    /// A schedule that does not depend on the present rate tells the rate of every epoch before the first one.
    Status begin(std::vector<std::string> const &) override
    {
        auto const schedule = m_callback.text("schedule");
        if (model::usesRate(schedule)) return {};
        std::int64_t const last = std::min(m_actions.epochs, m_actions.firstEpoch + kMostChecked);
        for (std::int64_t epoch = m_actions.firstEpoch; epoch < last; ++epoch)
            if (auto const rate = model::rateOfEpoch(schedule, epoch, 0, kSubject); !rate.ok()) return rate.error();
        return {};
    }
    Status endAtNotFinite(std::int64_t, Logs &logs, JobContext const &) override
    {
        if (auto const rate = m_actions.rate()) logs["lr"] = *rate;
        return {};
    }
    Status beginEpoch(std::int64_t epoch) override
    {
        auto const before = m_actions.rate();
        TW_ASSIGN(double const rate, model::rateOfEpoch(m_callback.text("schedule"), epoch - 1, before.value_or(0), kSubject));
        TW_TRY(m_actions.setRate(rate, name()));
        tell(kerasEpoch(epoch) + ": LearningRateScheduler setting learning rate to " + numberText(rate) + ".");
        return {};
    }
    Result<bool> endEpoch(std::int64_t, Logs &logs, JobContext const &) override
    {
        if (auto const rate = m_actions.rate()) logs["lr"] = *rate;
        return false;
    }
    model::Json save() const override { return model::Json::object(); } // the epoch that it began

private:
    static constexpr char const *kSubject = "training.callbacks.LearningRateScheduler.schedule";
    static constexpr std::int64_t kMostChecked = 100'000;
};

} // namespace

Callbacks::Callbacks() = default;
Callbacks::~Callbacks() = default;

Status Callbacks::begin(std::vector<model::Callback> const &callbacks, std::vector<std::string> const &logged, CallbackActions actions)
{
    m_actions = std::move(actions);
    for (auto const &callback : callbacks) {
        std::unique_ptr<One> one;
        if (callback.className == "EarlyStopping") one = std::make_unique<EarlyStopping>(callback, m_actions);
        else if (callback.className == "ReduceLROnPlateau") one = std::make_unique<ReduceRateOnPlateau>(callback, m_actions);
        else if (callback.className == "LearningRateScheduler") one = std::make_unique<RateScheduler>(callback, m_actions);
        else if (callback.className == "TerminateOnNaN") m_terminatesOnNaN = true;
        else one = makeFileCallback(callback, m_actions);
        if (!one) continue;
        TW_TRY(one->begin(logged));
        m_all.push_back(std::move(one));
    }
    return {};
}

Status Callbacks::beginEpoch(std::int64_t epoch)
{
    for (auto const &one : m_all) {
        one->begun = epoch;
        if (one->begunBefore != epoch) TW_TRY(one->beginEpoch(epoch));
    }
    return {};
}

Status Callbacks::endEpoch(EpochResult const &result, JobContext const &job)
{
    auto logs = logsOf(result);
    for (auto const &one : m_all) {
        TW_ASSIGN(bool const ends, one->endEpoch(result.epoch, logs, job));
        if (ends && m_endedBy.empty()) m_endedBy = one->name();
    }
    for (auto const &one : m_all) TW_TRY(one->finishEpoch(job));
    return {};
}

model::Json Callbacks::save(TrainingState &weights) const
{
    auto all = model::Json::array();
    for (std::size_t i = 0; i < m_all.size(); ++i) {
        auto const &one = *m_all[i];
        auto state = one.save();
        if (state.is_object()) state["begun"] = one.begun;
        all.push_back({{"class_name", one.name()}, {"state", std::move(state)}});
        if (auto const *monitor = one.monitor()) all.back()["monitor"] = *monitor;
        if (auto const *best = one.bestWeights())
            for (auto const &tensor : best->tensors) {
                weights.tensors.push_back(tensor);
                weights.tensors.back().name = kBestWeights + std::to_string(i) + "/" + tensor.name;
            }
    }
    return all;
}

void Callbacks::load(model::Json const &saved, TrainingState const &weights)
{
    if (!saved.is_array()) return;
    std::vector<bool> taken(saved.size(), false);
    for (auto const &one : m_all)
        for (std::size_t i = 0; i < saved.size(); ++i) {
            auto const &item = saved[i];
            if (taken[i] || !item.is_object() || item.value("class_name", model::Json()) != one->name()) continue;
            taken[i] = true;
            auto const state = item.value("state", model::Json());
            auto const *monitor = one->monitor();
            if (!state.is_object() || (monitor && item.value("monitor", model::Json()) != *monitor)) break;
            one->load(state);
            one->begunBefore = countOf(state, "begun").value_or(0);
            TrainingState best;
            std::string const prefix = kBestWeights + std::to_string(i) + "/";
            for (auto const &tensor : weights.tensors)
                if (tensor.name.starts_with(prefix)) {
                    best.tensors.push_back(tensor);
                    best.tensors.back().name.erase(0, prefix.size());
                }
            if (!best.tensors.empty()) one->loadBestWeights(std::move(best));
            break;
        }
}

bool Callbacks::wantBatches() const
{
    return std::ranges::any_of(m_all, [](auto const &one) { return one->wantsBatches(); });
}

Status Callbacks::endBatches(std::int64_t epoch, std::int64_t batch, std::int64_t more, EpochResult const &means, JobContext const &job)
{
    auto const logs = logsOf(means);
    for (auto const &one : m_all)
        if (one->wantsBatches()) TW_TRY(one->endBatches(epoch, batch, more, logs, job));
    return {};
}

void Callbacks::endTraining(bool whole)
{
    for (auto const &one : m_all) one->endTraining(whole);
}

bool Callbacks::takesNotFinite(std::int64_t batch)
{
    if (!m_terminatesOnNaN) return false;
    m_endedBy = "TerminateOnNaN";
    m_endedAtNotFinite = true;
    m_actions.tell(m_endedBy, "Batch " + std::to_string(batch) + ": Invalid loss, terminating training", true);
    return true;
}

Status Callbacks::endAtNotFinite(EpochResult const &result, JobContext const &job)
{
    auto logs = logsOf(result);
    logs["loss"] = std::numeric_limits<double>::quiet_NaN();
    for (auto const &one : m_all) TW_TRY(one->endAtNotFinite(result.epoch, logs, job));
    return {};
}

} // namespace tilewright::runtime
