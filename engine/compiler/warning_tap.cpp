#include "engine/compiler/warning_tap.h"

#include "engine/core/diagnostic_message.h"

namespace tilewright::compiler {

WarningTap::WarningTap(JobContext const &outer) : m_outer(outer), m_job(outer)
{
    m_job.warnings = &m_sink;
    // Passes warnings on while the work continues, because a run can wait for a device for a long time.
    m_job.progress = [this](std::string_view phase, double fraction) {
        forward();
        m_outer.report(phase, fraction);
    };
}

void WarningTap::forward()
{
    for (; m_forwarded < m_sink.all().size(); ++m_forwarded) m_outer.warn(m_sink.all()[m_forwarded]);
}

void WarningTap::drain(std::vector<LogLine> &lines, std::int64_t hostNs)
{
    for (; m_drained < m_sink.all().size(); ++m_drained) {
        auto const &warning = m_sink.all()[m_drained];
        lines.push_back({hostNs, config::LogComponent::Runtime, config::LogLevel::Warn, warning.code, toMessage(warning)});
    }
    forward();
}

} // namespace tilewright::compiler
