#pragma once

#include "engine/core/types.h"
#include "engine/runtime/session.h"

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tilewright::runtime {

/// What two modes have left, tensor by tensor: the largest difference over the largest finite magnitude. NaN in both modes is no
/// difference, nor is the same infinity; either in one mode alone is a difference without bound, as are tensors of different sizes.
class VerifyComparison {
public:
    /// `half`: float16 is in the model. Both modes round what is stored so; the order of their sums decides the last bits of it.
    explicit VerifyComparison(bool half);
    bool half() const { return m_half; }

    /// What follows belongs to the next weight update.
    void beginUpdate() { ++m_update; }
    /// `around`: whose largest magnitude a difference is measured with at least, where rounding decides what is next to nothing
    /// (gradients of a layer, sums of a layer in one pass); "": its own. `allowed` is taken off each difference.
    void compare(std::string const &name, DType dtype, std::span<std::byte const> left, std::span<std::byte const> right,
                 std::string const &around = {}, double allowed = 0);
    /// One mode has it, the other has not.
    void missing(std::string const &name);
    /// A sum that is stored as float16 so many times on the way, by chance or to the nearest: modes round at other places.
    void allowStores(std::string const &name, std::int64_t stores, bool byChance);

    /// Tensors that differ by more than is allowed in this update, if the values of both modes can be compared at all.
    std::set<std::string> beyondTolerance() const;
    /// In this update the tensor may differ by kSpreadFactor times the difference between these two: the values of fused mode, and its
    /// values with random errors of the size of rounding.
    void allowSpread(std::string const &name, DType dtype, std::span<std::byte const> exact, std::span<std::byte const> perturbed);
    static constexpr double kSpreadFactor = 8;

    VerifyOutcome outcome(std::int64_t steps) const;

private:
    struct Difference {
        std::string name;
        int update = 0;
        double difference = 0, largest = 0;
        std::string around;
    };
    VerifyTensor judged(Difference const &entry) const;
    double statedTolerance(std::string const &name) const;

    bool m_half;
    int m_update = 0;
    std::vector<Difference> m_differences;
    std::map<std::string, double> m_largestAround, m_tolerances;
    std::map<std::pair<int, std::string>, double> m_spread; ///< by update and tensor
    std::set<std::string> m_missing;                        ///< of what is beyond comparison
};

} // namespace tilewright::runtime
