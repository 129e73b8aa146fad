#include "engine/graph/parts.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <cstring>

// Ops that move a box of elements at strides: any type.

namespace tilewright::kernels {

namespace {

/// Elements of a box at two strides, both in elements. Axes of one element are dropped, neighbours merged.
class BoxCopy {
public:
    BoxCopy(std::byte const *from, std::byte *to, Shape const &extents, Shape const &fromStrides, Shape const &toStrides, Bytes size)
        : m_from(from), m_to(to), m_size(size)
    {
        for (std::size_t i = extents.size(); i-- > 0;) {
            if (extents[i] == 1) continue;
            Axis const axis{extents[i], fromStrides[i], toStrides[i]};
            if (!m_axes.empty() && axis.from == m_axes.back().from * m_axes.back().extent
                && axis.to == m_axes.back().to * m_axes.back().extent)
                m_axes.back().extent *= axis.extent;
            else m_axes.push_back(axis);
        }
        if (m_axes.empty()) m_axes.push_back({1, 1, 1});
        if (m_axes.size() == 1) m_axes.push_back({1, 1, 1});
        for (std::size_t i = 1; i < m_axes.size(); ++i) m_rows *= m_axes[i].extent;
    }

    void run(RunContext &ctx) const
    {
        // A row is the innermost axis. A single long one is cut by its elements.
        if (m_rows == 1) {
            Pieces const pieces{m_axes[0].extent, 4 * kElementsPerTask};
            parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
                row(pieces.begin(task) * m_axes[0].from, pieces.begin(task) * m_axes[0].to, pieces.end(task) - pieces.begin(task));
            });
            return;
        }
        Pieces const pieces{m_rows, std::max<std::int64_t>(1, kElementsPerTask / m_axes[0].extent)};
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto r = pieces.begin(task); r < pieces.end(task); ++r) {
                std::int64_t rest = r, from = 0, to = 0;
                for (std::size_t i = 1; i < m_axes.size(); ++i) {
                    auto const at = rest % m_axes[i].extent;
                    rest /= m_axes[i].extent;
                    from += at * m_axes[i].from;
                    to += at * m_axes[i].to;
                }
                row(from, to, m_axes[0].extent);
            }
        });
    }

private:
    struct Axis {
        std::int64_t extent, from, to;
    };

    void row(std::int64_t from, std::int64_t to, std::int64_t n) const
    {
        auto const &axis = m_axes[0];
        std::byte const *source = m_from + from * m_size;
        std::byte *target = m_to + to * m_size;
        if (axis.from == 1 && axis.to == 1) {
            std::memcpy(target, source, static_cast<std::size_t>(n * m_size));
            return;
        }
        switch (m_size) {
        case 4: return strided<std::uint32_t>(source, target, n);
        case 2: return strided<std::uint16_t>(source, target, n);
        default: return strided<std::uint8_t>(source, target, n);
        }
    }
    template <typename T> void strided(std::byte const *source, std::byte *target, std::int64_t n) const
    {
        auto const *from = reinterpret_cast<T const *>(source);
        auto *to = reinterpret_cast<T *>(target);
        for (std::int64_t i = 0; i < n; ++i) to[i * m_axes[0].to] = from[i * m_axes[0].from];
    }

    std::byte const *m_from;
    std::byte *m_to;
    Bytes m_size;
    std::vector<Axis> m_axes; ///< innermost first, at least two
    std::int64_t m_rows = 1;
};

Status requireMove(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    return requireType(args, args.inputs[0], args.outputs[0].dtype);
}

std::int64_t firstOf(graph::Part const &part, Shape const &strides)
{
    std::int64_t first = 0;
    for (std::size_t i = 0; i < strides.size(); ++i) first += part.begin[i] * strides[i];
    return first;
}

/// Where the graph's rules find a fault, so does the kernel.
Diagnostic refused(PrepareArgs const &args, Diagnostic const &fault) { return unsupported(args.node, fault.message); }

} // namespace

Result<Prepared> prepareTranspose(PrepareArgs const &args)
{
    TW_TRY(requireMove(args));
    Shape const &in = args.inputs[0].shape, &out = args.outputs[0].shape;
    auto const perm = args.node.attrs.integers("perm");
    auto const strides = graph::rowMajorStrides(in);
    bool fits = perm.size() == in.size() && out.size() == in.size();
    Shape moved;
    std::vector<bool> seen(in.size());
    for (std::size_t i = 0; fits && i < perm.size(); ++i) {
        fits = perm[i] >= 0 && perm[i] < static_cast<std::int64_t>(in.size()) && !seen[static_cast<std::size_t>(perm[i])]
            && out[i] == in[static_cast<std::size_t>(perm[i])];
        if (!fits) break;
        seen[static_cast<std::size_t>(perm[i])] = true;
        moved.push_back(strides[static_cast<std::size_t>(perm[i])]);
    }
    if (!fits) return unsupported(args.node, Message::of("%1 is not the permutation of %2 that perm gives.", toText(out), toText(in)));
    BoxCopy const copy(args.inputs[0].data, args.outputs[0].data, out, moved, graph::rowMajorStrides(out), sizeOf(args.inputs[0].dtype));
    return Prepared([copy](RunContext &ctx) { copy.run(ctx); });
}

Result<Prepared> prepareSlice(PrepareArgs const &args)
{
    TW_TRY(requireMove(args));
    Shape const &whole = args.inputs[0].shape;
    auto const part = graph::sliceOf(args.node, whole);
    if (!part.ok()) return refused(args, part.error());
    TW_TRY(requireElements(args, args.outputs[0], elementCount(part->size)));
    Bytes const size = sizeOf(args.inputs[0].dtype);
    auto const strides = graph::rowMajorStrides(whole);
    BoxCopy const copy(args.inputs[0].data + firstOf(*part, strides) * size, args.outputs[0].data, part->size, strides,
                       graph::rowMajorStrides(part->size), size);
    return Prepared([copy](RunContext &ctx) { copy.run(ctx); });
}

Result<Prepared> preparePad(PrepareArgs const &args)
{
    TW_TRY(requireMove(args));
    auto const padded = graph::padOf(args.node, args.inputs[0].shape);
    if (!padded.ok()) return refused(args, padded.error());
    TW_TRY(requireElements(args, args.outputs[0], elementCount(padded->whole)));
    Bytes const size = sizeOf(args.inputs[0].dtype);
    auto const strides = graph::rowMajorStrides(padded->whole);
    BoxCopy const copy(args.inputs[0].data, args.outputs[0].data + firstOf(padded->part, strides) * size, padded->part.size,
                       graph::rowMajorStrides(padded->part.size), strides, size);
    Pieces const zeros{elementCount(padded->whole) * size, 4 * 4 * kElementsPerTask};
    auto *const out = args.outputs[0].data;
    return Prepared([copy, zeros, out](RunContext &ctx) {
        parallelFor(ctx, zeros.tasks(), [&](std::size_t task) {
            std::memset(out + zeros.begin(task), 0, static_cast<std::size_t>(zeros.end(task) - zeros.begin(task)));
        });
        copy.run(ctx);
    });
}

} // namespace tilewright::kernels
