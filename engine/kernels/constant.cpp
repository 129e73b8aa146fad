#include "engine/kernels/half.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <cmath>
#include <cstring>
#include <memory>

namespace tilewright::kernels {

namespace {

/// Bytes of one element.
void appendElement(std::vector<std::byte> &bytes, DType dtype, double value)
{
    auto const append = [&](auto element) {
        auto const at = bytes.size();
        bytes.resize(at + sizeof element);
        std::memcpy(bytes.data() + at, &element, sizeof element);
    };
    double const integer = std::isnan(value) ? 0.0 : std::trunc(value);
    switch (dtype) {
    case DType::F32: append(static_cast<float>(value)); return;
    case DType::F16: append(floatToHalf(static_cast<float>(value))); return;
    case DType::I32: append(static_cast<std::int32_t>(std::clamp(integer, -2147483648.0, 2147483647.0))); return;
    case DType::U8: append(static_cast<std::uint8_t>(std::clamp(integer, 0.0, 255.0))); return;
    case DType::Bool: append(static_cast<std::uint8_t>(value != 0)); return;
    }
}

Prepared fill(HostTensor const &out, double value)
{
    Bytes const size = sizeOf(out.dtype);
    std::vector<std::byte> element;
    appendElement(element, out.dtype, value);
    std::uint32_t word = 0; // the element, repeated up to four bytes
    for (Bytes i = 0; i < 4; i += size) std::memcpy(reinterpret_cast<std::byte *>(&word) + i, element.data(), element.size());
    auto *to = out.data;
    Pieces const pieces{out.elements() * size, 8 * kElementsPerTask};
    return [=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const begin = pieces.begin(task), bytes = pieces.end(task) - begin;
            auto const words = bytes / 4;
            auto *target = to + begin;
            for (std::int64_t i = 0; i < words; ++i) std::memcpy(target + 4 * i, &word, 4);
            std::memcpy(target + 4 * words, &word, static_cast<std::size_t>(bytes % 4));
        });
    };
}

} // namespace

Result<Prepared> prepareFillLike(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    return fill(args.outputs[0], args.node.attrs.real("value"));
}

Result<Prepared> prepareConstant(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 0, 1));
    auto const &out = args.outputs[0];
    if (!args.node.attrs.has("values")) return fill(out, args.node.attrs.real("value"));
    auto const values = args.node.attrs.reals("values");
    TW_TRY(requireElements(args, out, static_cast<std::int64_t>(values.size())));
    auto const bytes = std::make_shared<std::vector<std::byte>>();
    for (double value : values) appendElement(*bytes, out.dtype, value);
    return Prepared([bytes, to = out.data](RunContext &) { std::copy(bytes->begin(), bytes->end(), to); });
}

Result<Prepared> prepareZeros(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 0, 1));
    return fill(args.outputs[0], 0);
}

} // namespace tilewright::kernels
