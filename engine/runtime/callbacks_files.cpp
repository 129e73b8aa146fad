// Callbacks that write files.
#include "engine/core/files.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/runtime/callback_parts.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/event_file.h"
#include "engine/runtime/run_state.h"

#include <algorithm>
#include <fstream>

namespace tilewright::runtime {

namespace fs = std::filesystem;

namespace {

using One = Callbacks::One;

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

fs::path backupFile(model::Callback const &callback, fs::path const &folder) { return folder / callback.text("backup_dir") / "backup.npz"; }

Status makeFolder(fs::path const &folder)
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (!problem || fs::is_directory(folder)) return {};
    return makeError(ErrorKind::Data, "file.folder", folder.string(), Message::of("the folder cannot be made: %1", problem.message()),
                     Message::of("Choose another path for the checkpoint."));
}

class ModelCheckpoint final : public One {
public:
    ModelCheckpoint(model::Callback const &callback, CallbackActions const &actions)
        : One(callback, actions), m_batches(model::batchesOf(callback.text("save_freq")))
    {
    }

    Status begin(std::vector<std::string> const &logged) override
    {
        Logs logs;
        for (auto const &name : logged) logs[name] = 0;
        TW_ASSIGN(auto const path, pathOf(1, 1, logs));
        TW_TRY(checkEpochsWithoutValidation(logs));
        TW_TRY(checkOwn(path, m_actions.folder, kSubject, isCheckpointFile));
        TW_TRY(makeFolder(path.parent_path()));
        return tryWriting(path, 0);
    }
    bool wantsBatches() const override { return m_batches > 0; }
    /// As Keras: after at least so many batches, which may have begun in an earlier epoch.
    Status endBatches(std::int64_t epoch, std::int64_t batch, std::int64_t more, Logs const &logs, JobContext const &job) override
    {
        m_seen += more;
        if (m_seen < m_batches) return {};
        m_seen = 0;
        TW_TRY(keep(epoch, batch, logs, job));
        return finishEpoch(job);
    }
    Result<bool> endEpoch(std::int64_t epoch, Logs &logs, JobContext const &job) override
    {
        if (m_batches == 0) TW_TRY(keep(epoch, 0, logs, job));
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
    model::Json save() const override { return {{"best", savedBest(m_best)}, {"batches", m_seen}}; }
    void load(model::Json const &saved) override
    {
        m_best = numberOf(saved, "best");
        m_seen = countOf(saved, "batches").value_or(0);
    }

private:
    static constexpr char const *kSubject = "training.callbacks.ModelCheckpoint.filepath";

    /// `batch`: 0 at the end of an epoch.
    Status keep(std::int64_t epoch, std::int64_t batch, Logs const &logs, JobContext const &job)
    {
        TW_ASSIGN(auto const path, pathOf(epoch, batch, logs));
        auto const monitor = m_callback.text("monitor");
        if (m_callback.flag("save_best_only")) {
            auto const value = monitored(logs, "Saving the best model is", job);
            if (!value) return {};
            if (!m_best) m_best = worst();
            if (!isBetter(*value, *m_best)) {
                tell(kerasEpoch(epoch) + ": " + monitor + " did not improve from " + fixedText(*m_best, 5));
                return {};
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
        return {};
    }

    /// An epoch without validation has no val_loss for the name of its file; only one that saves needs it.
    Status checkEpochsWithoutValidation(Logs logs) const
    {
        if (m_actions.unvalidatedEpoch == 0) return {};
        std::erase_if(logs, [](auto const &entry) { return entry.first.starts_with("val_"); });
        if (m_callback.flag("save_best_only") && !logs.contains(m_callback.text("monitor"))) return {};
        auto const path = pathOf(m_actions.unvalidatedEpoch, 1, logs);
        if (path.ok()) return {};
        auto error = path.error();
        error.message = Message::of("epoch %1 has no validation (training.validation_freq): %2", m_actions.unvalidatedEpoch, error.message);
        return error;
    }
    Result<fs::path> pathOf(std::int64_t epoch, std::int64_t batch, Logs const &logs) const
    {
        std::vector<model::PatternValue> values{{"epoch", static_cast<double>(epoch), true}};
        if (m_batches > 0) values.push_back({"batch", static_cast<double>(batch), true});
        for (auto const &[name, value] : logs) values.push_back({name, value, false});
        TW_ASSIGN(auto const text, model::formatPattern(m_callback.text("filepath"), values, kSubject));
        return m_actions.folder / text;
    }
    std::int64_t m_batches = 0, m_seen = 0; ///< between two saves, 0: an epoch; since the last one
    std::optional<double> m_best;
    std::optional<std::pair<fs::path, TrainingState>> m_pending;
};

/// Its file is read by the training before the first step (backupOf).
class BackupAndRestore final : public One {
public:
    using One::One;

    Status begin(std::vector<std::string> const &) override
    {
        m_path = backupFile(m_callback, m_actions.folder);
        TW_TRY(checkOwn(m_path, m_actions.folder, "training.callbacks.BackupAndRestore.backup_dir", isCheckpointFile));
        TW_TRY(makeFolder(m_path.parent_path()));
        return tryWriting(m_path, 0);
    }
    Result<bool> endEpoch(std::int64_t, Logs &, JobContext const &) override
    {
        m_pending = m_actions.state();
        return false;
    }
    Status finishEpoch(JobContext const &job) override
    {
        if (!m_pending) return {};
        auto state = std::move(*m_pending);
        m_pending.reset();
        m_actions.addRun(state);
        return writeCheckpoint(m_path, state, job);
    }
    /// What has ended needs no backup.
    void endTraining(bool whole) override
    {
        std::error_code ignored;
        if (whole) fs::remove(m_path, ignored);
    }

private:
    fs::path m_path;
    std::optional<TrainingState> m_pending;
};

/// Keras's tags: epoch_loss in train and validation, batch_loss, and a histogram of each weight.
class TensorBoard final : public One {
public:
    TensorBoard(model::Callback const &callback, CallbackActions const &actions)
        : One(callback, actions), m_batches(model::batchesOf(callback.text("update_freq")))
    {
    }

    Status begin(std::vector<std::string> const &) override
    {
        for (auto *one : {&m_train, &m_validation}) {
            auto const folder = m_actions.folder / m_callback.text("log_dir") / (one == &m_train ? "train" : "validation");
            auto const path = folder / EventFile::newName();
            TW_TRY(checkOwn(path, m_actions.folder, "training.callbacks.TensorBoard.log_dir", [](fs::path const &) { return false; }));
            *one = EventFile(path);
        }
        return makeFolder(m_actions.folder / m_callback.text("log_dir"));
    }
    bool wantsBatches() const override { return m_batches > 0; }
    Status endBatches(std::int64_t, std::int64_t, std::int64_t more, Logs const &logs, JobContext const &) override
    {
        m_steps += more;
        m_seen += more;
        if (m_seen < m_batches) return {};
        m_seen = 0;
        for (auto const &[name, value] : logs) m_train.addScalar("batch_" + name, m_steps, value);
        return m_train.flush();
    }
    Result<bool> endEpoch(std::int64_t epoch, Logs &logs, JobContext const &) override
    {
        constexpr std::string_view kOfValidation = "val_";
        for (auto const &[name, value] : logs) {
            bool const validates = name.starts_with(kOfValidation);
            auto const tag = "epoch_" + (validates ? name.substr(kOfValidation.size()) : name);
            (validates ? m_validation : m_train).addScalar(tag, epoch - 1, value);
        }
        auto const every = m_callback.integer("histogram_freq");
        if (every > 0 && (epoch - 1) % every == 0)
            for (auto const &weight : m_actions.weights().tensors) // Keras's name, "dense/kernel:0", where a colon is not allowed
                m_train.addHistogram(weight.name + "_0", epoch - 1, valuesOf(weight));
        TW_TRY(m_train.flush());
        TW_TRY(m_validation.flush());
        return false;
    }
    model::Json save() const override { return {{"steps", m_steps}, {"batches", m_seen}}; }
    void load(model::Json const &saved) override
    {
        m_steps = countOf(saved, "steps").value_or(0);
        m_seen = countOf(saved, "batches").value_or(0);
    }

private:
    static std::vector<double> valuesOf(StateTensor const &tensor)
    {
        auto const array = data::borrowArray(tensor.dtype, tensor.shape, tensor.bytes.data());
        std::vector<double> values(static_cast<std::size_t>(array.elements()));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = array.valueAt(static_cast<std::int64_t>(i));
        return values;
    }

    std::int64_t m_batches = 0, m_seen = 0, m_steps = 0;
    EventFile m_train, m_validation;
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

Result<std::optional<TrainingState>> backupOf(std::vector<model::Callback> const &callbacks, fs::path const &folder, JobContext const &job)
{
    for (auto const &callback : callbacks) {
        if (callback.className != "BackupAndRestore") continue;
        auto const path = backupFile(callback, folder);
        if (!isCheckpointFile(path)) continue;
        TW_ASSIGN(auto state, readCheckpoint(path, job));
        return std::optional(std::move(state));
    }
    return std::optional<TrainingState>();
}

std::unique_ptr<Callbacks::One> makeFileCallback(model::Callback const &callback, CallbackActions const &actions)
{
    if (callback.className == "ModelCheckpoint") return std::make_unique<ModelCheckpoint>(callback, actions);
    if (callback.className == "BackupAndRestore") return std::make_unique<BackupAndRestore>(callback, actions);
    if (callback.className == "CSVLogger") return std::make_unique<CsvLogger>(callback, actions);
    if (callback.className == "TensorBoard") return std::make_unique<TensorBoard>(callback, actions);
    return nullptr;
}

} // namespace tilewright::runtime
