#pragma once

#include "resources/resources.h"
#include "tests/views/execution/small_report.h"
#include "views/common/format.h"
#include "views/document/document.h"
#include "views/execution/bsp_canvas.h"
#include "views/execution/execution_compare.h"
#include "views/execution/execution_facts.h"
#include "views/execution/execution_modes.h"
#include "views/execution/execution_panel.h"
#include "views/execution/execution_view.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/time/lanes_widget.h"
#include "views/time/time_pane.h"
#include "views/widgets/color_keys.h"
#include "views/wording/labels.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>

namespace tilewright::tests {

using namespace tilewright::views;

/// The execution view with a report, and its parts.
struct Shown {
    Session session;
    std::unique_ptr<View> view{executionView().create(session, nullptr)};
    explicit Shown(report::ReportData data = tests::smallReport())
    {
        session.showReport(ReportSnapshot::ofData(std::move(data), QStringLiteral("small")));
        view->resize(1000, 700);
        view->show();
        view->refreshNow();
        settle();
    }
    void settle()
    {
        QTRY_VERIFY(view->isSettled());
        QTest::qWait(1);
        view->grab();
    }
    LanesWidget &lanes() { return *view->findChild<LanesWidget *>(QStringLiteral("executionLanes")); }
    BspCanvas &tiles() { return *view->findChild<BspCanvas *>(QStringLiteral("executionTiles")); }
    ExecutionPanel &panel() { return *view->findChild<ExecutionPanel *>(); }
    void setMode(ExecutionMode mode)
    {
        view->findChild<QTabBar *>(QStringLiteral("executionModes"))->setCurrentIndex(mode);
        settle();
    }
    QPoint pointOf(int lane, std::int64_t time)
    {
        auto const *row = lanes().layoutOfLanes().rowOf(lane);
        return {lanes().gutter() + static_cast<int>(lanes().axis().toPixel(time)),
                LanesLayout::top(*row, lanes().scroll(), 0) + row->height / 2};
    }
    bool says(QString const &words)
    {
        for (auto const *label : view->findChildren<QLabel *>())
            if (label->isVisibleTo(view.get()) && label->text().contains(words)) return true;
        return false;
    }
};

inline Blocks blocksOf(report::ReportData data)
{
    auto const report = ReportSnapshot::ofData(std::move(data), QStringLiteral("small"));
    return *buildBlocks(report, {});
}

} // namespace tilewright::tests
