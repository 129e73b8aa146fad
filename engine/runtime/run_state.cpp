#include "engine/runtime/run_state.h"

#include <cstring>

namespace tilewright::runtime {

void addRunState(TrainingState &state, model::Json const &run)
{
    auto const text = run.dump();
    StateTensor tensor{kRunState, DType::U8, Shape{static_cast<std::int64_t>(text.size())}, std::vector<std::byte>(text.size())};
    std::memcpy(tensor.bytes.data(), text.data(), text.size());
    state.tensors.push_back(std::move(tensor));
}

Result<model::Json> runStateOf(TrainingState const &state)
{
    auto const *tensor = state.find(kRunState);
    if (!tensor) return model::Json();
    std::string const text(reinterpret_cast<char const *>(tensor->bytes.data()), tensor->bytes.size());
    auto parsed = model::parseJson(text, kRunState);
    if (parsed.ok() && parsed->is_object()) return parsed;
    return makeError(ErrorKind::Data, "checkpoint.run", kRunState,
                     Message::of("the checkpoint's state of callbacks and learning rate is damaged."),
                     Message::of("Use another copy of the checkpoint, or train from the start."));
}

std::optional<double> numberOf(model::Json const &object, char const *name)
{
    if (!object.is_object()) return {};
    auto const it = object.find(name);
    return it != object.end() && it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

std::optional<std::int64_t> countOf(model::Json const &object, char const *name)
{
    auto const value = numberOf(object, name);
    if (!value || !(*value >= 0 && *value < 9e15)) return {};
    return static_cast<std::int64_t>(*value);
}

} // namespace tilewright::runtime
