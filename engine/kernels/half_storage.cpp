#include "engine/kernels/half_storage.h"

#include "engine/core/host_memory.h"
#include "engine/kernels/half.h"
#include "engine/kernels/kernel_table.h"
#include "engine/kernels/rounding.h"
#include "engine/kernels/support.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace tilewright::kernels {

namespace {

using Floats = SharedWideCopies::Floats;

constexpr Bytes kAlignment = 64;

thread_local SharedWideCopies *currentCopies = nullptr;

/// Copies of 2^n elements serve all tensors of no more and of more than half as many.
int sizeOfCopy(std::int64_t elements)
{
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, elements) - 1)));
}

Floats makeFloats(std::int64_t count)
{
    auto *p =
        static_cast<float *>(std::aligned_alloc(kAlignment, static_cast<std::size_t>(roundUp(std::max<Bytes>(1, 4 * count), kAlignment))));
    if (!p) throw std::bad_alloc();
    return Floats(p, [](float *memory) { std::free(memory); });
}

/// A tensor of float16 and its wide copy. Operands and results of one address share one: where a node works in place
/// its kernel does, too.
struct Wide {
    HostTensor narrow;
    Floats floats;
    bool read = false, written = false;
    std::size_t result = 0; ///< which it is, where it is written
};

template <typename Body> void inPieces(RunContext &ctx, std::int64_t count, Body const &body)
{
    Pieces const pieces{count, kElementsPerTask};
    parallelFor(ctx, pieces.tasks(), [&](std::size_t task) { body(pieces.begin(task), pieces.end(task)); });
}

} // namespace

void widen(std::uint16_t const *from, std::int64_t count, float *to) { widenHalves(from, count, to); }

PrepareFn withHalfStorage(PrepareFn prepare)
{
    return [prepare = std::move(prepare)](PrepareArgs const &args) -> Result<Prepared> {
        auto const isHalf = [](HostTensor const &t) { return t.dtype == DType::F16; };
        if (std::ranges::none_of(args.inputs, isHalf) && std::ranges::none_of(args.outputs, isHalf)) return prepare(args);

        auto const wides = std::make_shared<std::vector<Wide>>();
        auto *const shared = SharedWideCopies::current();
        SharedWideCopies::Taken taken;
        constexpr std::size_t kOperand = ~std::size_t{0};
        auto const widened = [&](HostTensor const &tensor, std::size_t result) {
            if (!isHalf(tensor)) return tensor;
            auto it = std::ranges::find_if(
                *wides, [&](Wide const &w) { return w.narrow.data == tensor.data && w.narrow.elements() == tensor.elements(); });
            if (it == wides->end())
                it = wides->insert(it, {tensor, shared ? shared->take(tensor.elements(), taken) : makeFloats(tensor.elements())});
            (result != kOperand ? it->written : it->read) = true;
            if (result != kOperand) it->result = result;
            HostTensor wide = tensor;
            wide.dtype = DType::F32;
            wide.data = reinterpret_cast<std::byte *>(it->floats.get());
            return wide;
        };
        std::vector<HostTensor> inputs, outputs;
        for (auto const &tensor : args.inputs) inputs.push_back(widened(tensor, kOperand));
        for (std::size_t o = 0; o < args.outputs.size(); ++o) outputs.push_back(widened(args.outputs[o], o));
        TW_ASSIGN(auto run, prepare({args.node, inputs, outputs}));
        return Prepared([wides, run = std::move(run)](RunContext &ctx) {
            for (auto const &w : *wides)
                if (w.read)
                    inPieces(ctx, w.narrow.elements(), [&](std::int64_t begin, std::int64_t end) {
                        widen(w.narrow.f16() + begin, end - begin, w.floats.get() + begin);
                    });
            run(ctx);
            for (auto const &w : *wides)
                if (w.written)
                    inPieces(ctx, w.narrow.elements(), [&](std::int64_t begin, std::int64_t end) {
                        narrow(w.floats.get() + begin, end - begin, w.narrow.f16() + begin, ctx.roundingOf(w.result), begin);
                    });
        });
    };
}

SharedWideCopies::SharedWideCopies() : m_outer(currentCopies) { currentCopies = this; }

SharedWideCopies::~SharedWideCopies() { currentCopies = m_outer; }

SharedWideCopies *SharedWideCopies::current() { return currentCopies; }

SharedWideCopies::Floats SharedWideCopies::take(std::int64_t elements, Taken &taken)
{
    int const size = sizeOfCopy(elements);
    auto &copies = m_copies[size];
    auto const number = taken[size]++;
    if (number == copies.size()) copies.push_back(makeFloats(std::int64_t{1} << size));
    return copies[number];
}

void WideCopiesBytes::addKernel(std::vector<Bytes> const &copies)
{
    std::map<int, std::size_t> taken;
    for (auto const bytes : copies)
        if (bytes > 0) ++taken[sizeOfCopy(bytes / 4)];
    for (auto const &[size, count] : taken) m_most[size] = std::max(m_most[size], count);
}

Bytes WideCopiesBytes::total() const
{
    Bytes bytes = 0;
    for (auto const &[size, count] : m_most) bytes = addBytes(bytes, multiplyBytes(Bytes{4} << size, static_cast<Bytes>(count)));
    return bytes;
}

Bytes halfStorageBytes(std::string_view op, DType dtype, Shape const &shape)
{
    if (dtype != DType::F16) return 0;
    auto const *entry = findKernel(op);
    return entry && !entry->takesHalf ? multiplyBytes(elementCount(shape), 4) : 0;
}

} // namespace tilewright::kernels
