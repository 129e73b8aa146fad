#include "engine/runtime/state.h"

#include "engine/core/text.h"
#include "engine/kernels/rounding.h"
#include "engine/model/initializers.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace tilewright::runtime {

StateTensor const *TrainingState::find(std::string_view name) const
{
    auto const it = std::ranges::find(tensors, name, &StateTensor::name);
    return it == tensors.end() ? nullptr : &*it;
}

namespace {

/// Values in the tensor's type: float16 is rounded to nearest.
Status store(std::vector<float> const &values, StateTensor &tensor)
{
    TW_CHECK(values.size() * static_cast<std::size_t>(sizeOf(tensor.dtype)) == tensor.bytes.size(), "first values of " + tensor.name);
    if (tensor.dtype == DType::F32) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    else if (tensor.dtype == DType::F16)
        kernels::narrow(values.data(), static_cast<std::int64_t>(values.size()), reinterpret_cast<std::uint16_t *>(tensor.bytes.data()));
    else
        return makeError(ErrorKind::Invalid, "state.type", tensor.name,
                         Message::of("weights of type %1 have no first values yet.", std::string(toText(tensor.dtype))),
                         Message::of("Use float32 or float16."));
    return {};
}

} // namespace

Result<std::vector<std::byte>> firstBytes(graph::Variable const &variable)
{
    StateTensor tensor{variable.name, variable.dtype, variable.shape,
                       std::vector<std::byte>(static_cast<std::size_t>(elementCount(variable.shape) * sizeOf(variable.dtype)))};
    if (!variable.initializer.empty()) {
        TW_ASSIGN(auto const json, model::parseJson(variable.initializer, variable.name));
        TW_ASSIGN(auto const initializer, model::parseInitializer(json, variable.name));
        TW_ASSIGN(auto const values, model::initialize(initializer, variable.shape, 0));
        TW_TRY(store(values, tensor));
    }
    return std::move(tensor.bytes);
}

bool survives(graph::Variable const &variable)
{
    return variable.role != graph::Role::Accumulator && variable.role != graph::Role::Temporary;
}

bool loopHasEnded(Executor const &executor, executable::EntryRef const &entry)
{
    if (!entry->reached.valid() || !executor.has(entry->reached)) return false;
    auto const bytes = executor.read(entry->reached);
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value != 0;
}

void resumeLoop(Executor &executor, executable::EntryRef const &entry)
{
    if (!entry->reached.valid() || !executor.has(entry->reached)) return;
    float const no = 0;
    executor.write(entry->reached, std::as_bytes(std::span(&no, 1)));
}

namespace {

/// A state's tensor of a variable's name; null: there is none and none is needed.
Result<StateTensor const *> tensorFor(graph::Variable const &variable, TrainingState const &state)
{
    auto const *tensor = state.find(variable.name);
    if (!tensor && variable.role == graph::Role::Weight)
        return makeError(ErrorKind::Invalid, "checkpoint.missing", variable.name, Message::of("the checkpoint holds no such weight."),
                         Message::of("Use a checkpoint of this model, or train from the start."));
    if (!tensor) return nullptr; // slots of an optimizer begin anew
    if (tensor->shape == variable.shape && tensor->dtype == variable.dtype) return tensor;
    if (variable.role == graph::Role::Other) return nullptr; // what a layer keeps of a batch means nothing to one of another size
    return makeError(ErrorKind::Invalid, "checkpoint.shape", variable.name,
                     Message::of("the checkpoint holds %1, the model has %2.", toText(tensor->shape), toText(variable.shape)),
                     Message::of("Use a checkpoint of this model, or train from the start."));
}

} // namespace

Status loadState(Executor &executor, executable::EntryRef const &entry, TrainingState const &state)
{
    for (std::size_t v = 0; v < entry->graph.variables.size(); ++v) {
        graph::VariableId const id(v);
        auto const &variable = entry->graph.variables[v];
        if (!survives(variable) || !executor.has(id)) continue;
        TW_ASSIGN(auto const *const tensor, tensorFor(variable, state));
        if (tensor) {
            executor.write(id, tensor->bytes);
        } else if (variable.role == graph::Role::OptimizerState && !variable.initializer.empty()) {
            TW_ASSIGN(auto const bytes, firstBytes(variable));
            executor.write(id, bytes);
        }
    }
    return {};
}

Status loadWeights(Executor &executor, executable::EntryRef const &entry, TrainingState const &state)
{
    for (std::size_t v = 0; v < entry->graph.variables.size(); ++v) {
        graph::VariableId const id(v);
        auto const &variable = entry->graph.variables[v];
        if (!survives(variable) || !executor.has(id)) continue;
        if (variable.role == graph::Role::Weight) {
            TW_ASSIGN(auto const *const tensor, tensorFor(variable, state));
            executor.write(id, tensor->bytes);
        } else {
            TW_ASSIGN(auto const bytes, firstBytes(variable));
            executor.write(id, bytes);
        }
    }
    return {};
}

TrainingState saveState(Executor const &executor, executable::EntryRef const &entry)
{
    TrainingState state;
    for (std::size_t v = 0; v < entry->graph.variables.size(); ++v) {
        graph::VariableId const id(v);
        auto const &variable = entry->graph.variables[v];
        if (!survives(variable) || !executor.has(id)) continue;
        state.tensors.push_back({variable.name, variable.dtype, variable.shape, executor.read(id)});
    }
    return state;
}

Result<TrainingState> initialState(project::Project const &project, executable::EntryRef const &entry)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    TW_ASSIGN(auto const values, model::initialWeights(resolved, static_cast<std::uint64_t>(project.training.seed)));
    TrainingState state;
    for (std::size_t v = 0; v < entry->graph.variables.size(); ++v) {
        auto const &variable = entry->graph.variables[v];
        if (!survives(variable)) continue;
        StateTensor tensor{variable.name, variable.dtype, variable.shape,
                           std::vector<std::byte>(static_cast<std::size_t>(elementCount(variable.shape) * sizeOf(variable.dtype)))};
        if (variable.role != graph::Role::Weight) { TW_ASSIGN(tensor.bytes, firstBytes(variable)); }
        for (std::size_t w = 0; w < entry->weights.size(); ++w)
            if (entry->weights[w].index == v) TW_TRY(store(values[w], tensor));
        state.tensors.push_back(std::move(tensor));
    }
    return state;
}

std::string weightsHash(executable::EntryRef const &entry, TrainingState const &state)
{
    std::vector<std::span<std::byte const>> weights;
    for (auto id : entry->weights)
        if (auto const *tensor = state.find(entry->graph.variable(id).name)) weights.emplace_back(tensor->bytes);
    return executable::toText(executable::contentHash(weights));
}

} // namespace tilewright::runtime
