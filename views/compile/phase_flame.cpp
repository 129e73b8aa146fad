#include "views/compile/phase_flame.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/diagnostics/phase_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

namespace {

double totalSeconds(std::vector<CompileStep> const &steps)
{
    double total = 0;
    for (auto const &step : steps) total = std::max(total, step.start + step.seconds);
    return total;
}

} // namespace

std::vector<QRectF> flameRects(std::vector<CompileStep> const &steps, double width, double height)
{
    std::vector<QRectF> rects;
    double const total = totalSeconds(steps);
    bool const nested = std::any_of(steps.begin(), steps.end(), [](auto const &step) { return step.parent >= 0; });
    double const row = nested ? height / 2 : height;
    for (auto const &step : steps) {
        double const x = total > 0 ? width * step.start / total : 0;
        double const w = total > 0 ? width * step.seconds / total : 0;
        double const visible = step.seconds > 0 ? std::max(1.0, w) : 0;
        rects.emplace_back(std::min(x, width - visible), step.parent >= 0 ? row : 0, visible, row);
    }
    return rects;
}

PhaseFlame::PhaseFlame(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Phases of the compile by time"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PhaseFlame::setSteps(std::vector<CompileStep> steps)
{
    m_steps = std::move(steps);
    m_picked = -1;
    QStringList words;
    for (int i = 0; i < static_cast<int>(m_steps.size()); ++i)
        if (m_steps[static_cast<std::size_t>(i)].parent < 0) words.append(tipOf(i));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void PhaseFlame::setPicked(int step)
{
    m_picked = step;
    update();
}

QString PhaseFlame::tipOf(int i) const
{
    auto const &step = m_steps[static_cast<std::size_t>(i)];
    double const total = totalSeconds(m_steps);
    QString text = tr("%1: %2 on this computer, %3")
                       .arg(phaseText(step.name), secondsText(step.seconds), shareText(total > 0 ? step.seconds / total : 0));
    if (step.before >= 0) text += tr(" · nodes %1 → %2").arg(countText(step.before), countText(step.after));
    if (!step.ended) text += tr(" · did not end");
    return text;
}

QSize PhaseFlame::sizeHint() const { return {60 * kGrid, 2 * kRowHeight}; }

QSize PhaseFlame::minimumSizeHint() const { return {30 * kGrid, 2 * kRowHeight}; }

int PhaseFlame::stepAt(QPointF const &at) const
{
    auto const rects = flameRects(m_steps, width(), height());
    for (std::size_t i = rects.size(); i-- > 0;)
        if (rects[i].contains(at)) return static_cast<int>(i);
    return -1;
}

bool PhaseFlame::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto const *help = static_cast<QHelpEvent *>(event);
        int const step = stepAt(help->pos());
        if (step >= 0) QToolTip::showText(help->globalPos(), tipOf(step), this);
        else QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void PhaseFlame::mousePressEvent(QMouseEvent *event)
{
    if (int const step = stepAt(event->position()); step >= 0) {
        setPicked(step);
        emit picked(step);
    }
}

void PhaseFlame::keyPressEvent(QKeyEvent *event)
{
    int const count = static_cast<int>(m_steps.size());
    if (count > 0 && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        setPicked(std::clamp(m_picked + (event->key() == Qt::Key_Left ? -1 : 1), 0, count - 1));
        emit picked(m_picked);
        return;
    }
    QWidget::keyPressEvent(event);
}

void PhaseFlame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    auto const &look = theme();
    painter.fillRect(rect(), look[Token::Panel]);
    painter.setFont(uiFont(TextSize::Caption));
    auto const rects = flameRects(m_steps, width(), height());
    int phase = 0;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        auto const &box = rects[i];
        if (box.width() <= 0) continue;
        bool const isPass = m_steps[i].parent >= 0;
        QColor color = look[isPass ? Token::Forward : Token::Compute];
        // Neighbours differ in lightness; the colour shows phase or pass.
        if ((isPass ? static_cast<int>(i) : phase++) % 2 == 1) color = look.isDark() ? color.darker(130) : color.lighter(130);
        painter.fillRect(box, color);
        if (box.width() > 2) {
            painter.setPen(QPen(look[Token::Panel], 1));
            painter.drawLine(QPointF(box.right(), box.top()), QPointF(box.right(), box.bottom()));
        }
        if (box.width() > 8 * kGrid) {
            painter.setPen(textOn(color));
            QRectF const inner = box.adjusted(kGrid, 0, -kGrid, 0);
            painter.drawText(inner, Qt::AlignLeading | Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(phaseText(m_steps[i].name), Qt::ElideRight, static_cast<int>(inner.width())));
        }
        if (static_cast<int>(i) == m_picked) {
            painter.setPen(QPen(look[Token::Accent], 2));
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(look[Token::Accent], 1, Qt::DotLine));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace tilewright::views
