// The AMP vertex and the on-tile transpose that feeds it.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/copy_cost.h"
#include "engine/program/cost/matmul_cost.h"
#include "engine/program/cost/sort_cost.h"

#include <algorithm>
#include <vector>

namespace tilewright::program {

namespace {

Cycles ampCycles(VertexShape const &shape, target::Chip const &chip)
{
    auto const &c = shape.fields[0].box;
    auto const &a = shape.fields[1].box;
    bool const swapped = !shape.scalars.empty() && shape.scalars[0] != 0;
    auto const in = shape.fields[1].dtype;
    cost::Conv1x1Params p;
    p.in = in;
    p.partials = shape.fields[0].dtype;
    p.positions = swapped ? c.cols() : c.rows();
    p.inGroups = ceilDiv(a.cols(), chip.convInputGroup(in));
    p.convUnits = chip.convUnits(in);
    p.outChansPerGroup = p.convUnits;
    p.outGroups = ceilDiv(swapped ? c.rows() : c.cols(), p.convUnits);
    p.weightBytesPerUnit = static_cast<int>(chip.convInputGroup(in) * sizeOf(in));
    p.weightLoadBytes = chip.weightLoadBytes;
    return cost::conv1x1Cycles(p);
}

/// The same product as dot products of whole rows of channels.
Cycles horizontalMacCycles(VertexShape const &shape, target::Chip const &)
{
    auto const &c = shape.fields[0].box;
    bool const swapped = !shape.scalars.empty() && shape.scalars[0] != 0;
    auto const in = shape.fields[1].dtype;
    cost::HorizontalMacParams p;
    p.in = in;
    p.partials = shape.fields[0].dtype;
    p.width = swapped ? c.cols() : c.rows();
    p.inChansPerGroup = shape.fields[1].box.cols();
    p.outChansPerGroup = swapped ? c.rows() : c.cols();
    p.specialised1x1 = in == DType::F16 && p.partials == cost::ValueType::F32;
    return cost::horizontalMacCycles(p);
}

/// Three vectors and the sizes of their loops; 59 bytes with the vertices around it in the products of
/// popliner.bert_large_inf, more in f32 (addons.dense_4096_1024).
Bytes ampState(VertexShape const &) { return 60; }

/// acc[rows][16] += a[rows][k] b[k][16 columns from col]: columns in registers, four rows at a time.
template <int Rows>
void block16(float const *a, std::int64_t lda, float const *b, std::int64_t ldb, float *c, std::int64_t ldc, std::int64_t k)
{
    using Vec = float __attribute__((vector_size(32)));
    Vec acc[Rows][2] = {};
    for (std::int64_t i = 0; i < k; ++i) {
        Vec b0, b1;
        std::memcpy(&b0, b + i * ldb, 32);
        std::memcpy(&b1, b + i * ldb + 8, 32);
        for (int r = 0; r < Rows; ++r) {
            float const x = a[r * lda + i];
            acc[r][0] += x * b0;
            acc[r][1] += x * b1;
        }
    }
    for (int r = 0; r < Rows; ++r) {
        std::memcpy(c + r * ldc, &acc[r][0], 32);
        std::memcpy(c + r * ldc + 8, &acc[r][1], 32);
    }
}

void multiply(float const *a, float const *b, float *c, std::int64_t rows, std::int64_t k, std::int64_t cols)
{
    std::int64_t const wide = cols / 16 * 16;
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4)
        for (std::int64_t j = 0; j < wide; j += 16) block16<4>(a + r * k, k, b + j, cols, c + r * cols + j, cols, k);
    for (; r < rows; ++r)
        for (std::int64_t j = 0; j < wide; j += 16) block16<1>(a + r * k, k, b + j, cols, c + r * cols + j, cols, k);
    if (wide == cols) return;
    for (r = 0; r < rows; ++r) {
        float acc[16] = {};
        for (std::int64_t i = 0; i < k; ++i) {
            float const x = a[r * k + i];
            for (std::int64_t j = wide; j < cols; ++j) acc[j - wide] += x * b[i * cols + j];
        }
        for (std::int64_t j = wide; j < cols; ++j) c[r * cols + j] = acc[j - wide];
    }
}

void runAmp(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0];
    auto const &a = s.fields[1];
    auto const &b = s.fields[2];
    std::int64_t const k = a.cols, cols = out.cols;
    auto const [begin, end] = shareOf(out.rows, workers);
    if (begin == end) return;
    if (a.dtype == DType::F32 && b.dtype == DType::F32 && out.dtype == DType::F32) {
        multiply(at<float>(tile, a) + begin * k, at<float>(tile, b), at<float>(tile, out) + begin * cols, end - begin, k, cols);
        return;
    }
    thread_local std::vector<float> bufferA, bufferB, bufferC;
    bufferA.resize(static_cast<std::size_t>((end - begin) * k));
    bufferB.resize(static_cast<std::size_t>(k * cols));
    bufferC.resize(static_cast<std::size_t>((end - begin) * cols));
    float const *fa = loadFloats(tile, a, begin * k, (end - begin) * k, bufferA.data());
    float const *fb = loadFloats(tile, b, 0, k * cols, bufferB.data());
    multiply(fa, fb, bufferC.data(), end - begin, k, cols);
    storeFloats(tile, out, begin * cols, (end - begin) * cols, bufferC.data());
}

void runTranspose(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0];
    auto const &in = s.fields[1];
    auto const [begin, end] = shareOf(out.rows, workers);
    auto const move = [&, begin = begin, end = end](auto *to, auto const *from) { // clang 14 captures no bindings
        for (std::int64_t g = 0; g < out.groups; ++g) {
            auto const base = g * out.rows * out.cols;
            for (std::int64_t r = begin; r < end; ++r)
                for (std::int64_t c = 0; c < out.cols; ++c) to[base + r * out.cols + c] = from[base + c * in.cols + r];
        }
    };
    if (sizeOf(out.dtype) == 4) move(at<std::uint32_t>(tile, out), at<std::uint32_t>(tile, in));
    else if (sizeOf(out.dtype) == 2) move(at<std::uint16_t>(tile, out), at<std::uint16_t>(tile, in));
    else move(at<std::uint8_t>(tile, out), at<std::uint8_t>(tile, in));
}

} // namespace

void addMatmulCodelets(std::vector<Codelet> &all)
{
    Codelet amp;
    amp.name = "ConvPartial1x1Out";
    amp.codeBytes = 960; // with the two below 1,612: the products of popliner.bert_large_inf
    amp.cycles = ampCycles;
    amp.stateBytes = ampState;
    amp.run = runAmp;
    all.push_back(amp);
    Codelet mac = amp;
    mac.name = "ConvPartialHorizontalMac";
    mac.codeBytes = 640;
    mac.cycles = horizontalMacCycles;
    all.push_back(mac);
    Codelet transpose;
    transpose.name = "Transpose";
    transpose.codeBytes = 420;
    transpose.cycles = [](VertexShape const &shape, target::Chip const &) {
        auto const &box = shape.fields[1].box;
        return cost::transposeCycles(shape.fields[1].dtype, box.groups(), box.rows(), box.cols());
    };
    transpose.stateBytes = usualState;
    transpose.run = runTranspose;
    all.push_back(transpose);
    // The AMP reads its inputs in groups of channels. The emulated blocks keep row-major order, so that
    // this vertex has no bytes to change; what it costs on the machine is the planner's inputs/16 a byte.
    Codelet rearrange;
    rearrange.name = "Rearrange";
    rearrange.codeBytes = 150;
    rearrange.cycles = [](VertexShape const &shape, target::Chip const &) {
        return 40 + shape.fields[0].box.elements() * sizeOf(shape.fields[0].dtype) / 16;
    };
    rearrange.stateBytes = [](VertexShape const &) -> Bytes { return 12; };
    rearrange.run = [](std::byte *, VertexState const &, Workers) {};
    all.push_back(rearrange);
}

} // namespace tilewright::program
