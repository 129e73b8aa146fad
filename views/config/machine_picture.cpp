#include "views/config/machine_picture.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr double kGapPixels = 2 * kGrid;
constexpr double kLeastCell = 6 * kGrid, kMostCell = 18 * kGrid;

} // namespace

MachinePicture::MachinePicture(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Picture of the system"));
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void MachinePicture::setLayoutOf(SystemLayout layout)
{
    m_layout = std::move(layout);
    if (m_current >= ipus()) m_current = -1;
    setAccessibleDescription(tr("%Ln IPU(s)", nullptr, ipus()));
    updateGeometry();
    update();
}

void MachinePicture::setMarked(std::vector<int> marked)
{
    m_marked = std::move(marked);
    if (m_marked.size() == 1) m_current = m_marked.front();
    update();
}

MachineGeometry MachinePicture::geometryFor(double width, double height) const
{
    int const perBoard = m_layout.machine ? m_layout.machine->ipusPerBoard : 1;
    double const cell = cellThatFits(ipus(), perBoard, {width - 2, height}, kGapPixels, kLeastCell, kMostCell);
    return placeMachine(ipus(), perBoard, width - 2, cell, kGapPixels);
}

QRectF MachinePicture::rectOf(int ipu) const
{
    auto const placed = geometryFor(width(), height());
    return ipu >= 0 && static_cast<std::size_t>(ipu) < placed.ipus.size() ? placed.ipus[static_cast<std::size_t>(ipu)].translated(1, 1)
                                                                          : QRectF();
}

QSize MachinePicture::sizeHint() const { return {100 * kGrid, heightForWidth(100 * kGrid)}; }
QSize MachinePicture::minimumSizeHint() const
{
    return {static_cast<int>(2 * kLeastCell + 5 * kGapPixels), static_cast<int>(kLeastCell + 4 * kGapPixels)};
}
int MachinePicture::heightForWidth(int width) const { return static_cast<int>(geometryFor(width, 90.0 * kGrid).size.height()) + 3; }

namespace {
QString stagesText(IpuRole const &role)
{
    QStringList numbers;
    for (int const stage : role.stages) numbers << QString::number(stage);
    return numbers.join(QStringLiteral(", "));
}
} // namespace

QString MachinePicture::tipOf(int ipu) const
{
    if (ipu < 0 || ipu >= ipus()) return {};
    auto const &machine = *m_layout.machine;
    QStringList parts{tr("IPU %1, board %2").arg(ipu).arg(ipu / std::max(1, machine.ipusPerBoard)),
                      tr("%Ln tile(s) of %1", nullptr, machine.chip.tiles).arg(bytesText(machine.chip.bytesPerTile))};
    if (static_cast<std::size_t>(ipu) < m_layout.ipus.size()) {
        auto const &role = m_layout.ipus[static_cast<std::size_t>(ipu)];
        if (role.replica < 0) parts << tr("not used by this model");
        else {
            if (m_layout.replicas > 1) parts << tr("replica %1").arg(role.replica);
            if (m_layout.stages > 1)
                parts << (role.stages.size() > 1 ? tr("stages %1").arg(stagesText(role)) : tr("stage %1").arg(stagesText(role)));
        }
    }
    return parts.join(QStringLiteral(" · "));
}

void MachinePicture::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(1, 1);
    auto const placed = geometryFor(width(), height());
    Theme const &look = theme();
    painter.setPen(look[Token::Border]);
    painter.setBrush(look[Token::Raised]);
    for (auto const &board : placed.boards) painter.drawRoundedRect(board, kGrid, kGrid);
    for (auto const &link : placed.links) {
        painter.setPen(QPen(look[Token::GlobalExchange], link.inPair ? 3 : 1.5));
        painter.drawLine(placed.lineOf(link));
    }
    painter.setFont(uiFont(TextSize::Caption));
    for (int ipu = 0; ipu < ipus(); ++ipu) {
        QRectF const rect = placed.ipus[static_cast<std::size_t>(ipu)];
        IpuRole const role =
            static_cast<std::size_t>(ipu) < m_layout.ipus.size() ? m_layout.ipus[static_cast<std::size_t>(ipu)] : IpuRole{};
        bool const used = role.replica >= 0;
        double const share = m_layout.stages > 1 ? 0.25 + 0.5 * (role.stages.empty() ? 0 : role.stages.front()) / (m_layout.stages - 1.0)
            : m_layout.replicas > 1              ? 0.25 + 0.5 * role.replica / (m_layout.replicas - 1.0)
                                                 : 0.5;
        QColor const fill = used ? look.sequential(share) : look[Token::Panel];
        bool const marked = std::ranges::find(m_marked, ipu) != m_marked.end();
        painter.setPen(marked ? QPen(look[Token::Accent], 3) : QPen(look[Token::Border], 1));
        painter.setBrush(used ? QBrush(fill) : QBrush(look[Token::Idle], Qt::BDiagPattern));
        painter.drawRoundedRect(rect, kGrid / 2.0, kGrid / 2.0);
        if (ipu == m_current && hasFocus()) {
            painter.setPen(QPen(look[Token::Text], 1, Qt::DotLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(3, 3, -3, -3));
        }
        QStringList lines{QString::number(ipu)};
        if (used && m_layout.replicas > 1) lines << tr("R%1", "replica").arg(role.replica);
        if (used && m_layout.stages > 1) lines << tr("S%1", "stage").arg(stagesText(role));
        int const room = std::max(1, static_cast<int>((rect.height() - 4) / painter.fontMetrics().height()));
        QString const text = room >= lines.size() ? lines.join(QLatin1Char('\n')) : lines.join(QLatin1Char(' '));
        painter.setPen(used ? textOn(fill) : look[Token::Text]);
        if (painter.fontMetrics().horizontalAdvance(lines.last()) <= rect.width()) painter.drawText(rect, Qt::AlignCenter, text);
    }
}

void MachinePicture::mousePressEvent(QMouseEvent *event)
{
    int const ipu = geometryFor(width(), height()).ipuAt(event->position() - QPointF(1, 1));
    if (ipu < 0) return;
    m_current = ipu;
    emit picked(ipu);
    update();
}

void MachinePicture::keyPressEvent(QKeyEvent *event)
{
    int step = 0;
    switch (event->key()) {
    case Qt::Key_Right: step = isRightToLeft() ? -1 : 1; break;
    case Qt::Key_Left: step = isRightToLeft() ? 1 : -1; break;
    case Qt::Key_Down: step = 2; break;
    case Qt::Key_Up: step = -2; break;
    default: return QWidget::keyPressEvent(event);
    }
    if (ipus() == 0) return;
    m_current = m_current < 0 ? 0 : std::clamp(m_current + step, 0, ipus() - 1);
    emit picked(m_current);
    update();
}

bool MachinePicture::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        QString const tip = tipOf(geometryFor(width(), height()).ipuAt(QPointF(help->pos()) - QPointF(1, 1)));
        if (tip.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace tilewright::views
