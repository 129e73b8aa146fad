#pragma once

#include "engine/kernels/kernel.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

/// float32 kernels for operands and results stored as float16.
namespace tilewright::kernels {

/// `prepare` for tensors that may be stored as float16: operands are widened before the kernel runs, and a result is rounded once when it
/// is stored, to nearest even or stochastically as the context says. The kernel computes in float32, like the machine with float32
/// partials, or rounds its partial sums itself (half_partials.h). Without a float16 tensor it is `prepare` itself.
PrepareFn withHalfStorage(PrepareFn prepare);

/// While it lives on a thread, kernels that are prepared there share their wide copies: of each size as many exist as one kernel needs.
/// What a kernel reads and writes so stays in the processor's cache, over nodes and over replicas. Requires: those kernels run one after
/// the other.
class SharedWideCopies {
public:
    SharedWideCopies();
    ~SharedWideCopies();
    SharedWideCopies(SharedWideCopies const &) = delete;
    SharedWideCopies &operator=(SharedWideCopies const &) = delete;

    using Floats = std::shared_ptr<float>;
    /// Which copies one kernel has taken: their number by size.
    using Taken = std::map<int, std::size_t>;
    Floats take(std::int64_t elements, Taken &taken);
    /// The copies of the scope on this thread; null outside of one.
    static SharedWideCopies *current();

private:
    std::map<int, std::vector<Floats>> m_copies; ///< by size
    SharedWideCopies *m_outer;
};

/// What such copies take.
class WideCopiesBytes {
public:
    /// One kernel, with copies of so many bytes.
    void addKernel(std::vector<Bytes> const &copies);
    Bytes total() const;

private:
    std::map<int, std::size_t> m_most;
};

/// Bytes a kernel of that op takes besides its tensors when one of them is stored as float16.
Bytes halfStorageBytes(std::string_view op, DType dtype, Shape const &shape);

/// from[0 … count) widened.
void widen(std::uint16_t const *from, std::int64_t count, float *to);

} // namespace tilewright::kernels
