#pragma once

#include "tests/support/kept_report.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"

namespace tilewright::tests {

/// A session with the project of the kept report in its state of that time, showing nothing.
inline bool openKeptProject(views::Session &session)
{
    auto &document = session.document();
    return document.openTemplate(QStringLiteral("mnist-mlp")).ok()
        && document.setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=64")).ok()
        && document.setField(QStringLiteral("data.limit"), QStringLiteral("6400")).ok();
}

/// A kept report, unpacked into that folder and read; null when it cannot be read any more.
inline std::shared_ptr<views::ReportSnapshot const> keptReport(QString const &folder, QString const &name)
{
    auto const report = views::ReportSnapshot::open(unpackKeptReport(folder, name), {});
    return report.ok() ? *report : nullptr;
}

} // namespace tilewright::tests
