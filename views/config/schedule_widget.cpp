#include "views/config/schedule_widget.h"

#include "views/advice/layer_cost_watch.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kRow = 6 * kGrid;
constexpr int kLeastRow = 2 * kGrid;

Token tokenOf(StagePass pass)
{
    return pass == StagePass::Forward ? Token::Forward : pass == StagePass::Recompute ? Token::Recompute : Token::Backward;
}

} // namespace

QRectF ScheduleGeometry::rectOf(StageTask const &task) const
{
    return {plot.left() + task.start * scale, plot.top() + task.stage * rowHeight + 1, (task.end - task.start) * scale, rowHeight - 2};
}

ScheduleGeometry placeSchedule(SchedulePreview const &preview, QSizeF size, double labelWidth, double headHeight)
{
    ScheduleGeometry place;
    place.plot =
        QRectF(labelWidth, headHeight, std::max(1.0, size.width() - labelWidth - 1), std::max(1.0, size.height() - headHeight - 1));
    place.rowHeight = std::min<double>(kRow, place.plot.height() / std::max(1, preview.stages));
    place.plot.setHeight(place.rowHeight * preview.stages);
    place.scale = preview.end > 0 ? place.plot.width() / preview.end : 0;
    return place;
}

int taskAt(SchedulePreview const &preview, ScheduleGeometry const &place, QPointF position)
{
    for (std::size_t i = 0; i < preview.tasks.size(); ++i)
        if (place.rectOf(preview.tasks[i]).contains(position)) return static_cast<int>(i);
    return -1;
}

QString scheduleText(SchedulePreview const &preview)
{
    return Words::tr("%1, %2: %3 (%4 ramp-up, %5 steady, %6 ramp-down) · bubbles about %7 (%8)")
        .arg(Words::tr("%Ln stage(s)", nullptr, preview.stages), Words::tr("%Ln micro-batch(es)", nullptr, pluralOf(preview.microBatches)),
             Words::tr("%Ln step(s)", nullptr, pluralOf(preview.steps)), countText(preview.rampUpSteps), countText(preview.steadySteps),
             countText(preview.rampDownSteps), shareText(preview.bubbleShare), costsText(preview.unit));
}

ScheduleWidget::ScheduleWidget(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Preview of the pipeline's schedule"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void ScheduleWidget::setPreview(SchedulePreview preview)
{
    m_preview = std::move(preview);
    setAccessibleDescription(m_preview.tasks.empty() ? QString() : scheduleText(m_preview));
    updateGeometry();
    update();
}

QSize ScheduleWidget::sizeHint() const { return {100 * kGrid, fontMetrics().height() * 2 + kGap + kRow * m_preview.stages}; }
QSize ScheduleWidget::minimumSizeHint() const
{
    return {40 * kGrid, fontMetrics().height() * 2 + kGap + std::min(kLeastRow * m_preview.stages, 80 * kGrid)};
}

ScheduleGeometry ScheduleWidget::geometryNow() const
{
    int const label = fontMetrics().horizontalAdvance(tr("Stage %1").arg(m_preview.stages)) + kGap;
    return placeSchedule(m_preview, size(), label, fontMetrics().height() + kGrid);
}

void ScheduleWidget::paintRamps(QPainter &painter, ScheduleGeometry const &place) const
{
    auto const x = [&](double time) { return place.plot.left() + time * place.scale; };
    auto const bracket = [&](double from, double to, QString const &text) {
        if (to - from < 1) return;
        double const y = place.plot.top() - kGrid / 2.0;
        painter.drawLine(QPointF(from + 1, y), QPointF(to - 1, y));
        QString const shown = fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(to - from) - 2);
        if (shown.size() > 2) painter.drawText(QRectF(from, 0, to - from, y - 1), Qt::AlignCenter, shown);
    };
    painter.setPen(theme()[Token::SecondaryText]);
    bracket(x(0), x(m_preview.rampUpEnd), tr("ramp-up"));
    QString const steady = m_preview.microBatches > m_preview.shown
        ? tr("steady, %1 more micro-batches").arg(countText(m_preview.microBatches - m_preview.shown))
        : tr("steady");
    bracket(x(m_preview.rampUpEnd), x(m_preview.rampDownStart), steady);
    bracket(x(m_preview.rampDownStart), x(m_preview.end), tr("ramp-down"));
}

void ScheduleWidget::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_preview.tasks.empty()) return;
    painter.setFont(uiFont(TextSize::Caption));
    auto const place = geometryNow();
    paintRamps(painter, place);
    // Area without tasks is a bubble.
    painter.fillRect(place.plot, theme()[Token::Panel]);
    QBrush const bubble(theme()[Token::Idle], Qt::BDiagPattern);
    painter.setOpacity(0.35);
    painter.fillRect(place.plot, bubble);
    painter.setOpacity(1);
    QFontMetrics const metrics(painter.font());
    for (auto const &task : m_preview.tasks) {
        QRectF const rect = place.rectOf(task);
        QColor const fill = theme()[tokenOf(task.pass)];
        QRectF block = rect.adjusted(0.5, 0, -0.5, 0);
        block.setWidth(std::max(1.0, block.width())); // short tasks stay visible
        painter.fillRect(block, fill);
        QString const text = (task.pass == StagePass::Forward         ? tr("F", "forward")
                                  : task.pass == StagePass::Recompute ? tr("R", "recompute")
                                                                      : tr("B", "backward"))
            + QString::number(task.microBatch);
        if (metrics.horizontalAdvance(text) < rect.width() - 2 && metrics.height() <= rect.height()) {
            painter.setPen(textOn(fill));
            painter.drawText(rect, Qt::AlignCenter, text);
        }
    }
    painter.setPen(theme()[Token::SecondaryText]);
    int const every = std::max(1, static_cast<int>(std::ceil(metrics.height() / place.rowHeight)));
    for (int stage = 0; stage < m_preview.stages; stage += every)
        painter.drawText(QRectF(0, place.plot.top() + stage * place.rowHeight, place.plot.left() - kGrid,
                                std::max<double>(place.rowHeight, metrics.height())),
                         Qt::AlignVCenter | Qt::AlignRight, tr("Stage %1").arg(stage));
    painter.setPen(theme()[Token::Border]);
    painter.drawRect(place.plot);
}

QString ScheduleWidget::tipOf(int index) const
{
    auto const &task = m_preview.tasks[static_cast<std::size_t>(index)];
    bool const again = m_preview.recompute && task.stage + 1 < m_preview.stages;
    QString const kept = again
        ? tr("What it receives is kept %n times at once.", nullptr, m_preview.copies[static_cast<std::size_t>(task.stage)])
        : tr("Its activations are kept %n times at once.", nullptr, m_preview.copies[static_cast<std::size_t>(task.stage)]);
    QString const length = m_preview.unit == model::CostUnit::Cycles
        ? tr("about %Ln cycle(s)", nullptr, pluralOf(std::llround(task.end - task.start)))
        : costsText(m_preview.unit);
    return tr("Stage %1, %2 of micro-batch %3 (%4). %5")
        .arg(task.stage)
        .arg(passLabel(toText(task.pass)))
        .arg(task.microBatch)
        .arg(length, kept);
}

bool ScheduleWidget::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        int const task = m_preview.tasks.empty() ? -1 : taskAt(m_preview, geometryNow(), help->pos());
        if (task >= 0) QToolTip::showText(help->globalPos(), tipOf(task), this);
        else if (!m_preview.tasks.empty() && geometryNow().plot.contains(help->pos()))
            QToolTip::showText(help->globalPos(), tr("bubble: the stage waits"), this);
        else QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace tilewright::views
