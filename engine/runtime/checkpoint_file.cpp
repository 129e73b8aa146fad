#include "engine/runtime/checkpoint_file.h"

#include "engine/core/clock.h"
#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <cstring>

namespace tilewright::runtime {

namespace {

constexpr char kEpoch[] = "epoch", kStep[] = "step", kLast[] = "last";

Result<std::int64_t> counter(data::NamedArray const &named, std::filesystem::path const &path)
{
    if (named.array.elements() == 1) {
        double const value = named.array.valueAt(0);
        if (value >= 0 && value < 9e15 && value == static_cast<double>(static_cast<std::int64_t>(value)))
            return static_cast<std::int64_t>(value);
    }
    return makeError(ErrorKind::Data, "checkpoint.counter", path.string() + ":" + named.name,
                     Message::of("this is not a number of finished steps or epochs."), Message::of("Write one whole number there."));
}

store::CheckpointInfo infoOf(TrainingState const &state)
{
    store::CheckpointInfo info;
    info.name = kLast;
    info.epoch = state.epoch;
    info.step = state.step;
    return info;
}

std::vector<store::TensorView> viewsOf(TrainingState const &state)
{
    std::vector<store::TensorView> tensors;
    for (auto const &tensor : state.tensors)
        tensors.push_back(
            {tensor.name, toText(tensor.dtype), tensor.shape, {reinterpret_cast<char const *>(tensor.bytes.data()), tensor.bytes.size()}});
    return tensors;
}

} // namespace

Status writeCheckpoint(std::filesystem::path const &path, TrainingState const &state, JobContext const &job, Sync sync)
{
    std::vector<data::NamedArray> arrays;
    for (auto const &tensor : state.tensors)
        arrays.push_back({tensor.name, data::borrowArray(tensor.dtype, tensor.shape, tensor.bytes.data())});
    auto const epoch = static_cast<std::int32_t>(state.epoch), step = static_cast<std::int32_t>(state.step);
    arrays.push_back({kEpoch, data::makeArray<std::int32_t>({}, {epoch})});
    arrays.push_back({kStep, data::makeArray<std::int32_t>({}, {step})});
    return data::writeNpz(path, arrays, false, job, sync);
}

Result<TrainingState> readCheckpoint(std::filesystem::path const &path, JobContext const &job)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return makeError(ErrorKind::Data, "checkpoint.file", path.string(), Message::of("there is no such file of weights."),
                         Message::of("Check the path; `train --checkpoint FILE.npz` writes one."));
    TW_ASSIGN(auto const arrays, data::readNpz(path, job));
    TrainingState state;
    for (auto const &named : arrays) {
        if (named.name == kEpoch) {
            TW_ASSIGN(state.epoch, counter(named, path));
        } else if (named.name == kStep) {
            TW_ASSIGN(state.step, counter(named, path));
        } else {
            StateTensor tensor{named.name, named.array.dtype, named.array.shape, {}};
            tensor.bytes.resize(static_cast<std::size_t>(named.array.totalBytes()));
            if (!tensor.bytes.empty()) std::memcpy(tensor.bytes.data(), named.array.bytes.get(), tensor.bytes.size());
            state.tensors.push_back(std::move(tensor));
        }
    }
    return state;
}

bool isCheckpointFile(std::filesystem::path const &path)
{
    auto const archive = data::openSource(path);
    if (!archive.ok()) return false;
    auto const names = data::npzNames(*archive);
    return names.ok() && std::ranges::count(*names, kEpoch) == 1 && std::ranges::count(*names, kStep) == 1;
}

Result<std::optional<TrainingState>> lastCheckpoint(std::filesystem::path const &project)
{
    std::optional<TrainingState> none;
    TW_ASSIGN(auto const all, store::listCheckpoints(project));
    if (std::ranges::find(all, kLast, &store::CheckpointInfo::name) == all.end()) return none;
    TW_ASSIGN(auto checkpoint, store::loadCheckpoint(project, kLast));
    TrainingState state;
    state.epoch = checkpoint.info.epoch;
    state.step = checkpoint.info.step;
    for (auto const &stored : checkpoint.tensors) {
        auto const type = parseDType(stored.dtype);
        auto const bytes = type ? elementCount(stored.shape) * sizeOf(*type) : -1;
        if (bytes != static_cast<std::int64_t>(stored.bytes.size()))
            return makeError(ErrorKind::Invalid, "checkpoint.damaged", project.string() + " checkpoint " + kLast,
                             Message::of("the tensor '%1' has the wrong size.", stored.name),
                             Message::of("Train again, or use another copy of the project."));
        StateTensor tensor{stored.name, *type, stored.shape, {}};
        tensor.bytes.resize(stored.bytes.size());
        if (bytes > 0) std::memcpy(tensor.bytes.data(), stored.bytes.data(), stored.bytes.size());
        state.tensors.push_back(std::move(tensor));
    }
    return std::optional(std::move(state));
}

Status writeLastCheckpoint(std::filesystem::path const &project, TrainingState const &state, store::Packing packing)
{
    auto info = infoOf(state);
    info.savedUtc = utcNow();
    return store::saveCheckpoint(project, info, viewsOf(state), packing);
}

bool isLastCheckpoint(std::filesystem::path const &project, TrainingState const &state)
{
    auto const held = store::holdsCheckpoint(project, infoOf(state), viewsOf(state));
    return held.ok() && *held;
}

std::optional<store::CheckpointInfo> lastCheckpointInfo(std::filesystem::path const &project)
{
    auto const all = store::listCheckpoints(project);
    if (!all.ok()) return {};
    auto const it = std::ranges::find(*all, kLast, &store::CheckpointInfo::name);
    return it == all->end() ? std::nullopt : std::optional(*it);
}

std::optional<HeldWeights> lastHeldWeights(std::filesystem::path const &project)
{
    auto const info = lastCheckpointInfo(project);
    if (!info) return {};
    auto const tensors = store::listTensors(project, kLast);
    if (!tensors.ok()) return {};
    HeldWeights held{info->epoch, info->step, info->bytes, {}};
    for (auto const &tensor : *tensors) held.shapes[tensor.name] = tensor.shape;
    return held;
}

HeldWeights heldWeightsOf(TrainingState const &state)
{
    HeldWeights held{state.epoch, state.step, 0, {}};
    for (auto const &tensor : state.tensors) {
        held.shapes[tensor.name] = tensor.shape;
        held.bytes += static_cast<std::int64_t>(tensor.bytes.size());
    }
    return held;
}

bool takesWeights(model::Model const &model, HeldWeights const &held)
{
    auto const resolved = model::resolve(model);
    if (!resolved.ok()) return false;
    return std::ranges::all_of(model::weightOrder(*resolved), [&](auto const &ref) {
        auto const it = held.shapes.find(model::weightPath(*resolved, ref));
        return it != held.shapes.end() && it->second == resolved->layers[ref.layer].weights[ref.weight].shape;
    });
}

Diagnostic replacesWeights(std::string const &subject, std::int64_t epoch, std::int64_t step, Message const &remedy)
{
    if (epoch == 0) // stopped within the first
        return makeWarning(
            "train.replaces", subject,
            Message::of("this training starts from the beginning, and its weights will replace those of step %1 in the project.", step),
            remedy);
    return makeWarning(
        "train.replaces", subject,
        Message::of("this training starts from the beginning, and its weights will replace those of epoch %1 (step %2) in the project.",
                    epoch, step),
        remedy);
}

Diagnostic nothingLeftToTrain(std::string const &title, std::int64_t epoch, std::int64_t epochs)
{
    return makeWarning(
        "train.resume-done", title,
        Message::of("the checkpoint is from the end of epoch %1, and the training ends at epoch %2: the weights do not change.", epoch,
                    epochs),
        Message::of("Epochs are counted from the beginning: raise training.epochs (or --epochs) above %1.", epoch));
}

std::int64_t archiveBytes(std::int64_t bytes, std::int64_t tensors)
{
    constexpr std::int64_t kOfOne = 512;   // both headers with the name, the array's own, what aligns it
    return bytes + (tensors + 3) * kOfOne; // two counters and the end
}

} // namespace tilewright::runtime
