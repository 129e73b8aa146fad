#pragma once

#include "views/common/export.h"
#include "views/inspector/silicon.h"
#include "views/reports/report_ptr.h"

#include <QWidget>

class QLabel;
class QTabWidget;

namespace tilewright::views {

class FactList;
class Session;
class StackedBars;
class TablePane;
class TileMapWidget;

/// "To silicon": sums, cycles by pass, a small tile map, and the operations, compute sets and variables of the layers. Picking a row
/// selects it and shows its view.
class SiliconPanel : public QWidget {
    Q_OBJECT
public:
    SiliconPanel(Session &session, QObject *origin, QWidget *parent);
    void show(ReportPtr report, SiliconFacts const &facts);
    void showText(QString const &text); ///< the reason for an empty panel
    QList<ExportTable> exportTables() const;

private:
    void fillTables(ReportSnapshot const &report, SiliconFacts const &facts);
    void pick(SelectionKind kind, std::vector<int> const &rows, std::vector<int> const &ids, QString const &view);
    Session &m_session;
    QObject *m_origin;
    ReportPtr m_report;
    SiliconFacts m_facts;
    QLabel *m_text;
    QWidget *m_body;
    FactList *m_sums;
    StackedBars *m_passes;
    TileMapWidget *m_map;
    QTabWidget *m_tabs;
    TablePane *m_ops, *m_computeSets, *m_variables;
};

} // namespace tilewright::views
