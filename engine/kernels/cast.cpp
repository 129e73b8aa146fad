#include "engine/kernels/half.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/rounding.h"
#include "engine/kernels/support.h"

#include <algorithm>
#include <limits>
#include <type_traits>

// Floats become integers towards zero, clamped to the type's range, NaN as 0 (XLA's rule: the same on every
// processor); anything but zero becomes true.

namespace tilewright::kernels {

namespace {

struct Half {
    std::uint16_t bits;
};
struct Flag {
    std::uint8_t value;
};

template <typename To> To fromFloat(float x)
{
    if constexpr (std::is_same_v<To, float>) return x;
    else if constexpr (std::is_same_v<To, Half>) return {floatToHalf(x)};
    else if constexpr (std::is_same_v<To, Flag>) return {static_cast<std::uint8_t>(x != 0.0f)};
    else {
        constexpr auto low = static_cast<float>(std::numeric_limits<To>::lowest());
        // The largest float that still converts; above it the largest integer is the result.
        constexpr float high = sizeof(To) == 4 ? 2147483520.0f : 255.0f;
        float const finite = x != x ? 0.0f : x;
        float const clamped = finite < low ? low : (finite > high ? high : finite);
        auto const value = static_cast<To>(clamped);
        return finite > high ? std::numeric_limits<To>::max() : value;
    }
}

template <typename To> To fromInt(std::int32_t x)
{
    if constexpr (std::is_same_v<To, std::int32_t>) return x;
    else if constexpr (std::is_same_v<To, std::uint8_t>) return static_cast<std::uint8_t>(x < 0 ? 0 : (x > 255 ? 255 : x));
    else if constexpr (std::is_same_v<To, Flag>) return {static_cast<std::uint8_t>(x != 0)};
    else return fromFloat<To>(static_cast<float>(x));
}

template <typename From, typename To> To convert(From x)
{
    if constexpr (std::is_same_v<From, float>) return fromFloat<To>(x);
    else if constexpr (std::is_same_v<From, Half>) return fromFloat<To>(halfToFloat(x.bits));
    else if constexpr (std::is_same_v<From, Flag>) return fromInt<To>(x.value != 0);
    else return fromInt<To>(x);
}

template <typename From, typename To> void castLoop(std::byte const *from, std::byte *to, std::int64_t begin, std::int64_t end)
{
    auto const *x = reinterpret_cast<From const *>(from);
    auto *out = reinterpret_cast<To *>(to);
    for (std::int64_t i = begin; i < end; ++i) out[i] = convert<From, To>(x[i]);
}

using Loop = void (*)(std::byte const *, std::byte *, std::int64_t, std::int64_t);

template <typename From> Loop loopTo(DType to)
{
    switch (to) {
    case DType::F16: return &castLoop<From, Half>;
    case DType::F32: return &castLoop<From, float>;
    case DType::I32: return &castLoop<From, std::int32_t>;
    case DType::U8: return &castLoop<From, std::uint8_t>;
    case DType::Bool: return &castLoop<From, Flag>;
    }
    return nullptr;
}

Loop loopFor(DType from, DType to)
{
    switch (from) {
    case DType::F16: return loopTo<Half>(to);
    case DType::F32: return loopTo<float>(to);
    case DType::I32: return loopTo<std::int32_t>(to);
    case DType::U8: return loopTo<std::uint8_t>(to);
    case DType::Bool: return loopTo<Flag>(to);
    }
    return nullptr;
}

/// By way of float32, whose values then are rounded as the context says.
Result<Prepared> prepareCastToHalf(PrepareArgs const &args)
{
    auto const from = args.inputs[0], to = args.outputs[0];
    auto const loop = loopFor(from.dtype, DType::F32);
    if (!loop) return unsupported(args.node, Message::of("unknown type."));
    Pieces const pieces{from.elements(), kElementsPerTask};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&, rounding = ctx.roundingOf(0)](std::size_t task) {
            constexpr std::int64_t kBlock = 1024;
            float wide[kBlock];
            for (std::int64_t begin = pieces.begin(task); begin < pieces.end(task); begin += kBlock) {
                std::int64_t const n = std::min(kBlock, pieces.end(task) - begin);
                loop(from.data + begin * sizeOf(from.dtype), reinterpret_cast<std::byte *>(wide), 0, n);
                narrow(wide, n, to.f16() + begin, rounding, begin);
            }
        });
    });
}

} // namespace

Result<Prepared> prepareCast(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    std::int64_t const n = args.inputs[0].elements();
    TW_TRY(requireElements(args, args.outputs[0], n));
    if (args.inputs[0].dtype == args.outputs[0].dtype) return prepareCopy(args);
    if (args.outputs[0].dtype == DType::F16) return prepareCastToHalf(args);
    auto const loop = loopFor(args.inputs[0].dtype, args.outputs[0].dtype);
    if (!loop) return unsupported(args.node, Message::of("unknown type."));
    auto const *from = args.inputs[0].data;
    auto *to = args.outputs[0].data;
    Pieces const pieces{n, kElementsPerTask};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) { loop(from, to, pieces.begin(task), pieces.end(task)); });
    });
}

} // namespace tilewright::kernels
