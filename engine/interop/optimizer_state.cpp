#include "engine/interop/optimizer_state.h"

#include "engine/core/numbers.h"
#include "engine/interop/export_values.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace tilewright::interop {

namespace {

constexpr std::string_view kHdf5Group = "optimizer_weights";
constexpr std::string_view kArchiveGroup = "optimizer/vars/";

bool isScalar(FileArray const &array) { return array.shape.empty(); }

/// "Adam/dense/kernel/m:0" ends in the slot of the place; a name without a known slot tells nothing.
bool namesAgree(FileArray const &array, std::string const &slot, std::vector<model::SlotSpec> const &slots)
{
    auto name = array.path.substr(0, array.path.rfind(':'));
    name = name.substr(name.rfind('/') + 1);
    bool const known = std::ranges::any_of(slots, [&](auto const &one) { return one.name == name; });
    return !known || name == slot;
}

using SlotPlaces = std::vector<std::pair<model::WeightRef, std::string>>;

bool fitSlots(std::span<FileArray const> arrays, SlotPlaces const &places, model::ResolvedModel const &model,
              model::Optimizer const &optimizer)
{
    if (arrays.size() != places.size()) return false;
    auto const slots = model::optimizerSlots(optimizer);
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto const &[ref, slot] = places[i];
        if (arrays[i].dtype != DType::F32 || arrays[i].shape != model.layers[ref.layer].weights[ref.weight].shape
            || !namesAgree(arrays[i], slot, slots))
            return false;
    }
    return true;
}

} // namespace

OptimizerArrays takeOptimizer(Hdf5Contents &contents, std::string const &className)
{
    OptimizerArrays result{className, {}, false};
    std::map<std::string, std::size_t> places;
    for (auto const &name : contents.texts(std::string(kHdf5Group), "weight_names"))
        places.emplace(std::string(kHdf5Group) + "/" + name, places.size());
    std::map<std::size_t, FileArray> ordered;
    std::erase_if(contents.arrays, [&](FileArray &array) {
        std::size_t place = 0;
        if (array.path.starts_with(kArchiveGroup)) {
            auto const number = parseInteger(array.path.substr(kArchiveGroup.size()));
            if (!number || *number < 0) return false;
            place = static_cast<std::size_t>(*number);
            result.isArchive = true;
        } else {
            auto const found = places.find(array.path);
            if (found == places.end()) return array.path.starts_with(std::string(kHdf5Group) + "/");
            place = found->second;
        }
        ordered.emplace(place, std::move(array));
        return true;
    });
    for (auto &[place, array] : ordered) result.arrays.push_back(std::move(array));
    return result;
}

void addOptimizerState(OptimizerArrays given, project::Project const &project, model::ResolvedModel const &model,
                       runtime::TrainingState &state, std::string const &file, JobContext const &job)
{
    auto &arrays = given.arrays;
    if (arrays.empty()) return;
    auto const &optimizer = project.training.optimizer;
    auto const leftOut = [&](Message why) {
        job.warn(makeWarning("import.optimizer", file, Message::of("the optimizer's state was not taken, because %1.", std::move(why)),
                             Message::of("A training begins with a new state; the weights are those of the file.")));
    };
    if (given.className != optimizer.className)
        return leftOut(given.className.empty()
                           ? Message::of("the training plan has %1, and the file another optimizer", optimizer.className)
                           : Message::of("the file has %1 and the training plan %2", given.className, optimizer.className));
    // The number of updates comes first; Keras 3 keeps the learning rate behind it.
    std::int32_t iterations = 0;
    std::size_t first = 0;
    while (first < arrays.size() && isScalar(arrays[first])) {
        auto const &array = arrays[first++];
        if (array.bytes.size() != 4) continue;
        if (array.dtype == DType::I32) std::memcpy(&iterations, array.bytes.data(), 4);
        else if (first == 1) {
            float number = 0; // Keras 2.0 counts in float32
            std::memcpy(&number, array.bytes.data(), 4);
            if (number >= 0 && number < 2e9F) iterations = static_cast<std::int32_t>(number);
        }
    }
    std::span<FileArray> rest(arrays.begin() + static_cast<std::ptrdiff_t>(first), arrays.end());
    auto const expected = given.isArchive ? archiveSlotOrder(optimizer.className) : hdf5SlotOrder(optimizer.className);
    auto const other = expected == SlotOrder::BySlot ? SlotOrder::ByWeight : SlotOrder::BySlot;
    auto places = slotPlaces(model, optimizer, expected);
    // Keras 2.2 keeps an array of one number per weight for the maxima that Adam does not compute.
    if (rest.size() > places.size()
        && std::ranges::all_of(rest.subspan(places.size()), [](auto const &array) { return array.shape == Shape{1}; }))
        rest = rest.first(places.size());
    if (!fitSlots(rest, places, model, optimizer)) places = slotPlaces(model, optimizer, other);
    if (!fitSlots(rest, places, model, optimizer))
        return leftOut(Message::of("its %1 arrays are not those of the trainable weights, which need %2", rest.size(), places.size()));
    runtime::StateTensor counter{"iterations", DType::I32, {}, std::vector<std::byte>(4)};
    std::memcpy(counter.bytes.data(), &iterations, 4);
    state.tensors.push_back(std::move(counter));
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto const &[ref, slot] = places[i];
        state.tensors.push_back({model::weightPath(model, ref) + "/" + slot, DType::F32, model.layers[ref.layer].weights[ref.weight].shape,
                                 std::move(rest[i].bytes)});
    }
}

} // namespace tilewright::interop
