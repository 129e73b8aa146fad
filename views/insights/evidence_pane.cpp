#include "views/insights/evidence_pane.h"

#include "views/common/format.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/jobs/job_runner.h"
#include "views/session/session.h"

#include <QBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>

namespace tilewright::views {

EvidencePane::EvidencePane(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    m_title = new QLabel(this);
    m_title->setProperty("role", "headline");
    m_title->setWordWrap(true);
    auto *close = new QToolButton(this);
    close->setProperty("role", "word");
    close->setText(tr("Close"));
    close->setAccessibleName(tr("Close the evidence"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, &EvidencePane::closed);
    m_note = new QLabel(this);
    m_note->setProperty("role", "secondary");
    m_note->setWordWrap(true);
    m_table = new TablePane(tr("Evidence"), this);
    auto *head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(close);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGrid);
    all->addLayout(head);
    all->addWidget(m_note);
    all->addWidget(m_table, 1);
}

void EvidencePane::ask(ReportPtr report, QString const &title, QString const &sql)
{
    m_title->setText(tr("Evidence: %1").arg(title));
    m_table->model().clear();
    if (sql.isEmpty()) {
        m_note->setText(tr("This insight came without a query."));
        return;
    }
    m_note->setText(tr("Reading the report…"));
    m_note->setToolTip(sql);
    m_asking = true;
    m_session.jobs().compute<SqlRows>(
        this, JobKind::ReadEvidence, QStringLiteral("insight-evidence"), [report, sql](JobContext const &) { return report->query(sql); },
        [this](Result<SqlRows> rows) { showRows(std::move(rows)); });
}

void EvidencePane::showRows(Result<SqlRows> result)
{
    m_asking = false;
    if (!result.ok()) {
        m_note->setText(tr("The evidence cannot be read: %1").arg(diagnosticLine(result.error())));
        return;
    }
    auto const rows = std::make_shared<SqlRows>(std::move(*result));
    std::vector<Column> columns;
    for (int c = 0; c < rows->columns.size(); ++c) {
        Column column;
        column.title = rows->columns[c];
        column.title.replace(QLatin1Char('_'), QLatin1Char(' '));
        bool const bytes = column.title.contains(QLatin1String("bytes"));
        if (!rows->rows.isEmpty()) {
            auto const type = rows->rows.first().value(c).typeId();
            column.number = type == QMetaType::LongLong || type == QMetaType::Int || type == QMetaType::Double;
        }
        column.text = [rows, c, bytes](int row) {
            auto const value = rows->rows[row].value(c);
            switch (value.typeId()) {
            case QMetaType::Double: return numberText(value.toDouble());
            case QMetaType::Int:
            case QMetaType::LongLong: return bytes ? bytesText(value.toLongLong()) : countText(value.toLongLong());
            default: return value.toString();
            }
        };
        column.value = [rows, c](int row) { return rows->rows[row].value(c); };
        columns.push_back(std::move(column));
    }
    m_table->fill(std::move(columns), static_cast<int>(rows->rows.size()), {}, rows);
    for (int c = 0; c < rows->columns.size(); ++c) m_table->tree().resizeColumnToContents(c);
    m_note->setText(rows->rows.isEmpty() ? tr("The query found no rows.")
                        : rows->capped   ? tr("The first %Ln row(s).", nullptr, pluralOf(rows->rows.size()))
                                         : tr("From the report file; figures modelled."));
}

} // namespace tilewright::views
