#pragma once

#include "engine/runtime/callbacks.h"

#include <cmath>
#include <limits>
#include <map>

namespace tilewright::runtime {

/// Loss and metrics of an epoch by name.
using Logs = std::map<std::string, double>;

/// "Epoch 00012", as Keras 2.6 writes it.
std::string kerasEpoch(std::int64_t epoch);

/// A callback at work.
class Callbacks::One {
public:
    One(model::Callback callback, CallbackActions const &actions) : m_callback(std::move(callback)), m_actions(actions) {}
    virtual ~One() = default;
    /// The last epoch, which TerminateOnNaN has cut: its loss is NaN. May add to the logs, for the callbacks behind it.
    virtual Status endAtNotFinite(std::int64_t /*epoch*/, Logs & /*logs*/, JobContext const & /*job*/) { return {}; }
    virtual Status begin(std::vector<std::string> const & /*logged*/) { return {}; }
    virtual Status beginEpoch(std::int64_t /*epoch*/) { return {}; }
    /// True ends the training. May add to the logs, for the callbacks behind it.
    virtual Result<bool> endEpoch(std::int64_t epoch, Logs &logs, JobContext const &job) = 0;
    /// After all callbacks have seen the epoch.
    virtual Status finishEpoch(JobContext const & /*job*/) { return {}; }
    /// Micro-batches of the epoch that have finished since the last call, `batch` of the epoch now; only if the callback wants them.
    virtual Status endBatches(std::int64_t /*epoch*/, std::int64_t /*batch*/, std::int64_t /*more*/, Logs const & /*logs*/,
                              JobContext const & /*job*/)
    {
        return {};
    }
    virtual bool wantsBatches() const { return false; }
    /// `whole`: nothing was left to train.
    virtual void endTraining(bool /*whole*/) {}
    std::string const &name() const { return m_callback.className; }

    /// Null: the callback begins anew.
    virtual model::Json save() const { return nullptr; }
    virtual void load(model::Json const & /*saved*/) {}
    virtual TrainingState const *bestWeights() const { return nullptr; }
    virtual void loadBestWeights(TrainingState /*weights*/) {}
    /// Values of another quantity do not compare.
    std::string const *monitor() const
    {
        auto const it = m_callback.config.find("monitor");
        return it == m_callback.config.end() ? nullptr : it->get_ptr<std::string const *>();
    }
    std::int64_t begun = 0;       ///< the last epoch that it began, from 1
    std::int64_t begunBefore = 0; ///< the same, before the training was resumed

protected:
    /// A message that Keras prints if the callback is verbose; the log contains it in any case.
    void tell(std::string text) const { m_actions.tell(name(), std::move(text), m_callback.integer("verbose") > 0); }
    /// The monitored value of an epoch. Warns once if there is none.
    std::optional<double> monitored(Logs const &logs, std::string_view what, JobContext const &job);
    /// Infinite: the worst value, which JSON cannot hold.
    static model::Json savedBest(std::optional<double> const &best)
    {
        return best && std::isfinite(*best) ? model::Json(*best) : model::Json(nullptr);
    }
    bool isBetter(double value, double than) const { return model::largerIsBetter(m_callback) ? value > than : value < than; }
    double worst() const
    {
        double const infinity = std::numeric_limits<double>::infinity();
        return model::largerIsBetter(m_callback) ? -infinity : infinity;
    }

    model::Callback m_callback;
    CallbackActions const &m_actions;

private:
    bool m_warned = false;
};

/// Callbacks that write files; null for another class.
std::unique_ptr<Callbacks::One> makeFileCallback(model::Callback const &callback, CallbackActions const &actions);

} // namespace tilewright::runtime
