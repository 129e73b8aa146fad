#pragma once

#include "views/common/export.h"
#include "views/figures/run_series.h"

#include <QWidget>

#include <memory>

class QComboBox;

namespace tilewright::views {

class CurvePanel;

/// One series of two runs over the same axis: the baseline's in grey, that of the report on show in colour.
class CompareCurves : public QWidget {
    Q_OBJECT
public:
    explicit CompareCurves(QWidget *parent = nullptr);
    /// Hidden when neither run has series (both may be null).
    void setReports(ReportSnapshot const *baseline, ReportSnapshot const *shown);
    CurvePanel &panel() { return *m_panel; }
    QComboBox &choice() { return *m_choice; }
    ExportTable exportTable() const;

private:
    void draw();
    std::vector<LiveSeries> m_baseline, m_shown;
    QComboBox *m_choice = nullptr;
    CurvePanel *m_panel = nullptr;
};

} // namespace tilewright::views
