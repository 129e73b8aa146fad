#include "app/view_list.h"

#include "views/canvas/canvas_view.h"
#include "views/compile/compile_view.h"
#include "views/config/config_view.h"
#include "views/console/console_view.h"
#include "views/dataset/dataset_view.h"
#include "views/execution/execution_view.h"
#include "views/help/help_view.h"
#include "views/history/history_view.h"
#include "views/insights/insights_view.h"
#include "views/inspector/inspector_view.h"
#include "views/liveness/liveness_view.h"
#include "views/memory/memory_view.h"
#include "views/monitor/monitor_view.h"
#include "views/operations/operations_view.h"
#include "views/outline/outline_view.h"
#include "views/palette/palette_view.h"
#include "views/plan/plan_view.h"
#include "views/problems/problems_view.h"
#include "views/program/program_view.h"
#include "views/reportlog/reportlog_view.h"
#include "views/summary/summary_view.h"
#include "views/training/training_view.h"

namespace tilewright::app {

std::vector<views::ViewDescriptor> viewList()
{
    return {
        views::canvasView(),
        views::paletteView(),
        views::outlineView(),
        views::planView(),
        views::dataView(),
        views::configView(),
        views::trainingView(),
        views::summaryView(),
        views::insightsView(),
        views::memoryView(),
        views::livenessView(),
        views::programView(),
        views::operationsView(),
        views::executionView(),
        views::historyView(),
        views::inspectorView(),
        views::consoleView(),
        views::problemsView(),
        views::monitorView(),
        views::compileView(),
        views::reportLogView(),
        views::helpView(),
    };
}

} // namespace tilewright::app
