// The kernels of one training step of an MLP 784-256-128-10 (batch 32, sparse cross-entropy, RMSprop), run in
// step order: microseconds per kernel and per step. Usage: bench_kernels [THREADS…], default 1 2.
// Minima over rounds of steps: on a shared machine the rest is other people's work.

#include "engine/kernels/gemm.h"
#include "engine/kernels/kernel_table.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <new>
#include <random>
#include <string>

using namespace tilewright;
using namespace tilewright::kernels;

namespace {

double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Step {
public:
    HostTensor tensor(DType dtype, Shape shape)
    {
        HostTensor t{dtype, std::move(shape), nullptr};
        auto const bytes = static_cast<std::size_t>(roundUp(std::max<Bytes>(64, t.elements() * sizeOf(dtype)), 64));
        t.data = static_cast<std::byte *>(std::aligned_alloc(64, bytes));
        if (!t.data) std::abort();
        std::fill_n(t.data, bytes, std::byte{0});
        return t;
    }
    HostTensor random(Shape shape, float limit)
    {
        auto t = tensor(DType::F32, std::move(shape));
        std::uniform_real_distribution<float> spread(-limit, limit);
        for (std::int64_t i = 0; i < t.elements(); ++i) t.f32()[i] = spread(m_random);
        return t;
    }
    void add(std::string label, std::string op, std::vector<HostTensor> inputs, std::vector<HostTensor> outputs, graph::Attrs attrs = {})
    {
        graph::Node node;
        node.op = std::move(op);
        node.name = label;
        node.attrs = std::move(attrs);
        auto prepared = prepare({node, inputs, outputs});
        if (!prepared.ok()) {
            std::fprintf(stderr, "%s\n", toText(prepared.error()).c_str());
            std::exit(1);
        }
        m_kernels.push_back({std::move(label), std::move(prepared).value(), 1e30});
    }

    void measure(int threads)
    {
        ThreadPool pool(threads);
        RunContext ctx{pool};
        for (auto &kernel : m_kernels) kernel.best = 1e30;
        for (int i = 0; i < 50; ++i) once(ctx);
        double best = 1e30;
        for (int round = 0; round < 60; ++round) {
            int const steps = 20;
            double const start = now();
            for (int i = 0; i < steps; ++i) once(ctx);
            best = std::min(best, (now() - start) / steps);
        }
        for (int round = 0; round < 400; ++round) {
            for (auto &kernel : m_kernels) {
                double const start = now();
                kernel.run(ctx);
                kernel.best = std::min(kernel.best, now() - start);
            }
        }
        std::printf("%d thread%s, GEMM by %s\n", threads, threads == 1 ? "" : "s", std::string(gemmLibrary()).c_str());
        double sum = 0;
        for (auto const &kernel : m_kernels) {
            std::printf("  %-16s %8.2f us\n", kernel.label.c_str(), kernel.best);
            sum += kernel.best;
        }
        std::printf("  %-16s %8.2f us\n  %-16s %8.2f us\n", "sum of minima", sum, "whole step", best);
    }

private:
    struct Kernel {
        std::string label;
        Prepared run;
        double best;
    };
    void once(RunContext &ctx)
    {
        for (auto &kernel : m_kernels) kernel.run(ctx);
    }
    std::deque<Kernel> m_kernels;
    std::mt19937 m_random{7};
};

struct Dense {
    HostTensor w, b, dw, db, sw, sb;
};

} // namespace

int main(int argc, char **argv)
{
    std::vector<int> threads;
    for (int i = 1; i < argc; ++i) threads.push_back(std::max(1, std::atoi(argv[i])));
    if (threads.empty()) threads = {1, 2};

    std::int64_t const batch = 32;
    std::vector<std::int64_t> const sizes{784, 256, 128, 10};
    Step step;
    std::vector<Dense> layers;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        auto const in = sizes[i], out = sizes[i + 1];
        layers.push_back({step.random({in, out}, 0.05f), step.random({out}, 0.05f), step.tensor(DType::F32, {in, out}),
                          step.tensor(DType::F32, {out}), step.tensor(DType::F32, {in, out}), step.tensor(DType::F32, {out})});
    }
    std::vector<HostTensor> h{step.random({batch, sizes[0]}, 1.0f)}, dh{HostTensor{}};
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        h.push_back(step.tensor(DType::F32, {batch, sizes[i]}));
        dh.push_back(step.tensor(DType::F32, {batch, sizes[i]}));
    }
    auto const labels = step.tensor(DType::I32, {batch});
    for (std::int64_t i = 0; i < batch; ++i) labels.i32()[i] = static_cast<std::int32_t>(i * 7 % 10);
    auto const loss = step.tensor(DType::F32, {batch}), total = step.tensor(DType::F32, {});
    auto const probs = step.tensor(DType::F32, {batch, 10});
    auto const dloss = step.tensor(DType::F32, {}), rate = step.tensor(DType::F32, {});
    dloss.f32()[0] = 1.0f / 32;
    rate.f32()[0] = 0.001f;

    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto const n = std::to_string(i + 1);
        step.add("matmul" + n, "matmul", {h[i], layers[i].w}, {h[i + 1]});
        if (i + 1 < layers.size())
            step.add("bias_relu" + n, "map", {h[i + 1], layers[i].b}, {h[i + 1]}, {{"expr", std::string("2: add a0 a1; relu t0")}});
        else step.add("bias" + n, "add", {h[i + 1], layers[i].b}, {h[i + 1]});
    }
    step.add("sparse_xent", "sparse_xent", {h.back(), labels}, {loss, probs});
    step.add("loss_sum", "reduce_sum", {loss}, {total}, {});
    step.add("loss_mean", "mul_scalar", {total}, {total}, {{"p0", 1.0 / 32}});
    step.add("xent_grad", "sparse_xent_grad", {probs, labels, dloss}, {dh.back()});
    for (std::size_t i = layers.size(); i-- > 0;) {
        auto const n = std::to_string(i + 1);
        step.add("dW" + n, "matmul", {h[i], dh[i + 1]}, {layers[i].dw}, {{"transpose_a", true}});
        step.add("db" + n, "reduce_sum", {dh[i + 1]}, {layers[i].db}, {{"axes", Shape{0}}});
        if (i > 0) {
            step.add("dX" + n, "matmul", {dh[i + 1], layers[i].w}, {dh[i]}, {{"transpose_b", true}});
            step.add("relu_grad" + n, "relu_grad", {h[i], dh[i]}, {dh[i]});
        }
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto const n = std::to_string(i + 1);
        auto const &l = layers[i];
        graph::Attrs const attrs{{"rho", 0.9}, {"epsilon", 1e-7}};
        step.add("rmsprop_w" + n, "opt.rmsprop", {l.w, l.sw, l.dw, rate}, {l.w, l.sw}, attrs);
        step.add("rmsprop_b" + n, "opt.rmsprop", {l.b, l.sb, l.db, rate}, {l.b, l.sb}, attrs);
    }
    for (int count : threads) step.measure(count);
    return 0;
}
