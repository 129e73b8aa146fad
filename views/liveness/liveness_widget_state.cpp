// Tables of the liveness view for export, and its layout for the next start.
#include "views/liveness/liveness_widget.h"

#include <QComboBox>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>

namespace tilewright::views {

QList<ExportTable> LivenessWidget::exportTables() const
{
    if (!m_report) return {};
    ExportTable curve{tr("live bytes"), {tr("step"), tr("program"), tr("live")}, {}};
    for (auto const &band : m_picture.bands) curve.columns << band.key.name;
    auto const sum = m_contents ? curveOf(m_picture.bands, m_contents->lives.steps()) : std::vector<std::int64_t>{};
    auto const &d = m_report->data();
    for (std::size_t s = 0; s < sum.size(); ++s) {
        int const program = d.livenessSteps[s].program;
        QStringList row{QString::number(s),
                        program >= 0 && program < static_cast<int>(d.programs.size())
                            ? QString::fromStdString(d.programs[static_cast<std::size_t>(program)].name)
                            : QString(),
                        QString::number(sum[s])};
        for (auto const &band : m_picture.bands) row << QString::number(band.bytes[s]);
        curve.rows << row;
    }
    auto const table = m_tables->currentIndex();
    return {curve, m_panes[static_cast<std::size_t>(table)]->exportTable(m_tables->tabText(table))};
}

QJsonObject LivenessWidget::saveState() const
{
    return {{QStringLiteral("by"), m_by->currentData().toString()},
            {QStringLiteral("cycles"), m_axis->currentData().toBool()},
            {QStringLiteral("limit"), m_limit->isChecked()},
            {QStringLiteral("table"), m_tables->currentIndex()},
            {QStringLiteral("split"), QString::fromLatin1(m_splitter->saveState().toBase64())}};
}

void LivenessWidget::restoreState(QJsonObject const &state)
{
    m_by->setCurrentIndex(std::max(0, m_by->findData(state.value(QStringLiteral("by")).toString())));
    m_axis->setCurrentIndex(state.value(QStringLiteral("cycles")).toBool() ? 1 : 0);
    m_limit->setChecked(state.value(QStringLiteral("limit")).toBool());
    m_tables->setCurrentIndex(std::clamp(state.value(QStringLiteral("table")).toInt(), 0, m_tables->count() - 1));
    m_splitter->restoreState(QByteArray::fromBase64(state.value(QStringLiteral("split")).toString().toLatin1()));
}

} // namespace tilewright::views
