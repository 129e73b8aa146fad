#pragma once

#include "engine/conformance/case_file.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewright::conformance {

struct Tolerance {
    double rtol = 1e-4, atol = 1e-6;
};

/// Collects the comparisons of one case: the one nearest to its limit, and the computed tensors.
class Comparison {
public:
    /// Selects the format's wider limits for half precision in values().
    void setHalf(bool half) { m_half = half; }

    /// Keeps a computed tensor for the dump.
    void computed(std::string name, Tensor tensor);
    std::vector<std::pair<std::string, Tensor>> const &computed() const { return m_computed; }

    /// |a - e| <= atol + rtol |e| for every element; shapes equal. Keeps `actual`.
    void values(std::string const &name, Tensor const &actual, Tensor const &expected, Tolerance tolerance);
    /// max |a - e| / max |e| <= limit over the tensor; shapes equal. Keeps `actual`.
    void relativeToMax(std::string const &name, Tensor const &actual, Tensor const &expected, double limit);
    /// One figure against its limit. `place` names it in the reason.
    void add(std::string const &place, double error, double limit);
    /// A mismatch that is not numeric.
    void mismatch(std::string reason);

    bool compared() const { return m_compared; }
    bool failed() const { return m_failed; }
    double worstError() const { return m_error; }
    double worstLimit() const { return m_limit; }
    bool hasWorst() const { return m_hasWorst; }
    std::string const &reason() const { return m_reason; } ///< of the first failed comparison

private:
    bool sameShape(std::string const &name, Tensor const &actual, Tensor const &expected);

    bool m_half = false, m_compared = false, m_failed = false, m_hasWorst = false;
    double m_error = 0, m_limit = 0;
    std::string m_reason;
    std::vector<std::pair<std::string, Tensor>> m_computed;
};

} // namespace tilewright::conformance
