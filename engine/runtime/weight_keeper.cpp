#include "engine/runtime/weight_keeper.h"

#include "engine/core/clock.h"
#include "engine/core/files.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/session_parts.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include <unistd.h>

namespace tilewright::runtime {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kBetweenEpochSaves = std::chrono::seconds(1);
constexpr auto kAtTheLatest = std::chrono::minutes(5);

bool isFinite(StateTensor const &tensor)
{
    auto const count = tensor.bytes.size() / static_cast<std::size_t>(sizeOf(tensor.dtype));
    if (tensor.dtype == DType::F32) {
        bool finite = true; // no early end: the loop is one of vectors
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, tensor.bytes.data() + 4 * i, 4);
            finite &= (bits & 0x7f800000u) != 0x7f800000u;
        }
        return finite;
    }
    if (tensor.dtype == DType::F16)
        for (std::size_t i = 0; i < count; ++i) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, tensor.bytes.data() + 2 * i, 2);
            if ((bits & 0x7c00u) == 0x7c00u) return false;
        }
    return true;
}

StateTensor const *notFinite(TrainingState const &state)
{
    for (auto const &tensor : state.tensors)
        if (!isFinite(tensor)) return &tensor;
    return nullptr;
}

/// Weights replace weights, and nothing else that is there: a mistyped name must not cost a project.
Status refuseOther(fs::path const &path)
{
    std::error_code problem;
    if (!fs::is_regular_file(path, problem) || fs::file_size(path, problem) == 0) return {};
    char head[2] = {};
    std::ifstream(path, std::ios::binary).read(head, 2);
    if (head[0] == 'P' && head[1] == 'K') return {};
    return makeError(ErrorKind::Usage, "checkpoint.place", path.string(), "the file is there and holds no weights: they would replace it.",
                     "Name another file, such as weights.npz.");
}

/// "digits-2026-01-31T12:00:00Z-1234.npz", without what file systems or shells dislike.
std::string rescueName(fs::path const &of)
{
    std::string name = of.stem().string() + "-" + utcNow() + "-" + std::to_string(::getpid());
    for (char &c : name)
        if (static_cast<unsigned char>(c) <= ' ' || std::strchr("/:*?\"'<>|\\$`&;!", c)) c = '_';
    if (name.size() > 200) name.erase(0, name.size() - 200);
    return name + ".npz";
}

} // namespace

struct WeightKeeper::Impl {
    WeightPlaces places;
    Clock::time_point lastSave = Clock::now();
    bool savedOnce = false;
    std::thread thread;
    std::atomic<bool> busy{false};
    std::mutex mutex; ///< of what follows
    std::optional<Diagnostic> problem; ///< of a save while the training goes on
    bool told = false;
    std::int64_t keptEpoch = -1, keptStep = -1; ///< of the last state that every place took

    bool wanted() const { return !places.file.empty() || !places.project.empty(); }

    Status toFile(TrainingState const &state) const
    {
        // Heeds no stop: what is finished is kept. Without memory for it the next place is tried.
        return inHostMemory("saving the weights", [&] { return writeCheckpoint(places.file, state, {}); });
    }

    Status toProject(TrainingState const &state, store::Packing packing) const
    {
        return inHostMemory("saving the weights", [&] { return writeLastCheckpoint(places.project, state, packing); });
    }

    void saveNow(TrainingState const &state)
    {
        Status status;
        if (auto const *bad = notFinite(state))
            status = makeError(ErrorKind::Numeric, "checkpoint.not-finite", bad->name, "weights that are infinite or not a number are not saved.");
        if (status.ok() && !places.file.empty()) status = toFile(state);
        if (!places.project.empty() && (status.ok() || status.error().code != "checkpoint.not-finite"))
            if (auto const saved = toProject(state, store::Packing::Fast); !saved.ok() && status.ok()) status = saved;
        std::lock_guard const lock(mutex);
        if (status.ok()) {
            keptEpoch = state.epoch;
            keptStep = state.step;
            told = false;
        } else if (!told) {
            problem = status.error();
        }
    }

    void wait()
    {
        if (thread.joinable()) thread.join();
    }

    void tell(JobContext const &job)
    {
        std::lock_guard const lock(mutex);
        if (!problem) return;
        auto warning = *std::exchange(problem, std::nullopt);
        warning.severity = Severity::Warning;
        warning.message = "the weights could not be saved on the way, the training goes on: " + warning.message;
        told = true;
        job.warn(std::move(warning));
    }

    KeptWeights rescue(TrainingState const &state, Diagnostic error)
    {
        KeptWeights kept;
        auto const name = rescueName(places.file.empty() ? places.project : places.file);
        // Where no disk answers for what it was given, a file that lives until the power fails is better than none.
        for (auto const sync : {Sync::Yes, Sync::No}) {
            for (auto const &folder : stateFolders("rescue")) {
                if (!inHostMemory("saving the weights", [&] { return writeCheckpoint(folder / name, state, {}, sync); }).ok()) continue;
                kept.place = kept.rescue = (folder / name).string();
                error.message += " The weights are kept in " + kept.place + ".";
                if (sync == Sync::No) error.message += " The disk did not confirm that it holds them: copy them to another one.";
                error.remedy = "`tilewright train PROJECT --resume " + kept.place + "` goes on from there, with more --epochs where all were done; "
                             "`evaluate` and `predict` take it by --checkpoint.";
                break;
            }
            if (!kept.place.empty()) break;
        }
        if (kept.place.empty()) error.message += " No other place took the weights either: they are lost.";
        kept.problem = std::move(error);
        return kept;
    }
};

WeightKeeper::WeightKeeper(WeightPlaces places) : m(std::make_unique<Impl>()) { m->places = std::move(places); }
WeightKeeper::~WeightKeeper() { m->wait(); }

Status WeightKeeper::tryPlaces(std::int64_t bytes, JobContext const &job)
{
    auto &places = m->places;
    if (!places.file.empty()) {
        TW_TRY(refuseOther(places.file));
        TW_TRY(tryWriting(places.file, bytes));
    }
    if (places.project.empty()) return {};
    auto const tried = store::tryProject(places.project, bytes);
    if (tried.ok()) return {};
    auto error = tried.error();
    if (error.kind == ErrorKind::Invalid) error.kind = ErrorKind::Data;
    if (places.file.empty()) {
        error.message = "the weights could not be kept in the project: " + error.message;
        if (!error.message.ends_with('.')) error.message += '.';
        error.remedy += std::string(error.remedy.empty() ? "" : " ") + "Or give --checkpoint FILE.npz in a place that can be written.";
        return error;
    }
    job.warn(makeWarning("checkpoint.project", places.project.string(), "the project keeps no weights of this run: " + error.message,
                         "They go to " + places.file.string() + "."));
    places.project.clear();
    return {};
}

bool WeightKeeper::isDue(bool epochEnded) const
{
    if (!m->wanted() || m->busy) return false;
    auto const passed = Clock::now() - m->lastSave;
    if (epochEnded) return !m->savedOnce || passed >= kBetweenEpochSaves;
    return passed >= kAtTheLatest;
}

void WeightKeeper::save(TrainingState state, JobContext const &job)
{
    m->tell(job);
    if (!m->wanted() || m->busy) return;
    m->wait();
    m->lastSave = Clock::now();
    m->savedOnce = true;
    auto shared = std::make_shared<TrainingState const>(std::move(state));
    m->busy = true;
    try {
        m->thread = std::thread([impl = m.get(), shared]() mutable {
            try {
                impl->saveNow(*shared);
            } catch (std::bad_alloc const &) { // the next save may find some
            }
            shared.reset();
            impl->busy = false;
        });
    } catch (std::system_error const &) { // no more threads for us: then here
        m->saveNow(*shared);
        m->busy = false;
    }
}

void WeightKeeper::settle() { m->wait(); }

void WeightKeeper::leaveProject() { m->places.project.clear(); }

KeptWeights WeightKeeper::finish(TrainingState const &state, JobContext const &job)
{
    m->wait();
    m->tell(job);
    KeptWeights kept;
    if (!m->wanted()) return kept;
    auto const &places = m->places;
    std::string const wanted = !places.file.empty() ? places.file.string() : "last";
    if (auto const *bad = notFinite(state)) {
        bool const before = m->keptStep >= 0;
        job.warn(makeWarning("checkpoint.not-finite", bad->name, "the last weights are infinite or not a number, and are not kept.",
                             before ? "Kept are those of step " + std::to_string(m->keptStep) + "." : "What was there before is as it was."));
        if (before) kept.place = wanted;
        return kept;
    }
    std::optional<Diagnostic> failed;
    std::string taken;
    if (!places.project.empty()) {
        auto const saved = m->toProject(state, job.cancelled() ? store::Packing::Fast : store::Packing::Small);
        if (saved.ok()) {
            taken = "last";
        } else {
            failed = saved.error();
            failed->subject = places.project.string();
        }
    }
    if (!places.file.empty()) {
        auto const saved = m->toFile(state);
        if (saved.ok()) taken = places.file.string();
        else failed = saved.error();
    }
    if (!failed) {
        kept.place = wanted;
        return kept;
    }
    Diagnostic error = makeError(ErrorKind::Data, "checkpoint.unsaved", failed->subject, "the trained weights could not be written there: " + failed->message);
    if (!error.message.ends_with('.')) error.message += '.';
    if (taken.empty()) return m->rescue(state, std::move(error));
    kept.place = taken;
    error.message += taken == "last" ? " They are in the project, as checkpoint `last`." : " They are in " + taken + ".";
    error.remedy = failed->remedy;
    kept.problem = std::move(error);
    return kept;
}

} // namespace tilewright::runtime
