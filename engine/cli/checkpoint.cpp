#include "engine/cli/checkpoint.h"

#include "engine/data/npy.h"

#include <cstring>

namespace tilewright::cli {

namespace {

constexpr char kEpoch[] = "epoch", kStep[] = "step";

Result<std::int64_t> counter(data::NamedArray const &named, std::filesystem::path const &path)
{
    if (named.array.elements() == 1) {
        double const value = named.array.valueAt(0);
        if (value >= 0 && value < 9e15 && value == static_cast<double>(static_cast<std::int64_t>(value)))
            return static_cast<std::int64_t>(value);
    }
    return makeError(ErrorKind::Data, "checkpoint.counter", path.string() + ":" + named.name, "this is no count of finished steps or epochs.",
                     "Write one whole number there.");
}

} // namespace

Status writeCheckpoint(std::filesystem::path const &path, runtime::TrainingState const &state, JobContext const &job)
{
    std::vector<data::NamedArray> arrays;
    for (auto const &tensor : state.tensors)
        arrays.push_back({tensor.name, data::borrowArray(tensor.dtype, tensor.shape, tensor.bytes.data())});
    auto const epoch = static_cast<std::int32_t>(state.epoch), step = static_cast<std::int32_t>(state.step);
    arrays.push_back({kEpoch, data::makeArray<std::int32_t>({}, {epoch})});
    arrays.push_back({kStep, data::makeArray<std::int32_t>({}, {step})});
    return data::writeNpz(path, arrays, false, job);
}

Result<runtime::TrainingState> readCheckpoint(std::filesystem::path const &path, JobContext const &job)
{
    TW_ASSIGN(auto const arrays, data::readNpz(path, job));
    runtime::TrainingState state;
    for (auto const &named : arrays) {
        if (named.name == kEpoch) {
            TW_ASSIGN(state.epoch, counter(named, path));
        } else if (named.name == kStep) {
            TW_ASSIGN(state.step, counter(named, path));
        } else {
            runtime::StateTensor tensor{named.name, named.array.dtype, named.array.shape, {}};
            tensor.bytes.resize(static_cast<std::size_t>(named.array.totalBytes()));
            if (!tensor.bytes.empty()) std::memcpy(tensor.bytes.data(), named.array.bytes.get(), tensor.bytes.size());
            state.tensors.push_back(std::move(tensor));
        }
    }
    return state;
}

} // namespace tilewright::cli
