#pragma once

#include <memory>

namespace tilewright::views {

class ReportSnapshot;

/// A shared, immutable report, or none. A null pointer reads as a report without rows, so that views never dereference null. Test it (`if
/// (report)`) to show that there is no report.
class ReportPtr {
public:
    ReportPtr() = default;
    ReportPtr(std::nullptr_t) {}
    ReportPtr(std::shared_ptr<ReportSnapshot const> report) : m_report(std::move(report)) {}
    explicit operator bool() const { return m_report != nullptr; }
    ReportSnapshot const &operator*() const;
    ReportSnapshot const *operator->() const { return &**this; }
    ReportSnapshot const *get() const { return m_report.get(); } ///< null: none
    operator std::shared_ptr<ReportSnapshot const> const &() const { return m_report; }
    operator std::shared_ptr<void const>() const { return m_report; }
    void reset() { m_report.reset(); }
    friend bool operator==(ReportPtr const &, ReportPtr const &) = default;

private:
    std::shared_ptr<ReportSnapshot const> m_report;
};

} // namespace tilewright::views
