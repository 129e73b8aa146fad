#include "engine/runtime/weight_keeper.h"

#include "engine/core/clock.h"
#include "engine/core/files.h"
#include "engine/core/internal_error.h"
#include "engine/model/resolve.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/session_parts.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include <sys/stat.h>
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
    return makeError(ErrorKind::Usage, "checkpoint.place", path.string(),
                     Message::of("the file exists and holds no weights: writing the weights would overwrite it."),
                     Message::of("Name another file, such as weights.npz."));
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

/// While a training goes on somebody may change the project, or put another one in its place: weights that its model does
/// not have would make it useless, and take the place of those it has.
Status requireSameModel(fs::path const &path, TrainingState const &state, std::vector<std::string> const &names)
{
    TW_ASSIGN(auto const document, store::readProjectFile(path));
    TW_ASSIGN(auto const project, project::projectFromParts(document.parts, nullptr));
    TW_ASSIGN(auto const model, model::resolve(project.model));
    auto const refs = model::weightOrder(model);
    Message other;
    for (auto const &ref : refs) {
        auto const name = model::weightPath(model, ref);
        auto const *tensor = state.find(name);
        auto const &shape = model.layers[ref.layer].weights[ref.weight].shape;
        if (!tensor) other = Message::of("it has a weight '%1'", name);
        else if (tensor->shape != shape)
            other = Message::of("its weight '%1' is %2, the trained one %3", name, tilewright::toText(shape),
                                tilewright::toText(tensor->shape));
        if (!other.empty()) break;
    }
    if (other.empty() && refs.size() < names.size())
        for (auto const &name : names)
            if (std::ranges::none_of(refs, [&](auto const &ref) { return model::weightPath(model, ref) == name; }))
                other = Message::of("it has no weight '%1'", name);
    if (other.empty()) return {};
    return makeError(ErrorKind::Data, "checkpoint.other-model", path.string(),
                     Message::of("the project's model is no longer the one that is trained: %1.", other),
                     Message::of("Change a copy while a training goes on."));
}

/// Which file it is and when it was written, to know it again.
struct FileMark {
    dev_t device = 0;
    ino_t number = 0;
    off_t bytes = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(FileMark const &) const = default;

    /// None of what is no file: a pipe holds nothing.
    static std::optional<FileMark> of(fs::path const &path)
    {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
        return FileMark{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    }
};

/// Which state of this run a place took last.
struct Taken {
    std::int64_t epoch = -1, step = -1;
    bool any() const { return step >= 0; }
    bool is(TrainingState const &state) const { return epoch == state.epoch && step == state.step; }
};

Message epochText(std::int64_t epoch, std::int64_t step) { return Message::of("epoch %1 (step %2)", epoch, step); }

/// While it lives, a program that is ended by std::terminate keeps these weights first: the JSON library, by which projects are
/// read, takes memory in destructors, from which nothing can be thrown. One at a time: those who come second wait for no help.
class LastResort {
public:
    using Rescue = std::function<void()>;
    explicit LastResort(Rescue rescue) : m_rescue(std::move(rescue))
    {
        LastResort *none = nullptr;
        m_active = s_active.compare_exchange_strong(none, this);
        if (m_active) s_before = std::set_terminate(&LastResort::terminated);
    }
    ~LastResort()
    {
        if (!m_active) return;
        std::set_terminate(s_before);
        s_active = nullptr;
    }
    LastResort(LastResort const &) = delete;
    LastResort &operator=(LastResort const &) = delete;

private:
    [[noreturn]] static void terminated()
    {
        std::set_terminate(s_before);
        if (auto *one = s_active.exchange(nullptr)) one->m_rescue();
        std::terminate();
    }

    static inline std::atomic<LastResort *> s_active{nullptr};
    static inline std::terminate_handler s_before = nullptr;
    Rescue m_rescue;
    bool m_active = false;
};

} // namespace

struct WeightKeeper::Impl {
    WeightPlaces places;
    Clock::time_point lastSave = Clock::now();
    bool savedOnce = false;
    std::thread thread;
    std::atomic<bool> busy{false};
    std::mutex mutex;                  ///< of what follows
    std::optional<Diagnostic> problem; ///< of a save while the training goes on
    bool told = false;
    std::vector<std::string> weights;
    Taken inFile, inProject; ///< touched by one thread at a time: whoever saves
    std::optional<FileMark> mark;

    bool wanted() const { return !places.file.empty() || !places.project.empty(); }

    Status toFile(TrainingState const &state)
    {
        if (inFile.is(state) && mark && FileMark::of(places.file) == mark) return {};
        // Heeds no stop: what is finished is kept. Without memory for it the next place is tried.
        TW_TRY(inHostMemory(Message::of("saving the weights"), [&] { return writeCheckpoint(places.file, state, {}); }));
        inFile = {state.epoch, state.step};
        mark = FileMark::of(places.file);
        return {};
    }

    Status toProject(TrainingState const &state, store::Packing packing)
    {
        return inHostMemory(Message::of("saving the weights"), [&]() -> Status {
            LastResort const resort([&] {
                auto const kept = rescue(state,
                                         makeError(ErrorKind::Data, "checkpoint.unsaved", places.project.string(),
                                                   Message::of("the program ended while it saved the weights.")));
                std::fprintf(stderr, "tilewright: error: %s\n", toText(*kept.problem).c_str());
            });
            if (!weights.empty()) TW_TRY(requireSameModel(places.project, state, weights));
            if (inProject.is(state) && isLastCheckpoint(places.project, state)) return {};
            TW_TRY(writeLastCheckpoint(places.project, state, packing));
            inProject = {state.epoch, state.step};
            return {};
        });
    }

    void saveNow(TrainingState const &state)
    {
        Status status;
        if (auto const *bad = notFinite(state))
            status = makeError(ErrorKind::Numeric, "checkpoint.not-finite", bad->name,
                               Message::of("weights that are infinite or not a number are not saved."));
        if (status.ok() && !places.file.empty()) status = toFile(state);
        if (!places.project.empty() && (status.ok() || status.error().code != "checkpoint.not-finite"))
            if (auto const saved = toProject(state, store::Packing::Fast); !saved.ok() && status.ok()) status = saved;
        std::lock_guard const lock(mutex);
        if (status.ok()) told = false;
        else if (!told) problem = status.error();
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
        warning.message = Message::of("the weights could not be saved during the training, which goes on: %1", warning.message);
        told = true;
        job.warn(std::move(warning));
    }

    /// Writes it to the first folder that takes it; says where, or nothing.
    std::string written(TrainingState const &state, std::string const &name, Sync sync) const
    {
        for (auto const &folder : stateFolders("rescue"))
            if (inHostMemory(Message::of("saving the weights"), [&] { return writeCheckpoint(folder / name, state, {}, sync); }).ok())
                return (folder / name).string();
        return {};
    }

    /// Where earlier weights are when the last ones could not be written: in the project or the file, of this run or of an earlier one.
    Message heldText(Message &remedy) const
    {
        auto const append = [](Message &text, Message const &sentence) { text += (text.empty() ? Message() : Message(" ")) + sentence; };
        Message text;
        if (auto const last = places.project.empty() ? std::nullopt : lastCheckpointInfo(places.project)) {
            bool const ours = inProject.any() && last->epoch == inProject.epoch && last->step == inProject.step;
            auto const when = epochText(last->epoch, last->step);
            append(text, ours ? Message::of("The project holds %1.", when) : Message::of("The project holds %1 of an earlier run.", when));
            if (ours) append(remedy, Message::of("`train PROJECT --resume last` continues from the weights in the project."));
        }
        if (inFile.any() && mark && FileMark::of(places.file) == mark) {
            append(text, Message::of("%1 holds %2.", places.file.string(), epochText(inFile.epoch, inFile.step)));
            if (remedy.find("--resume") == std::string::npos)
                append(remedy, Message::of("`train PROJECT --resume %1` continues from the weights in the file.", places.file.string()));
        }
        return text;
    }

    KeptWeights rescue(TrainingState const &state, Diagnostic error, bool otherModel = false)
    {
        KeptWeights kept;
        auto const name = rescueName(places.file.empty() ? places.project : places.file);
        // Where no disk answers for what it was given, a file that lives until the power fails is better than none; and
        // weights alone, half of it or less, are better than an optimizer's state that is lost with them.
        TrainingState alone{{}, state.epoch, state.step};
        for (auto const &tensor : state.tensors)
            if (std::ranges::find(weights, tensor.name) != weights.end()) alone.tensors.push_back(tensor);
        bool const less = !alone.tensors.empty() && alone.tensors.size() < state.tensors.size();
        Sync sync = Sync::Yes;
        bool whole = true;
        kept.place = written(state, name, sync);
        if (kept.place.empty()) kept.place = written(state, name, sync = Sync::No);
        if (kept.place.empty() && less) {
            whole = false;
            kept.place = written(alone, name, sync = Sync::Yes);
        }
        kept.rescue = kept.place;
        if (!kept.place.empty()) {
            error.message += ' ';
            error.message += whole
                ? Message::of("The weights are kept in %1.", kept.place)
                : Message::of("Only the weights are kept in %1: there was no room for the optimizer's state, which begins "
                              "anew with --resume.",
                              kept.place);
            if (sync == Sync::No)
                error.message +=
                    " " + Message::of("The disk did not confirm that it holds them: copy them to another disk before you switch off.");
            error.remedy = otherModel
                ? Message::of(
                    "The weights belong to the model as it was trained. Restore that model in a copy of the project (in the workbench: "
                    "Runs, Restore project); `tilewright train COPY --resume %1` then continues, and `evaluate` and `predict` "
                    "read the file with --checkpoint.",
                    kept.place)
                : Message::of("`tilewright train PROJECT --resume %1` continues from there, with a larger --epochs if all epochs are done; "
                              "`evaluate` and `predict` read it with --checkpoint.",
                              kept.place);
        } else {
            error.message += " " + Message::of("No other place took the weights either: they are lost.");
            if (auto const held = heldText(error.remedy); !held.empty()) error.message += " " + held;
        }
        kept.problem = std::move(error);
        return kept;
    }
};

WeightKeeper::WeightKeeper(WeightPlaces places) : m(std::make_unique<Impl>()) { m->places = std::move(places); }
WeightKeeper::~WeightKeeper() { m->wait(); }

void WeightKeeper::setWeights(std::vector<std::string> names) { m->weights = std::move(names); }

Status WeightKeeper::tryPlaces(Size const &size, JobContext const &job)
{
    auto &places = m->places;
    if (!places.file.empty()) {
        TW_TRY(refuseOther(places.file));
        TW_TRY(tryWriting(places.file, size.bytes > 0 ? archiveBytes(size.bytes, size.tensors) : 0));
    }
    if (places.project.empty()) return {};
    auto const tried = store::tryProject(places.project, size.bytes, size.tensors);
    if (tried.ok()) return {};
    auto error = tried.error();
    if (error.kind == ErrorKind::Invalid) error.kind = ErrorKind::Data;
    if (places.file.empty()) {
        error.message = Message::of("the weights could not be kept in the project: %1", error.message);
        if (!error.message.ends_with('.')) error.message += '.';
        if (!error.remedy.empty()) error.remedy += ' ';
        error.remedy += Message::of("Or give --checkpoint FILE.npz in a place that can be written.");
        return error;
    }
    job.warn(makeWarning("checkpoint.project", places.project.string(),
                         Message::of("the project keeps no weights of this run: %1", error.message),
                         Message::of("The weights are written to %1.", places.file.string())));
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
            } catch (std::exception const &) {
                auto failure = currentException("saving the weights", Message::of("saving the weights"));
                std::lock_guard const lock(impl->mutex);
                if (!impl->told) impl->problem = std::move(failure);
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
    auto const *bad = notFinite(state);
    kept.notFinite = bad != nullptr;
    if (!m->wanted()) return kept;
    auto const &places = m->places;
    std::string const wanted = !places.file.empty() ? places.file.string() : "last";
    if (bad) {
        auto const &before = places.file.empty() ? m->inProject : m->inFile;
        job.warn(makeWarning("checkpoint.not-finite", bad->name,
                             Message::of("the last weights are infinite or not a number, and are not kept."),
                             before.any() ? Message::of("The weights of step %1 are kept.", std::to_string(before.step))
                                          : Message::of("The weights from before the run are unchanged.")));
        if (before.any()) kept.place = wanted;
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
    Diagnostic error = makeError(ErrorKind::Data, "checkpoint.unsaved", failed->subject,
                                 Message::of("the trained weights could not be written there: %1", failed->message));
    if (!error.message.ends_with('.')) error.message += '.';
    error.remedy = failed->remedy;
    if (taken.empty()) return m->rescue(state, std::move(error), failed->code == "checkpoint.other-model");
    kept.place = taken;
    error.message += ' ';
    error.message +=
        taken == "last" ? Message::of("They are in the project, as checkpoint `last`.") : Message::of("They are in %1.", taken);
    kept.problem = std::move(error);
    return kept;
}

} // namespace tilewright::runtime
