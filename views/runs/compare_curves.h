#pragma once

#include "views/common/export.h"
#include "views/common/theme.h"
#include "views/reports/report_ptr.h"
#include "views/runcontrol/run_series.h"

#include <QWidget>

#include <memory>

class QComboBox;

namespace tilewright::views {

class CurvePanel;
struct NamedReport;

/// One series of two or more runs over the same axis. The baseline is grey and the displayed report coloured; chosen runs have one colour
/// each.
class CompareCurves : public QWidget {
    Q_OBJECT
public:
    explicit CompareCurves(QWidget *parent = nullptr);
    /// Hidden if neither run has series (both may be null).
    void setReports(ReportPtr const &baseline, ReportPtr const &shown);
    void setRuns(std::vector<NamedReport> const &runs);
    CurvePanel &panel() { return *m_panel; }
    QComboBox &choice() { return *m_choice; }
    ExportTable exportTable() const;

private:
    void draw();
    struct Run {
        QString name;
        std::vector<LiveSeries> series;
        Token color;
    };
    void setSeries(std::vector<Run> runs);
    std::vector<Run> m_runs; ///< in drawing order
    QComboBox *m_choice = nullptr;
    CurvePanel *m_panel = nullptr;
};

} // namespace tilewright::views
