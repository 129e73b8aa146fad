#pragma once

#include "engine/kernels/kernel_table.h"
#include "engine/reference/reference.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

/// Runs one node both ways: by its kernel on host memory, and by the reference.
namespace tilewright::test {

struct KernelCase {
    std::string title;
    graph::Node node;
    std::vector<reference::RefTensor> inputs;
    std::vector<reference::RefOutput> outputs;
    double tolerance = 2e-6; ///< of the result's largest magnitude, or of `magnitude` when that is larger
    double magnitude = 0;
};

inline reference::RefTensor randomTensor(std::mt19937 &random, DType dtype, Shape shape, double low, double high)
{
    reference::RefTensor t{dtype, std::move(shape), {}};
    std::uniform_real_distribution<double> spread(low, high);
    for (std::int64_t i = 0; i < elementCount(t.shape); ++i)
        t.v.push_back(reference::castTo(std::floor(spread(random) * 64) / 64 * (1 + 1e-3), dtype, reference::Precision::Float));
    return t;
}

inline reference::RefTensor randomInts(std::mt19937 &random, Shape shape, int low, int high)
{
    reference::RefTensor t{DType::I32, std::move(shape), {}};
    std::uniform_int_distribution<int> spread(low, high);
    for (std::int64_t i = 0; i < elementCount(t.shape); ++i) t.v.push_back(spread(random));
    return t;
}

/// Host memory of a tensor, 64-byte aligned, followed by a guard that must stay unchanged.
class HostBuffer {
public:
    HostBuffer(DType dtype, Shape const &shape)
        : m_bytes(static_cast<std::size_t>(elementCount(shape) * sizeOf(dtype))),
          m_storage(std::make_unique<Line[]>(m_bytes / sizeof(Line) + 2))
    {
        std::memset(m_storage.get(), 0x5A, (m_bytes / sizeof(Line) + 2) * sizeof(Line));
    }
    std::byte *data() { return m_storage[0].bytes; }
    std::size_t bytes() const { return m_bytes; }
    bool guardIsIntact() const
    {
        for (std::size_t i = m_bytes; i < (m_bytes / sizeof(Line) + 2) * sizeof(Line); ++i)
            if (m_storage[i / sizeof(Line)].bytes[i % sizeof(Line)] != std::byte{0x5A}) return false;
        return true;
    }

private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };
    std::size_t m_bytes;
    std::unique_ptr<Line[]> m_storage;
};

struct KernelRun {
    std::string error; ///< empty: it ran
    std::vector<reference::RefTensor> outputs;
    std::vector<std::vector<std::byte>> bytes;
};

/// Runs the kernel `times` times on a pool of `threads`, with inputs restored before each run. Outputs share the memory of inputs according
/// to
/// node.inPlace.
inline KernelRun runKernel(KernelCase const &c, int threads, reference::RefContext const &context = {}, int times = 1)
{
    std::vector<HostBuffer> buffers;
    std::vector<kernels::HostTensor> in, out;
    buffers.reserve(c.inputs.size() + c.outputs.size());
    for (auto const &input : c.inputs) {
        buffers.emplace_back(input.dtype, input.shape);
        in.push_back({input.dtype, input.shape, buffers.back().data()});
    }
    for (std::size_t i = 0; i < c.outputs.size(); ++i) {
        int const shared = i < c.node.inPlace.size() ? c.node.inPlace[i] : -1;
        if (shared >= 0) {
            out.push_back({c.outputs[i].dtype, c.outputs[i].shape, in[static_cast<std::size_t>(shared)].data});
            continue;
        }
        buffers.emplace_back(c.outputs[i].dtype, c.outputs[i].shape);
        out.push_back({c.outputs[i].dtype, c.outputs[i].shape, buffers.back().data()});
    }
    KernelRun run;
    auto prepared = kernels::prepare({c.node, in, out});
    if (!prepared.ok()) {
        run.error = toText(prepared.error());
        return run;
    }
    ThreadPool pool(threads);
    kernels::RunContext ctx{pool, context.seed, context.replica, context.rounding};
    for (int t = 0; t < times; ++t) {
        for (std::size_t i = 0; i < in.size(); ++i) reference::toBytes(c.inputs[i], in[i].data);
        (*prepared)(ctx);
    }
    for (auto const &buffer : buffers)
        if (!buffer.guardIsIntact()) run.error = "wrote behind the end of a tensor";
    for (auto const &tensor : out) {
        run.outputs.push_back(reference::fromBytes(tensor.dtype, tensor.shape, tensor.data));
        run.bytes.emplace_back(tensor.data, tensor.data + tensor.elements() * sizeOf(tensor.dtype));
    }
    return run;
}

/// "" when equal: integers exactly, floats within `tolerance` of the largest finite magnitude; NaN equals NaN.
inline std::string difference(reference::RefTensor const &got, reference::RefTensor const &want, double tolerance, double magnitude = 0)
{
    if (got.v.size() != want.v.size()) return "sizes differ";
    double largest = std::max(magnitude, 1e-30);
    for (double x : want.v)
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < got.v.size(); ++i) {
        double const a = got.v[i], b = want.v[i];
        bool const same = a == b || (std::isnan(a) && std::isnan(b)) || (isFloating(want.dtype) && std::abs(a - b) <= tolerance * largest);
        if (!same)
            return "element " + std::to_string(i) + ": " + std::to_string(a) + " instead of " + std::to_string(b) + " (largest "
                + std::to_string(largest) + ")";
    }
    return {};
}

/// "" when the kernel agrees with the reference.
inline std::string checkCase(KernelCase const &c, int threads = 2, reference::RefContext const &context = {})
{
    auto const want = reference::evaluate(c.node, c.inputs, c.outputs, context);
    if (!want.ok()) return c.title + ": reference: " + toText(want.error());
    auto const got = runKernel(c, threads, context);
    if (!got.error.empty()) return c.title + ": " + got.error;
    for (std::size_t i = 0; i < c.outputs.size(); ++i) {
        auto const text = difference(got.outputs[i], (*want)[i], c.tolerance, c.magnitude);
        if (!text.empty()) return c.title + " result " + std::to_string(i) + ": " + text;
    }
    return {};
}

/// Cases of every op that is not elementwise, over small, odd and large shapes.
std::vector<KernelCase> kernelCases(std::uint32_t seed);
/// Cases of every primitive and of fused expressions, over all broadcasts.
std::vector<KernelCase> elementwiseCases(std::uint32_t seed);

} // namespace tilewright::test
