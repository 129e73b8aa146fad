#pragma once

#include "views/liveness/live_compare.h"
#include "views/liveness/live_scene.h"
#include "views/liveness/live_tables.h"
#include "views/session/view.h"

#include <array>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace tilewright::views {

class ColumnChart;
class ColumnOverview;
class LifeBars;
class TablePane;

/// The view of live bytes over time: the curve with its bands, and the variables of one step.
class LivenessWidget : public View {
    Q_OBJECT
public:
    LivenessWidget(Session &session, QWidget *parent);

    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    bool isSettled() const override { return m_done == m_wanted; }
    void startSearch() override;

    int step() const { return m_step; }
    int secondStep() const { return m_second; }
    LivePicture const &picture() const { return m_picture; }

protected:
    void refresh() override;
    void follow() override;
    void grow(Growth) override {} // lifetimes are of the compile
    void showMoment() override;
    QString momentMissing() const override;
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    enum Table { Live, Born, Dying, Difference, Peaks, Compared, TableCount };
    void build();
    void buildSteps(QWidget *controls); ///< controls for the visible steps: filter, zoom
    void load();
    void rebuild();
    void fillScopes();
    void ask();
    void setStep(int step, bool offer);
    void setSecond(int step);
    void showStep();
    void showMarks();
    void showBars();
    void fillTables();
    void leaveOut();
    void openBand(int band);
    void rowsPicked(Table table, std::vector<int> const &rows);
    bool keyPressed(int key, Qt::KeyboardModifiers modifiers);
    QString tipOf(int step) const;
    // The chart's positions are the steps that the filter leaves.
    void findSteps();
    void forgetFilter();
    void drawChart();
    void showZoom();
    void zoomTo(int percent);
    void moveBy(int steps);
    int stepAt(int position) const; ///< -1 outside
    int positionOf(int step) const; ///< -1: removed by the filter
    std::vector<int> shownPeaks() const;

    LiveReport m_report, m_baseline;
    std::shared_ptr<TileContents const> m_contents, m_before; ///< of the report and of its baseline
    LiveQuestion m_question;
    LivePicture m_picture;
    LiveComparison m_comparison;
    std::vector<LiveItem> m_items; ///< live at the step
    int m_step = -1, m_second = -1;
    bool m_filling = false;
    int m_wanted = 0, m_done = 0; ///< generations of background work
    QComboBox *m_scope = nullptr, *m_by = nullptr, *m_axis = nullptr;
    std::vector<int> m_found; ///< steps that the filter leaves; unused without a filter
    bool m_filtered = false;
    QLineEdit *m_filter = nullptr;
    QTimer *m_findSoon = nullptr;
    QLabel *m_foundText = nullptr;
    QSpinBox *m_zoom = nullptr;
    ColumnOverview *m_overview = nullptr;
    QToolButton *m_limit = nullptr, *m_leave = nullptr, *m_bring = nullptr, *m_peak = nullptr;
    QLabel *m_stepText = nullptr, *m_without = nullptr, *m_compared = nullptr;
    ColumnChart *m_chart = nullptr;
    LifeBars *m_bars = nullptr;
    QTabWidget *m_tables = nullptr;
    QSplitter *m_splitter = nullptr;
    std::array<TablePane *, TableCount> m_panes{};
    std::array<LiveTable, TableCount> m_filled;
};

} // namespace tilewright::views
