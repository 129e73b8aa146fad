#pragma once

#include "engine/runtime/run_report.h"
#include "tests/engine/runtime/session_tools.h"
#include "views/reports/report_snapshot.h"

namespace tilewright::tests {

/// A report of the real compiler, read back from its file.
inline std::shared_ptr<views::ReportSnapshot const> compiledReport(project::Project const &p)
{
    static SessionFolder const folder;
    static int number = 0;
    compiler::CompileRequest request;
    request.useCache = false;
    request.forReport = true;
    auto const compiled = compiler::compile(p, request, {});
    if (!compiled.ok()) qFatal("%s", toText(compiled.error()).c_str());
    auto const path = folder.path() / ("report" + std::to_string(number++) + ".twreport");
    if (auto const written = runtime::writeCompileReport(path, p, compiled.value()); !written.ok())
        qFatal("%s", toText(written.error()).c_str());
    auto report = views::ReportSnapshot::open(QString::fromStdString(path.string()), {});
    if (!report.ok()) qFatal("%s", toText(report.error()).c_str());
    return std::move(report).value();
}
/// A report of a small version of the tutorial's model on `target`.
inline std::shared_ptr<views::ReportSnapshot const> compiledReport(std::string const &target = "gc200:tiles=8",
                                                                   Fields const &fields = smallModel())
{
    return compiledReport(mnist(target, fields));
}

} // namespace tilewright::tests
