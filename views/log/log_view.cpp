#include "views/log/log_view.h"

#include "engine/report/message_keys.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/diagnostics/stored_text.h"
#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"

#include <QHeaderView>
#include <QTreeView>

#include <algorithm>

namespace tilewright::views {

namespace {

QString levelWord(int level)
{
    switch (std::clamp(level, 0, 3)) {
    case 0: return QCoreApplication::translate("views", "Debug");
    case 1: return QCoreApplication::translate("views", "Info");
    case 2: return QCoreApplication::translate("views", "Warning");
    default: return QCoreApplication::translate("views", "Error");
    }
}

QString textOf(ReportSnapshot const &report, int row)
{
    auto const &meta = report.data().meta;
    auto const message = meta.find(report::logMessageKey(row));
    return storedText(report.data().log[static_cast<std::size_t>(row)].text, message == meta.end() ? std::string() : message->second);
}

class LogView : public View {
    Q_OBJECT
public:
    LogView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override { return {m_table->exportTable(QStringLiteral("log"))}; }
    void startSearch() override { m_table->focusFilter(); }

protected:
    void refresh() override;
    void grow(Growth) override
    {
        if (m_report && session().report()->data().log.size() != m_report->data().log.size()) refresh();
    }
    void follow() override;

private:
    std::vector<Column> columns(ReportPtr const &report) const;
    void pick(int row);
    TablePane *m_table = nullptr;
    ReportPtr m_report;
};

LogView::LogView(Session &session, QWidget *parent) : View(QStringLiteral("log"), session, parent)
{
    setDependsOn(true, false, false);
    m_table = new TablePane(tr("Log of the report"), this);
    m_table->tree().setTextElideMode(Qt::ElideRight);
    m_table->tree().header()->setStretchLastSection(true); // the message
    setBody(m_table);
    drawsFigures(*this);
    connect(m_table, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        if (!rows.empty()) pick(rows.front());
    });
}

std::vector<Column> LogView::columns(ReportPtr const &report) const
{
    auto const at = [report](int row) -> report::LogRow const & { return report->data().log[static_cast<std::size_t>(row)]; };
    auto const number = [](std::int64_t value) { return value < 0 ? QString() : countText(value); };
    std::vector<Column> list;
    list.push_back({.title = tr("Time"),
                    .text = [at](int row) { return secondsText(static_cast<double>(at(row).hostNs) * 1e-9); },
                    .value = [at](int row) { return QVariant(qlonglong(at(row).hostNs)); },
                    .tip = [at](int row) { return tr("%1 ns after the start, measured on this computer").arg(countText(at(row).hostNs)); },
                    .number = true});
    list.push_back({.title = tr("Level"),
                    .text = [at](int row) { return levelWord(at(row).level); },
                    .value = {},
                    .decoration = [at](int row) -> QVariant {
                        int const level = at(row).level;
                        if (level < 2) return {};
                        return icon(level == 2 ? QStringLiteral("warning") : QStringLiteral("error"),
                                    level == 2 ? Token::Warning : Token::Bad);
                    }});
    list.push_back({.title = tr("Component"), .text = [at](int row) { return QString::fromStdString(at(row).component); }, .value = {}});
    // Empty columns are hidden in favour of the text.
    auto const any = [report](auto const &has) { return std::ranges::any_of(report->data().log, has); };
    if (any([](report::LogRow const &row) { return row.repeats > 1; }))
        list.push_back({.title = tr("Times"),
                        .text = [at](int row) { return countText(at(row).repeats); },
                        .value = [at](int row) { return QVariant(qlonglong(at(row).repeats)); },
                        .number = true});
    if (any([](report::LogRow const &row) { return row.op != report::kNone; }))
        list.push_back({.title = tr("Layer"),
                        .text = [at, report](int row) { return at(row).op == report::kNone ? QString() : report->layerOf(at(row).op); },
                        .value = {}});
    if (any([](report::LogRow const &row) { return row.step >= 0; }))
        list.push_back({.title = tr("Step"),
                        .text = [at, number](int row) { return number(at(row).step); },
                        .value = [at](int row) { return at(row).step < 0 ? QVariant() : QVariant(qlonglong(at(row).step)); },
                        .number = true});
    if (any([](report::LogRow const &row) { return row.tile >= 0; }))
        list.push_back({.title = tr("Tile"),
                        .text = [at, number](int row) { return number(at(row).tile); },
                        .value = [at](int row) { return at(row).tile < 0 ? QVariant() : QVariant(at(row).tile); },
                        .number = true});
    if (any([](report::LogRow const &row) { return !row.code.empty(); }))
        list.push_back({.title = tr("Code"), .text = [at](int row) { return QString::fromStdString(at(row).code); }, .value = {}});
    list.push_back({.title = tr("Message"), .text = [report](int row) { return textOf(*report, row); }, .value = {}, .width = 100 * kGrid});
    return list;
}

void LogView::refresh()
{
    m_report = session().report();
    bool const empty = m_report && m_report->isWhole() && m_report->data().log.empty();
    if (!empty && !applyReportState("log")) {
        m_report.reset();
        m_table->model().clear();
        return;
    }
    auto const &log = m_report->data().log;
    if (empty) {
        auto const *part = m_report->part("log");
        QString const note = part ? QString::fromStdString(part->note) : QString();
        m_table->model().clear();
        setHeadline(tr("This report holds no log"));
        setState({ViewState::Empty,
                  note.isEmpty() ? tr("Nothing was logged when this report was written. Messages of this session are in the console.")
                                 : tr("Note in the report about its log: %1. Messages of this session are in the console.").arg(note),
                  tr("Console"), [this] { emit session().viewRequested(QStringLiteral("console")); }});
        return;
    }
    auto const count = [&log](int level) {
        return std::count_if(log.begin(), log.end(), [level](auto const &row) { return row.level == level; });
    };
    auto const errors = count(3), warnings = count(2);
    QStringList parts;
    if (errors > 0) parts.append(tr("%Ln error(s)", nullptr, static_cast<int>(errors)));
    if (warnings > 0) parts.append(tr("%Ln warning(s)", nullptr, static_cast<int>(warnings)));
    if (parts.isEmpty()) parts.append(tr("no errors"));
    parts.append(tr("%Ln line(s)", nullptr, static_cast<int>(log.size())));
    setHeadline(parts.join(QStringLiteral(" · ")));
    m_table->fill(columns(m_report), static_cast<int>(log.size()), {}, m_report);
}

void LogView::pick(int row)
{
    if (!m_report || row < 0) return;
    auto const &line = m_report->data().log[static_cast<std::size_t>(row)];
    if (line.op != report::kNone) session().selection().selectIds(SelectionKind::Op, {line.op}, this);
    else if (line.tile != report::kNone) session().selection().selectIds(SelectionKind::Tile, {line.tile}, this);
    else if (line.run != report::kNone) session().selection().selectIds(SelectionKind::Run, {line.run}, this);
}

void LogView::follow()
{
    if (!m_report || session().selection().origin() == this) return;
    auto const &lineage = session().selection().lineage();
    std::vector<int> rows;
    auto const &log = m_report->data().log;
    for (std::size_t i = 0; i < log.size(); ++i)
        if (Lineage::has(lineage.ops, log[i].op) || Lineage::has(lineage.tiles, log[i].tile)) rows.push_back(static_cast<int>(i));
    m_table->highlight(rows);
}

} // namespace

ViewDescriptor logView()
{
    return {"log",
            QT_TRANSLATE_NOOP("views", "Report log"),
            "log",
            ViewDescriptor::Bottom,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new LogView(session, parent); }};
}

} // namespace tilewright::views

#include "log_view.moc"
