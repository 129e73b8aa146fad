#pragma once

#include "engine/graph/partial_sums.h"
#include "engine/reference/reference_ops.h"

#include <algorithm>
#include <vector>

namespace tilewright::reference {

/// The sums of the first result, element by element. With float16 partial sums, each accumulation is added to the sum so far, which is
/// rounded before the next accumulation of the element begins.
class PartialSums {
public:
    explicit PartialSums(Call const &call)
        : m_call(call), m_inputs(call.context.precision == Precision::Double ? 0 : graph::halfPartials(call.node)), m_sums(call.out[0].v)
    {
        if (m_inputs == 0) return;
        m_open.assign(m_sums.size(), 0.0);
        m_number.assign(m_sums.size(), -1);
    }

    /// The accumulation of counted input number `input`; `row`: for several rows of inputs.
    std::int64_t accumulation(std::int64_t input, std::int64_t row = 0, std::int64_t inputsOfRow = 0) const
    {
        return m_inputs == 0 ? 0 : row * ceilDiv(inputsOfRow, m_inputs) + input / m_inputs;
    }
    /// Number of inputs per accumulation, out of `count`.
    std::int64_t atOnce(std::int64_t count) const { return m_inputs == 0 ? std::max<std::int64_t>(1, count) : m_inputs; }
    void add(std::int64_t element, std::int64_t accumulation, double x)
    {
        auto const e = static_cast<std::size_t>(element);
        if (m_inputs == 0) {
            m_sums[e] += x;
            return;
        }
        if (m_number[e] >= 0 && m_number[e] != accumulation) {
            m_sums[e] = m_call.storePartial(m_sums[e] + m_open[e], m_number[e], e);
            m_open[e] = 0;
        }
        m_number[e] = accumulation;
        m_open[e] += x;
    }
    void finish()
    {
        for (std::size_t e = 0; e < m_sums.size(); ++e) m_sums[e] = m_call.round(m_sums[e] + (m_inputs == 0 ? 0.0 : m_open[e]));
    }

private:
    Call const &m_call;
    std::int64_t m_inputs;
    std::vector<double> &m_sums;
    std::vector<double> m_open;         ///< sum of the current accumulation
    std::vector<std::int64_t> m_number; ///< its number; -1: none yet
};

} // namespace tilewright::reference
