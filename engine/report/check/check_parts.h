#pragma once

#include "engine/report/check/check_tables.h"
#include "engine/report/rows.h"

#include <map>
#include <set>

namespace tilewright::report::check {

/// Collects violations, a limited number per invariant.
class Violations {
public:
    void add(int invariant, std::string subject, std::string what)
    {
        if (++m_counts[invariant] <= kViolationsListed) m_all.push_back({invariant, std::move(what), std::move(subject)});
    }
    bool any() const { return !m_all.empty(); }
    std::vector<Violation> take()
    {
        for (auto const &[invariant, count] : m_counts)
            if (count > kViolationsListed)
                m_all.push_back({invariant, std::to_string(count - kViolationsListed) + " more of this kind", ""});
        return std::move(m_all);
    }

private:
    std::map<int, int> m_counts;
    std::vector<Violation> m_all;
};

inline std::string number(std::int64_t value) { return std::to_string(value); }
template <typename T> int sizeOf(std::vector<T> const &rows) { return static_cast<int>(rows.size()); }

/// Lifetimes of the classes, and the content of each layout by step.
struct Lifetimes {
    int steps = 0;
    std::vector<std::vector<LivenessIntervalRow>> intervals; ///< by class, by first step
    explicit Lifetimes(ReportData const &data);
    bool liveAt(int livenessClass, int step) const;
    bool share(int a, int b) const; ///< whether both are live at some step
};

void checkReferences(ReportData const &data, Violations &out); // 24
void checkMemory(ReportData const &data, Violations &out);     // 1 to 8
void checkLiveness(ReportData const &data, Violations &out);   // 9 to 12
void checkProgram(ReportData const &data, Violations &out);    // 13 to 15
void checkTime(ReportData const &data, Violations &out);       // 16 to 21
void checkPipeline(ReportData const &data, Violations &out);   // 22, 23

} // namespace tilewright::report::check
