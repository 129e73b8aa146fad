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

/// Compares the tensors of two modes. The difference of a tensor is its largest difference divided by its largest finite magnitude. NaN
/// or the same infinity in both modes is no difference. In one mode only it is an infinite difference, as are different tensor sizes.
class VerifyComparison {
public:
    /// `half`: the model stores float16. Both modes round stored values; the order of their sums determines the last bits.
    explicit VerifyComparison(bool half);
    bool half() const { return m_half; }

    /// The following calls belong to the next weight update.
    void beginUpdate() { ++m_update; }
    /// `around`: a group of tensors (gradients of a layer, sums of a layer in one pass) whose largest magnitude is the minimum divisor,
    /// because a tensor near zero consists of rounding errors; "": the tensor alone. `allowed` is subtracted from each difference.
    void compare(std::string const &name, DType dtype, std::span<std::byte const> left, std::span<std::byte const> right,
                 std::string const &around = {}, double allowed = 0);
    /// Only one mode has the tensor.
    void missing(std::string const &name);
    /// The tensor is a sum that is stored as float16 this many times (`byChance`: stochastic rounding); the modes round at other places.
    void allowStores(std::string const &name, std::int64_t stores, bool byChance);

    /// Tensors with comparable values that exceed their tolerance in this update.
    std::set<std::string> beyondTolerance() const;
    /// In this update, allows the tensor a difference of kSpreadFactor times the difference between two results of fused mode: without
    /// noise and with random rounding errors. If all such results of the update are not finite although the tensor is, rounding decides
    /// whether the model stays finite: any finite difference is then allowed.
    void allowSpread(std::string const &name, DType dtype, std::span<std::byte const> exact, std::span<std::byte const> perturbed);
    static constexpr double kSpreadFactor = 8;

    VerifyOutcome outcome(std::int64_t steps) const;

private:
    struct Difference {
        std::string name;
        int update = 0;
        double difference = 0, largest = 0;
        std::string around;
        bool half = false; ///< stored as float16
    };
    struct Spread {
        double largest = 0;     ///< of the finite differences
        bool wasFinite = false; ///< at least one was
    };
    VerifyTensor judged(Difference const &entry) const;
    double statedTolerance(std::string const &name) const;

    bool m_half;
    int m_update = 0;
    std::vector<Difference> m_differences;
    std::map<std::string, double> m_largestAround, m_tolerances;
    std::map<std::pair<int, std::string>, Spread> m_spread; ///< by update and tensor
    std::set<std::string> m_missing;                        ///< names of tensors that cannot be compared
};

} // namespace tilewright::runtime
