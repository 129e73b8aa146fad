#include "engine/runtime/callbacks.h"

#include "engine/core/files.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/model/rate_expression.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/run_state.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <optional>

namespace tilewright::runtime {

namespace fs = std::filesystem;

namespace {

/// Loss and metrics of an epoch by name.
using Logs = std::map<std::string, double>;

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

/// "Epoch 00012", as Keras 2.6 writes it.
std::string kerasEpoch(std::int64_t epoch)
{
    auto const number = std::to_string(epoch);
    return "Epoch " + std::string(5 - std::min<std::size_t>(5, number.size()), '0') + number;
}

} // namespace

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
    virtual void endTraining() {}
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
    std::optional<double> monitored(Logs const &logs, std::string_view what, JobContext const &job)
    {
        auto const it = logs.find(m_callback.text("monitor"));
        if (it != logs.end()) return it->second;
        if (!m_warned)
            job.warn(makeWarning("callback.no-value", name(),
                                 Message::of("%1 conditioned on metric `%2` which is not available. Available metrics are: %3",
                                             std::string(what), m_callback.text("monitor"), namesOf(logs)),
                                 Message::of("Set monitor to one of them, or hold out validation samples (training.validation_split).")));
        m_warned = true;
        return {};
    }
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
    void endTraining() override
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

public:
};

/// A callback's file lies below the project's folder, also behind links, and replaces only what an earlier run of the callback wrote.
Status checkOwn(fs::path const &path, fs::path const &folder, std::string const &subject, bool (*isOwn)(fs::path const &))
{
    std::error_code ignored;
    auto const home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, ignored), real = fs::weakly_canonical(path, ignored);
    auto const [inside, at] = std::mismatch(home.begin(), home.end(), real.begin(), real.end());
    if (inside != home.end())
        return makeError(ErrorKind::Invalid, "callbacks.outside", subject,
                         Message::of("%1 leads out of the folder of the project", path.string()),
                         Message::of("give a path that does not pass through a link"));
    if (!fs::exists(path, ignored) || isOwn(path)) return {};
    return makeError(ErrorKind::Usage, "callbacks.foreign-file", path.string(),
                     Message::of("this file was not written by the callback, which would replace it."),
                     Message::of("Choose another name (%1), or move the file away.", subject));
}

class ModelCheckpoint final : public One {
public:
    using One::One;

    Status begin(std::vector<std::string> const &logged) override
    {
        Logs logs;
        for (auto const &name : logged) logs[name] = 0;
        TW_ASSIGN(auto const path, pathOf(1, logs));
        TW_TRY(checkEpochsWithoutValidation(logs));
        TW_TRY(checkOwn(path, m_actions.folder, kSubject, isCheckpointFile));
        TW_TRY(makeFolder(path.parent_path()));
        return tryWriting(path, 0);
    }
    Result<bool> endEpoch(std::int64_t epoch, Logs &logs, JobContext const &job) override
    {
        TW_ASSIGN(auto const path, pathOf(epoch, logs));
        auto const monitor = m_callback.text("monitor");
        if (m_callback.flag("save_best_only")) {
            auto const value = monitored(logs, "Saving the best model is", job);
            if (!value) return false;
            if (!m_best) m_best = worst();
            if (!isBetter(*value, *m_best)) {
                tell(kerasEpoch(epoch) + ": " + monitor + " did not improve from " + fixedText(*m_best, 5));
                return false;
            }
            tell(kerasEpoch(epoch) + ": " + monitor + " improved from "
                 + (std::isinf(*m_best) ? *m_best > 0 ? "inf" : "-inf" : fixedText(*m_best, 5)) + " to " + fixedText(*value, 5)
                 + ", saving model to " + path.string());
            m_best = *value;
        } else {
            tell(kerasEpoch(epoch) + ": saving model to " + path.string());
        }
        TW_TRY(checkOwn(path, m_actions.folder, kSubject, isCheckpointFile));
        TW_TRY(makeFolder(path.parent_path()));
        m_pending.emplace(path, m_callback.flag("save_weights_only") ? m_actions.weights() : m_actions.state());
        return false;
    }
    /// The file holds the state of the callbacks behind it, too.
    Status finishEpoch(JobContext const &job) override
    {
        if (!m_pending) return {};
        auto [path, state] = std::move(*m_pending);
        m_pending.reset();
        if (!m_callback.flag("save_weights_only")) m_actions.addRun(state);
        return writeCheckpoint(path, state, job);
    }
    model::Json save() const override { return {{"best", savedBest(m_best)}}; }
    void load(model::Json const &saved) override { m_best = numberOf(saved, "best"); }

private:
    static constexpr char const *kSubject = "training.callbacks.ModelCheckpoint.filepath";

    /// An epoch without validation has no val_loss for the name of its file; only one that saves needs it.
    Status checkEpochsWithoutValidation(Logs logs) const
    {
        if (m_actions.unvalidatedEpoch == 0) return {};
        std::erase_if(logs, [](auto const &entry) { return entry.first.starts_with("val_"); });
        if (m_callback.flag("save_best_only") && !logs.contains(m_callback.text("monitor"))) return {};
        auto const path = pathOf(m_actions.unvalidatedEpoch, logs);
        if (path.ok()) return {};
        auto error = path.error();
        error.message = Message::of("epoch %1 has no validation (training.validation_freq): %2", m_actions.unvalidatedEpoch, error.message);
        return error;
    }
    Result<fs::path> pathOf(std::int64_t epoch, Logs const &logs) const
    {
        std::vector<model::PatternValue> values{{"epoch", static_cast<double>(epoch), true}};
        for (auto const &[name, value] : logs) values.push_back({name, value, false});
        TW_ASSIGN(auto const text, model::formatPattern(m_callback.text("filepath"), values, kSubject));
        return m_actions.folder / text;
    }
    Status makeFolder(fs::path const &folder) const
    {
        std::error_code problem;
        fs::create_directories(folder, problem);
        if (!problem || fs::is_directory(folder)) return {};
        return makeError(ErrorKind::Data, "file.folder", folder.string(), Message::of("the folder cannot be made: %1", problem.message()),
                         Message::of("Choose another path for the checkpoint."));
    }

    std::optional<double> m_best;
    std::optional<std::pair<fs::path, TrainingState>> m_pending;
};

class CsvLogger final : public One {
public:
    using One::One;

    Status endAtNotFinite(std::int64_t epoch, Logs &logs, JobContext const &job) override
    {
        TW_ASSIGN([[maybe_unused]] bool const ends, endEpoch(epoch, logs, job));
        return {};
    }
    Status begin(std::vector<std::string> const &) override
    {
        m_path = m_actions.folder / m_callback.text("filename");
        TW_TRY(checkOwn(m_path, m_actions.folder, "training.callbacks.CSVLogger.filename", isLog));
        TW_TRY(tryWriting(m_path, 0));
        if (!m_callback.flag("append") || !fs::exists(m_path)) return {};
        TW_ASSIGN(m_text, readFile(m_path));
        return {};
    }
    Result<bool> endEpoch(std::int64_t epoch, Logs &logs, JobContext const &) override
    {
        auto const separator = m_callback.text("separator");
        if (m_names.empty()) {
            for (auto const &[name, value] : logs) m_names.push_back(name); // sorted, as Keras's
            if (m_text.empty()) {
                m_text = "epoch";
                for (auto const &name : m_names) m_text += separator + name;
                m_text += '\n';
            }
        }
        m_text += std::to_string(epoch - 1); // from 0, as Keras's
        for (auto const &name : m_names) {
            auto const it = logs.find(name);
            m_text += separator + (it == logs.end() ? "NA" : numberText(it->second));
        }
        m_text += '\n';
        TW_TRY(writeFileAtomically(m_path, m_text, Sync::No));
        return false;
    }
    model::Json save() const override { return {{"keys", m_names}}; }
    /// The columns of a file that goes on are those of its first epoch.
    void load(model::Json const &saved) override
    {
        auto const keys = saved.find("keys");
        if (m_text.empty() || keys == saved.end() || !keys->is_array()) return;
        for (auto const &key : *keys)
            if (auto const *name = key.get_ptr<std::string const *>()) m_names.push_back(*name);
    }

private:
    /// Empty, or with the first column of a log.
    static bool isLog(fs::path const &path)
    {
        std::string head(5, '\0');
        std::ifstream file(path, std::ios::binary);
        file.read(head.data(), static_cast<std::streamsize>(head.size()));
        return file.gcount() == 0 || head == "epoch";
    }

    fs::path m_path;
    std::string m_text;
    std::vector<std::string> m_names;
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
        else if (callback.className == "ModelCheckpoint") one = std::make_unique<ModelCheckpoint>(callback, m_actions);
        else if (callback.className == "CSVLogger") one = std::make_unique<CsvLogger>(callback, m_actions);
        else if (callback.className == "TerminateOnNaN") m_terminatesOnNaN = true;
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

void Callbacks::endTraining()
{
    for (auto const &one : m_all) one->endTraining();
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
