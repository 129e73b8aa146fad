// Convolutions by oneDNN, one piece of the batch per call. Activations stay channels-last. Weights change in each training step and are
// reordered for the library in each run.
#include "engine/kernels/conv.h"
#include "engine/kernels/gemm.h"
#include "engine/kernels/support.h"

#include <dnnl.hpp>

#include <algorithm>
#include <memory>

namespace tilewright::kernels {

namespace {

using dnnl::memory;
using graph::ConvGeometry;

dnnl::engine &hostEngine()
{
    static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}
dnnl::stream &hostStream()
{
    thread_local dnnl::stream stream(hostEngine());
    return stream;
}

/// [batch, channels, positions…] as a view of channels-last bytes.
memory::desc activations(std::int64_t batch, std::int64_t channels, std::span<ConvGeometry::Axis const> axes,
                         std::int64_t ConvGeometry::Axis::*extent)
{
    memory::dims dims{batch, channels}, strides(2 + axes.size());
    std::int64_t step = channels;
    for (auto const &axis : axes) dims.push_back(axis.*extent);
    for (std::size_t i = axes.size(); i-- > 0;) {
        strides[2 + i] = step;
        step *= axes[i].*extent;
    }
    strides[0] = step;
    strides[1] = 1;
    return {dims, memory::data_type::f32, strides};
}

/// [groups,] filters, channels, kernel… as a view of [kernel…, channels, groups, filters].
memory::desc weights(ConvGeometry const &g)
{
    auto const axes = g.axes();
    bool const grouped = g.groups > 1;
    memory::dims dims, strides;
    std::int64_t const row = g.groups * g.filters;
    if (grouped) {
        dims.push_back(g.groups);
        strides.push_back(g.filters);
    }
    dims.insert(dims.end(), {g.filters, g.channels});
    strides.insert(strides.end(), {1, row});
    std::size_t const first = dims.size();
    for (auto const &axis : axes) dims.push_back(axis.kernel);
    strides.resize(dims.size());
    std::int64_t step = row * g.channels;
    for (std::size_t i = axes.size(); i-- > 0;) {
        strides[first + i] = step;
        step *= axes[i].kernel;
    }
    return {dims, memory::data_type::f32, strides};
}

memory::desc anyOrder(memory::desc const &md) { return {md.dims(), md.data_type(), memory::format_tag::any}; }

struct Windows {
    memory::dims strides, dilations, before, after;
};
Windows windowsOf(ConvGeometry const &g)
{
    Windows w;
    for (auto const &a : g.axes()) {
        w.strides.push_back(a.stride);
        w.dilations.push_back(a.dilation - 1);
        w.before.push_back(a.before);
        w.after.push_back(std::max<std::int64_t>(0, (a.out - 1) * a.stride + (a.kernel - 1) * a.dilation + 1 - a.in - a.before));
    }
    return w;
}

/// A primitive for one size of piece, and the memory orders it needs.
struct Plan {
    dnnl::primitive primitive;
    memory::desc x, w, y, scratchpad;
    std::string implementation;
};

/// Activations in the program's order, or in any order chosen by the library.
Plan makePlan(ConvGeometry const &g, ConvResult result, bool anyActivations)
{
    auto const windows = windowsOf(g);
    auto x = activations(g.batch, g.groups * g.channels, g.axes(), &ConvGeometry::Axis::in);
    auto y = activations(g.batch, g.groups * g.filters, g.axes(), &ConvGeometry::Axis::out);
    if (anyActivations) {
        x = anyOrder(x);
        y = anyOrder(y);
    }
    auto const w = anyOrder(weights(g));
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    auto const algorithm = dnnl::algorithm::convolution_direct;
    auto const kind = result == ConvResult::Output ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training;
    dnnl::convolution_forward::primitive_desc const forward(
        {kind, algorithm, x, w, y, windows.strides, windows.dilations, windows.before, windows.after}, attr, hostEngine());
    if (result == ConvResult::Output)
        return {dnnl::convolution_forward(forward), forward.src_desc(),     forward.weights_desc(), forward.dst_desc(),
                forward.scratchpad_desc(),          forward.impl_info_str()};
    if (result == ConvResult::InputGradient) {
        dnnl::convolution_backward_data::primitive_desc const backward(
            {algorithm, x, w, y, windows.strides, windows.dilations, windows.before, windows.after}, attr, hostEngine(), forward);
        return {dnnl::convolution_backward_data(backward),
                backward.diff_src_desc(),
                backward.weights_desc(),
                backward.diff_dst_desc(),
                backward.scratchpad_desc(),
                backward.impl_info_str()};
    }
    dnnl::convolution_backward_weights::primitive_desc const backward(
        {algorithm, x, w, y, windows.strides, windows.dilations, windows.before, windows.after}, attr, hostEngine(), forward);
    return {dnnl::convolution_backward_weights(backward),
            backward.src_desc(),
            backward.diff_weights_desc(),
            backward.diff_dst_desc(),
            backward.scratchpad_desc(),
            backward.impl_info_str()};
}

/// oneDNN 2.6 packs the strided inputs of a 1 x 1 kernel into its scratchpad. For weight gradients in channels-last order with fewer
/// channels than a vector has lanes (at most 16), it writes beyond the scratchpad. In its own order it does not.
bool overrunsTheScratchpad(ConvGeometry const &g, ConvResult result)
{
    auto const axes = g.axes();
    return result == ConvResult::WeightGradient && g.channels < 16 && g.kernelElements() == 1
        && std::ranges::any_of(axes, [](auto const &axis) { return axis.stride > 1; });
}

/// The program's order if the library has compiled code for it, otherwise the library's own order if it has compiled code for that.
Plan choosePlan(ConvGeometry const &g, ConvResult result)
{
    auto const compiled = [](Plan const &plan) {
        return plan.implementation.find("jit") != std::string::npos || plan.implementation.find("brg") != std::string::npos;
    };
    if (overrunsTheScratchpad(g, result)) return makePlan(g, result, true);
    Plan plain = makePlan(g, result, false);
    if (compiled(plain)) return plain;
    Plan any = makePlan(g, result, true);
    return compiled(any) ? any : plain;
}

/// One piece of the batch.
class Piece {
public:
    Piece(ConvCall const &call, std::int64_t firstImage, std::int64_t images, memory w, float *ownWeights)
        : m_result(call.result), m_g(call.geometry)
    {
        m_g.batch = images;
        m_plan = choosePlan(m_g, m_result);
        auto const userX = activations(images, m_g.groups * m_g.channels, m_g.axes(), &ConvGeometry::Axis::in);
        auto const userY = activations(images, m_g.groups * m_g.filters, m_g.axes(), &ConvGeometry::Axis::out);
        m_userX = memory(userX, hostEngine(), call.x + firstImage * m_g.inPositions() * m_g.groups * m_g.channels);
        m_userY = memory(userY, hostEngine(), call.y + firstImage * m_g.outPositions() * m_g.groups * m_g.filters);
        m_x = m_plan.x == userX ? m_userX : memory(m_plan.x, hostEngine());
        m_y = m_plan.y == userY ? m_userY : memory(m_plan.y, hostEngine());
        m_scratchpad = memory(m_plan.scratchpad, hostEngine());
        if (m_result == ConvResult::WeightGradient) {
            m_w = memory(m_plan.w, hostEngine());
            m_userW = memory(weights(m_g), hostEngine(), ownWeights);
        } else {
            m_w = w;
        }
        m_copyX = copier(m_userX, m_x);
        m_copyY = copier(m_userY, m_y);
        m_copyBackX = copier(m_x, m_userX);
        m_copyBackY = copier(m_y, m_userY);
        m_copyBackW = m_result == ConvResult::WeightGradient ? dnnl::reorder(m_w, m_userW) : dnnl::reorder();
    }

    Plan const &plan() const { return m_plan; }
    void setWeights(memory const &w) { m_w = w; }

    void run()
    {
        auto &stream = hostStream();
        bool const toX = m_result == ConvResult::InputGradient, toY = m_result == ConvResult::Output;
        if (!toX) copy(m_copyX, m_userX, m_x);
        if (!toY) copy(m_copyY, m_userY, m_y);
        std::unordered_map<int, memory> args{{DNNL_ARG_SCRATCHPAD, m_scratchpad}};
        args[toX ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC] = m_x;
        args[toY ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST] = m_y;
        args[m_result == ConvResult::WeightGradient ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS] = m_w;
        m_plan.primitive.execute(stream, args);
        if (toX) copy(m_copyBackX, m_x, m_userX);
        if (toY) copy(m_copyBackY, m_y, m_userY);
        if (m_result == ConvResult::WeightGradient) m_copyBackW.execute(stream, m_w, m_userW);
        stream.wait();
    }

private:
    static dnnl::reorder copier(memory const &from, memory const &to)
    {
        return from.get() == to.get() ? dnnl::reorder() : dnnl::reorder(from, to);
    }
    static void copy(dnnl::reorder &reorder, memory &from, memory &to)
    {
        if (reorder.get(true)) reorder.execute(hostStream(), from, to);
    }

    ConvResult m_result;
    ConvGeometry m_g;
    Plan m_plan;
    memory m_userX, m_userY, m_userW, m_x, m_y, m_w, m_scratchpad;
    dnnl::reorder m_copyX, m_copyY, m_copyBackX, m_copyBackY, m_copyBackW;
};

class LibraryConv {
public:
    explicit LibraryConv(ConvCall const &call) : m_call(call), m_cut(cutConv(call.geometry, call.result))
    {
        auto const &g = call.geometry;
        bool const gradient = call.result == ConvResult::WeightGradient;
        auto const size = static_cast<std::size_t>(elementCount(g.kernelShape()));
        if (gradient && m_cut.pieces > 1) m_sums.resize(size * (m_cut.pieces - 1));
        for (std::size_t i = 0; i < m_cut.pieces; ++i) {
            auto const first = static_cast<std::int64_t>(i) * m_cut.images;
            auto const images = std::min(m_cut.images, g.batch - first);
            float *const own = i == 0 ? call.w : m_sums.data() + (i - 1) * size;
            m_pieces.emplace_back(call, first, images, memory(), own);
        }
        if (gradient) return;
        // Prefer the same order for all pieces. The smaller last piece may need another; each order is created once.
        memory const user(weights(g), hostEngine(), call.w);
        for (auto &piece : m_pieces) {
            auto const &wanted = piece.plan().w;
            std::size_t at = 0;
            while (at < m_weights.size() && m_weights[at].get_desc() != wanted) ++at;
            if (at == m_weights.size()) {
                m_weights.push_back(wanted == user.get_desc() ? user : memory(wanted, hostEngine()));
                m_orders.push_back(wanted == user.get_desc() ? dnnl::reorder() : dnnl::reorder(user, m_weights.back()));
            }
            piece.setWeights(m_weights[at]);
        }
        m_userWeights = user;
    }

    void run(RunContext &ctx)
    {
        stayOnThisThread();
        for (std::size_t i = 0; i < m_orders.size(); ++i)
            if (m_orders[i].get(true)) m_orders[i].execute(hostStream(), m_userWeights, m_weights[i]);
        hostStream().wait();
        parallelFor(ctx, m_pieces.size(), [&](std::size_t i) {
            stayOnThisThread();
            m_pieces[i].run();
        });
        auto const size = static_cast<std::size_t>(elementCount(m_call.geometry.kernelShape()));
        for (std::size_t at = 0; at < m_sums.size(); at += size)
            for (std::size_t i = 0; i < size; ++i) m_call.w[i] += m_sums[at + i];
    }

private:
    ConvCall m_call;
    ConvCut m_cut;
    std::vector<float> m_sums; ///< gradients of all pieces except the first
    std::vector<Piece> m_pieces;
    memory m_userWeights;
    std::vector<memory> m_weights;
    std::vector<dnnl::reorder> m_orders;
};

} // namespace

std::optional<Prepared> convByLibrary(ConvCall const &call)
{
    stayOnThisThread();
    try {
        auto conv = std::make_shared<LibraryConv>(call);
        return Prepared([conv](RunContext &ctx) { conv->run(ctx); });
    } catch (dnnl::error const &) {
        return std::nullopt; // the library does not support this shape
    }
}

} // namespace tilewright::kernels
