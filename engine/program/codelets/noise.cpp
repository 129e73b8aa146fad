// Normal noise. Each element draws by counter and by its number in the tensor, independent of the position of its block.
#include "engine/kernels/noise_math.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/random_cost.h"

#include <vector>

namespace tilewright::program {

namespace {

/// Fields: noise, counter of micro-batches, optional addend to the stream number. Scalars: mean, standard deviation, stream number.
void runNormal(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0];
    auto const &block = s.blocks[0];
    auto const counter = at<std::int32_t>(tile, s.fields[1])[0];
    auto const *added = s.fields.size() > 2 ? at<std::int32_t>(tile, s.fields[2]) : nullptr;
    auto const seed = kernels::drawingSeed(s.seed, s.replica, static_cast<std::uint64_t>(s.scalars[2]), added, counter);
    auto const mean = static_cast<float>(s.scalars[0]), deviation = static_cast<float>(s.scalars[1]);
    auto const [begin, end] = shareOf(out.rows, workers);
    std::vector<float> row(static_cast<std::size_t>(out.cols));
    for (std::int64_t r = begin; r < end; ++r) {
        // Decompose the number of the row's first element into the outer dimensions, innermost first.
        std::int64_t rest = r, first = block.begin(block.rank - 1), unit = block.extent[static_cast<std::size_t>(block.rank - 1)];
        for (int d = block.rank - 1; d-- > 0;) {
            first += (block.begin(d) + rest % block.size(d)) * unit;
            rest /= block.size(d);
            unit *= block.extent[static_cast<std::size_t>(d)];
        }
        for (std::int64_t c = 0; c < out.cols; ++c)
            row[static_cast<std::size_t>(c)] = kernels::normalValue(seed, static_cast<std::uint64_t>(first + c), mean, deviation);
        storeFloats(tile, out, r * out.cols, out.cols, row.data());
    }
}

} // namespace

void addNoiseCodelets(std::vector<Codelet> &all)
{
    Codelet c;
    c.name = "Normal";
    c.codeBytes = 240;
    c.wantsBlocks = true;
    c.cycles = [](VertexShape const &shape, target::Chip const &) {
        return cost::normalCycles(shape.fields[0].dtype, shape.fields[0].elements());
    };
    c.stateBytes = usualState;
    c.run = runNormal;
    c.description = describe(
        {.library = "poprand::Normal",
         .family = "random",
         .title = "normal random numbers",
         .source = kPoprandSource,
         .params = {floatTypeParam(), elementsParam()},
         .vertex = [](cost::Args const &a) -> SizedVertex {
             return {{matrixField(storageType(a.type("type")), 1, a.integer("n")), matrixField(DType::I32, 1, 1)}, {0.0, 1.0, 0.0}};
         }});
    all.push_back(std::move(c));
}

} // namespace tilewright::program
