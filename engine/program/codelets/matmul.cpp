// The AMP vertex and the on-tile transpose of its operands.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/copy_cost.h"
#include "engine/program/cost/matmul_cost.h"
#include "engine/program/cost/sort_cost.h"

#include <algorithm>
#include <vector>

namespace tilewright::program {

namespace {

/// A tile can multiply several pairs of matrices, stacked in each field. Their number follows from the inner dimension: columns of the left
/// operand, rows of the right one.
std::int64_t productsOf(FieldShape const &a, FieldShape const &b) { return std::max<std::int64_t>(1, b.rows / a.cols); }

Cycles ampCycles(VertexShape const &shape, target::Chip const &chip)
{
    auto const &c = shape.fields[0];
    auto const &a = shape.fields[1];
    bool const swapped = !shape.scalars.empty() && shape.scalars[0] != 0;
    auto const in = shape.fields[1].dtype;
    cost::Conv1x1Params p;
    p.in = in;
    p.partials = shape.fields[0].dtype;
    p.convGroups = productsOf(a, shape.fields[2]);
    p.positions = swapped ? c.cols : c.rows / p.convGroups;
    p.inGroups = ceilDiv(a.cols, chip.convInputGroup(in));
    p.convUnits = chip.convUnits(in);
    p.outChansPerGroup = p.convUnits;
    p.outGroups = ceilDiv(swapped ? c.rows : c.cols, p.convUnits);
    p.weightBytesPerUnit = static_cast<int>(chip.convInputGroup(in) * sizeOf(in));
    p.weightLoadBytes = chip.weightLoadBytes;
    return cost::conv1x1Cycles(p);
}

/// The same product as dot products over whole rows of channels.
Cycles horizontalMacCycles(VertexShape const &shape, target::Chip const &)
{
    auto const &c = shape.fields[0];
    bool const swapped = !shape.scalars.empty() && shape.scalars[0] != 0;
    auto const in = shape.fields[1].dtype;
    cost::HorizontalMacParams p;
    p.in = in;
    p.partials = shape.fields[0].dtype;
    p.convGroups = productsOf(shape.fields[1], shape.fields[2]);
    p.width = swapped ? c.cols : c.rows / p.convGroups;
    p.inChansPerGroup = shape.fields[1].cols;
    p.outChansPerGroup = swapped ? c.rows : c.cols;
    p.specialised1x1 = in == DType::F16 && p.partials == cost::ValueType::F32;
    return cost::horizontalMacCycles(p);
}

/// Three vectors and the sizes of their loops. Measured in popliner.bert_large_inf: 59 bytes including the surrounding vertices of the
/// products; more in f32 (addons.dense_4096_1024).
Bytes ampState(VertexShape const &) { return 60; }

/// A product of `rows` x inner by inner x `cols`, once per group.
SizedVertex productVertex(cost::Args const &a, std::int64_t rows, std::int64_t inner, std::int64_t cols)
{
    std::int64_t const groups = a.integer("groups");
    DType const in = storageType(a.type("in"));
    return {{matrixField(storageType(a.type("partials")), groups * rows, cols), matrixField(in, groups * rows, inner),
             matrixField(in, groups * inner, cols)},
            {0.0}};
}

std::shared_ptr<CodeletDescription const> describeAmp()
{
    return describe(
        {.library = "poplin::ConvPartial1x1Out",
         .family = "matmul",
         .title = "matrix product or 1x1 convolution on the AMP",
         .source = kPoplinSource,
         .params = {inParam(), partialsParam(), cost::integerParam("positions", "", "rows of the product, spread over the workers"),
                    groupsParam(), inGroupsParam(), outGroupsParam(), outChansParam(), unitsParam(), weightBytesParam(), loadParam()},
         .vertex =
             [](cost::Args const &a) {
                 std::int64_t const inputGroup = std::max<std::int64_t>(1, a.integer("weightBytes") / a.type("in").bytes());
                 return productVertex(a, a.integer("positions"), a.integer("inGroups") * inputGroup,
                                      a.integer("outGroups") * a.integer("outChans"));
             },
         .cycles = [](cost::Args const &a) -> Result<Cycles> {
             return cost::conv1x1Cycles({.in = a.type("in"),
                                         .partials = a.type("partials"),
                                         .positions = a.integer("positions"),
                                         .convGroups = a.integer("groups"),
                                         .inGroups = a.integer("inGroups"),
                                         .outGroups = a.integer("outGroups"),
                                         .outChansPerGroup = a.integer("outChans"),
                                         .convUnits = a.smallInteger("units"),
                                         .weightBytesPerUnit = a.smallInteger("weightBytes"),
                                         .weightLoadBytes = a.smallInteger("load")});
         }});
}

std::shared_ptr<CodeletDescription const> describeMac()
{
    return describe({.library = "poplin::ConvPartialHorizontalMac",
                     .family = "matmul",
                     .title = "product or convolution by dot products, without the AMP",
                     .source = kPoplinSource,
                     .params = {floatInParam(), partialsParam(), rowsParam(), widthParam(),
                                cost::integerParam("kernelElements", "1", "elements of the kernel", 1),
                                cost::integerParam("inChans", "1", "input channels per group", 1),
                                cost::integerParam("outChans", "1", "output channels per group", 1), groupsParam(), inGroupsParam(),
                                outGroupsParam(), cost::flagParam("specialised", "the f16 -> f32 codelet for 1x1 kernels")},
                     .vertex =
                         [](cost::Args const &a) {
                             return productVertex(a, a.integer("rows") * a.integer("width"), a.integer("inGroups") * a.integer("inChans"),
                                                  a.integer("outGroups") * a.integer("outChans"));
                         },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         return cost::horizontalMacCycles({.in = a.type("in"),
                                                           .partials = a.type("partials"),
                                                           .rows = a.integer("rows"),
                                                           .width = a.integer("width"),
                                                           .kernelElements = a.integer("kernelElements"),
                                                           .inChansPerGroup = a.integer("inChans"),
                                                           .outChansPerGroup = a.integer("outChans"),
                                                           .convGroups = a.integer("groups"),
                                                           .inGroups = a.integer("inGroups"),
                                                           .outGroups = a.integer("outGroups"),
                                                           .specialised1x1 = a.flag("specialised")});
                     }});
}

/// Rows of a product's left operand with k channels in groups of `group`: channels i to i + w of row r are contiguous, from i * rows + r *
/// w.
/// A row-major operand is one group of the width of a row.
struct Positions {
    float const *data;
    std::int64_t rows, k, group;
};

using Vec = float __attribute__((vector_size(32)));

/// acc[Rows][16] += channels [first, first + width) of `Rows` positions times 16 columns. `width` is a constant if `Width` > 0.
template <int Rows, int Width>
inline void addChannels(float const *from, std::int64_t width, float const *b, std::int64_t ldb, Vec (&acc)[Rows][2])
{
    std::int64_t const n = Width > 0 ? Width : width;
    for (std::int64_t i = 0; i < n; ++i) {
        Vec b0, b1;
        std::memcpy(&b0, b + i * ldb, 32);
        std::memcpy(&b1, b + i * ldb + 8, 32);
        for (int row = 0; row < Rows; ++row) {
            float const x = from[row * n + i];
            acc[row][0] += x * b0;
            acc[row][1] += x * b1;
        }
    }
}

/// c[Rows][16] = a[Rows from r][k] * b[k][16 columns], with the columns in registers and several rows per pass.
template <int Rows> void block16(Positions const &a, std::int64_t r, float const *b, std::int64_t ldb, float *c, std::int64_t ldc)
{
    Vec acc[Rows][2] = {};
    std::int64_t first = 0;
    if (a.group == 8) // the AMP's group in f32
        for (; first + 8 <= a.k; first += 8) addChannels<Rows, 8>(a.data + first * a.rows + r * 8, 8, b + first * ldb, ldb, acc);
    for (; first < a.k; first += a.group) {
        std::int64_t const width = std::min(a.group, a.k - first);
        addChannels<Rows, 0>(a.data + first * a.rows + r * width, width, b + first * ldb, ldb, acc);
    }
    for (int row = 0; row < Rows; ++row) {
        std::memcpy(c + row * ldc, &acc[row][0], 32);
        std::memcpy(c + row * ldc + 8, &acc[row][1], 32);
    }
}

/// Rows [begin, end) of the product; `c` is the destination of the first one.
void multiply(Positions const &a, std::int64_t begin, std::int64_t end, float const *b, float *c, std::int64_t cols)
{
    std::int64_t const wide = cols / 16 * 16, rows = end - begin;
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4)
        for (std::int64_t j = 0; j < wide; j += 16) block16<4>(a, begin + r, b + j, cols, c + r * cols + j, cols);
    for (; r < rows; ++r)
        for (std::int64_t j = 0; j < wide; j += 16) block16<1>(a, begin + r, b + j, cols, c + r * cols + j, cols);
    if (wide == cols) return;
    for (r = 0; r < rows; ++r) {
        float acc[16] = {};
        for (std::int64_t first = 0; first < a.k; first += a.group) {
            std::int64_t const width = std::min(a.group, a.k - first);
            float const *from = a.data + first * a.rows + (begin + r) * width;
            for (std::int64_t i = 0; i < width; ++i)
                for (std::int64_t j = wide; j < cols; ++j) acc[j - wide] += from[i] * b[(first + i) * cols + j];
        }
        for (std::int64_t j = wide; j < cols; ++j) c[r * cols + j] = acc[j - wide];
    }
}

/// Reorders `rows` positions in `a` into groups of `width` channels.
void regroup(std::vector<float> &a, std::int64_t rows, std::int64_t k, std::int64_t group, std::int64_t width)
{
    if (group == width) return;
    thread_local std::vector<float> before;
    before = a;
    for (std::int64_t i = 0; i < k; ++i) {
        std::int64_t const from = i / group * group, to = i / width * width;
        std::int64_t const fromWidth = std::min(group, k - from), toWidth = std::min(width, k - to);
        for (std::int64_t r = 0; r < rows; ++r)
            a[static_cast<std::size_t>(to * rows + r * toWidth + i - to)] =
                before[static_cast<std::size_t>(from * rows + r * fromWidth + i - from)];
    }
}

/// Rows [begin, end) of one pair; `b` is the right operand of that pair. `inputs` > 0: number of channels between two stores of the sums.
void runProduct(std::byte *tile, VertexState::Ref const &out, VertexState::Ref const &a, float const *b, std::int64_t begin,
                std::int64_t end, std::int64_t inputs)
{
    std::int64_t const k = a.cols, cols = out.cols, group = a.colGroup > 1 ? a.colGroup : k;
    if (a.dtype == DType::F32 && out.dtype == DType::F32) {
        multiply({at<float>(tile, a), out.rows, k, group}, begin, end, b, at<float>(tile, out) + begin * cols, cols);
        return;
    }
    thread_local std::vector<float> bufferA, bufferC;
    std::int64_t const rows = end - begin;
    bufferA.resize(static_cast<std::size_t>(rows * k));
    bufferC.resize(static_cast<std::size_t>(rows * cols));
    // The rows of this share, in their existing groups.
    for (std::int64_t first = 0; first < k; first += group) {
        std::int64_t const width = std::min(group, k - first);
        float *const to = bufferA.data() + first * rows;
        float const *from = loadFloats(tile, a, first * out.rows + begin * width, rows * width, to);
        if (from != to) std::copy_n(from, rows * width, to);
    }
    if (inputs > 0 && inputs < k) {
        thread_local std::vector<float> part;
        part.resize(bufferC.size());
        regroup(bufferA, rows, k, group, inputs);
        std::ranges::fill(bufferC, 0.0f);
        for (std::int64_t first = 0; first < k; first += inputs) {
            std::int64_t const width = std::min(inputs, k - first);
            multiply({bufferA.data() + first * rows, rows, width, width}, 0, rows, b + first * cols, part.data(), cols);
            for (std::size_t i = 0; i < part.size(); ++i) bufferC[i] += part[i];
            if (first + inputs < k) storePartials(tile, out, begin * cols, rows * cols, bufferC.data(), first / inputs);
        }
    } else {
        multiply({bufferA.data(), rows, k, group}, 0, rows, b, bufferC.data(), cols);
    }
    storeFloats(tile, out, begin * cols, rows * cols, bufferC.data());
}

void runAmp(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0];
    auto const &a = s.fields[1];
    auto const &b = s.fields[2];
    std::int64_t const k = a.cols, cols = out.cols, inputs = s.scalars.size() > 1 ? static_cast<std::int64_t>(s.scalars[1]) : 0;
    auto const [begin, end] = shareOf(out.rows, workers);
    if (begin == end) return;
    std::int64_t const products = std::max<std::int64_t>(1, b.rows / k), perProduct = out.rows / products;
    thread_local std::vector<float> bufferB, plainB;
    bufferB.resize(static_cast<std::size_t>(k * cols));
    for (std::int64_t product = begin / perProduct; product < products && product * perProduct < end; ++product) {
        float const *fb = loadFloats(tile, b, product * k * cols, k * cols, bufferB.data());
        if (b.rowGroup > 1) {
            // The columns of the product are the positions, so its channels are grouped.
            plainB.resize(static_cast<std::size_t>(k * cols));
            for (std::int64_t first = 0; first < k; first += b.rowGroup) {
                std::int64_t const width = std::min<std::int64_t>(b.rowGroup, k - first);
                for (std::int64_t i = 0; i < width; ++i)
                    for (std::int64_t j = 0; j < cols; ++j)
                        plainB[static_cast<std::size_t>((first + i) * cols + j)] = fb[first * cols + j * width + i];
            }
            fb = plainB.data();
        }
        runProduct(tile, out, a, fb, std::max(begin, product * perProduct), std::min(end, (product + 1) * perProduct), inputs);
    }
}

/// Writes the result in groups if its layout has them. Stacked matrices are transposed one by one.
void runTranspose(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0];
    auto const &in = s.fields[1];
    std::int64_t const matrices = std::max(1, out.rows / std::max(1, in.cols));
    if (matrices > 1) {
        // Row r of matrix m is column r of the operand, whose elements are in.cols apart.
        TW_CHECK(out.rowGroup == 1 && out.groups == 1, "several matrices transposed into groups of rows");
        auto const [first, last] = shareOf(out.rows, workers);
        bySize(out.dtype, [&, first = first, last = last]<typename T>(T *) {
            T *const to = at<T>(tile, out);
            T const *const from = at<T>(tile, in);
            for (std::int64_t r = first; r < last; ++r) {
                T const *const column = from + r / in.cols * in.cols * out.cols + r % in.cols;
                for (std::int64_t c = 0; c < out.cols; ++c) to[elementAt(out, r, c)] = column[c * in.cols];
            }
        });
        return;
    }
    auto const [begin, end] = shareOf(out.rows, workers);
    bySize(out.dtype, [&, begin = begin, end = end]<typename T>(T *) { // clang 14 captures no bindings
        T *const to = at<T>(tile, out);
        T const *const from = at<T>(tile, in);
        for (std::int64_t g = 0; g < out.groups; ++g) {
            auto const base = g * out.rows * out.cols;
            // One group of columns at a time; a row-major operand is one group.
            std::int64_t const wide = out.colGroup > 1 ? out.colGroup : out.cols;
            for (std::int64_t first = 0; first < out.cols; first += wide) {
                std::int64_t const width = std::min(wide, out.cols - first);
                for (std::int64_t r = begin; r < end; ++r) {
                    T const *const row = from + base + first * in.cols + r;
                    if (out.rowGroup > 1) {
                        T *const group = to + base + r / out.rowGroup * out.rowGroup * out.cols + r % out.rowGroup;
                        auto const step = std::min<std::int64_t>(out.rowGroup, out.rows - r / out.rowGroup * out.rowGroup);
                        for (std::int64_t c = 0; c < width; ++c) group[c * step] = row[c * in.cols];
                    } else {
                        T *const group = to + base + first * out.rows + r * width;
                        for (std::int64_t c = 0; c < width; ++c) group[c] = row[c * in.cols];
                    }
                }
            }
        }
    });
}

/// Reorders a row-major field into the groups of its layout, in place.
void runRearrange(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &ref = s.fields[0];
    if (workers.begin != 0 || !ref.isGrouped()) return; // one worker moves data that others would read
    auto plain = ref;
    plain.rowGroup = plain.colGroup = 1;
    bySize(ref.dtype, [&]<typename T>(T *) {
        thread_local std::vector<T> before;
        T *const data = at<T>(tile, ref);
        before.assign(data, data + ref.elements());
        if (ref.colGroup == 1) return reorder(data, ref, before.data(), plain);
        for (std::int64_t g = 0; g < ref.groups; ++g) {
            T const *const from = before.data() + g * ref.rows * ref.cols;
            T *to = data + g * ref.rows * ref.cols;
            for (std::int64_t first = 0; first < ref.cols; first += ref.colGroup) {
                std::int64_t const width = std::min<std::int64_t>(ref.colGroup, ref.cols - first);
                constexpr std::int64_t kAmpGroup = 32 / sizeof(T); // 16 channels of f16, 8 of f32
                if (width == kAmpGroup)
                    for (std::int64_t r = 0; r < ref.rows; ++r, to += kAmpGroup) std::memcpy(to, from + r * ref.cols + first, 32);
                else
                    for (std::int64_t r = 0; r < ref.rows; ++r, to += width) std::copy_n(from + r * ref.cols + first, width, to);
            }
        }
    });
}

} // namespace

void addMatmulCodelets(std::vector<Codelet> &all)
{
    Codelet amp;
    amp.name = "ConvPartial1x1Out";
    amp.codeBytes = 960; // with the two codelets below 1,612: the products of popliner.bert_large_inf
    amp.cycles = ampCycles;
    amp.stateBytes = ampState;
    amp.run = runAmp;
    amp.knowsGroups = true;
    amp.usesAmp = true;
    amp.description = describeAmp();
    all.push_back(amp);
    Codelet mac = amp;
    mac.usesAmp = false;
    mac.name = "ConvPartialHorizontalMac";
    mac.codeBytes = 640;
    mac.cycles = horizontalMacCycles;
    mac.description = describeMac();
    all.push_back(mac);
    Codelet transpose;
    transpose.name = "Transpose";
    transpose.codeBytes = 420;
    transpose.cycles = [](VertexShape const &shape, target::Chip const &) {
        auto const &box = shape.fields[1];
        std::int64_t const matrices = std::max<std::int64_t>(1, shape.fields[0].rows / box.cols);
        return cost::transposeCycles(shape.fields[1].dtype, box.groups * matrices, box.rows / matrices, box.cols);
    };
    transpose.stateBytes = usualState;
    transpose.run = runTranspose;
    transpose.knowsGroups = true;
    transpose.description = describe(
        {.library = "popops::Transpose",
         .family = "copy",
         .title = "transpose of equal blocks",
         .source = "poplibs lib/popsparse/PerformanceEstimation.hpp",
         .params = {cost::typeParam("type", "f16", "element type", {"f16", "f32"}), cost::integerParam("blocks", "1", "matrices", 1),
                    cost::integerParam("rows", "", "rows of a matrix", 1), cost::integerParam("columns", "", "columns of a matrix", 1)},
         .vertex = [](cost::Args const &a) -> SizedVertex {
             auto const type = storageType(a.type("type"));
             std::int64_t const rows = a.integer("rows"), cols = a.integer("columns"), blocks = a.integer("blocks");
             return {{matrixField(type, cols, rows, blocks), matrixField(type, rows, cols, blocks)}};
         }});
    all.push_back(transpose);
    // The AMP reads positions in groups of channels. The planner prices this at inputs/16 per byte.
    Codelet rearrange;
    rearrange.name = "Rearrange";
    rearrange.codeBytes = 150;
    rearrange.cycles = [](VertexShape const &shape, target::Chip const &) {
        return 40 + shape.fields[0].elements() * sizeOf(shape.fields[0].dtype) / 16;
    };
    rearrange.stateBytes = [](VertexShape const &) -> Bytes { return 12; };
    rearrange.run = runRearrange;
    rearrange.knowsGroups = true;
    rearrange.description = describe({.family = "copy",
                                      .title = "rows put into the AMP's groups of channels, in place",
                                      .source = "16 bytes a cycle, 40 cycles to begin",
                                      .params = {storedTypeParam(), matrixRowsParam(), matrixColumnsParam()},
                                      .vertex = [](cost::Args const &a) -> SizedVertex {
                                          return {{matrixField(storageType(a.type("type")), a.integer("rows"), a.integer("columns"))}};
                                      }});
    all.push_back(rearrange);
}

} // namespace tilewright::program
