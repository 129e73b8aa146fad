#include "views/memory/address_map_widget.h"

#include "views/common/format.h"
#include "views/tiles/column_painter.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr double kFolded = 7 * kGrid; ///< height of a folded gap
constexpr double kZoomStep = 1.25, kMostZoom = 4096;
constexpr int kRegionBar = 2 * kGrid;
constexpr double kElementLines = 6; ///< minimum pixels of a memory element to draw its line

QString hex(Bytes address) { return QStringLiteral("0x%1").arg(address, 5, 16, QLatin1Char('0')); }

} // namespace

AddressMapWidget::AddressMapWidget(QWidget *parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Addresses of the tile by liveness step"));
}

QSize AddressMapWidget::sizeHint() const { return {120 * kGrid, 70 * kGrid}; }
QSize AddressMapWidget::minimumSizeHint() const { return {70 * kGrid, 36 * kGrid}; }

void AddressMapWidget::setScene(std::shared_ptr<AddressScene const> scene)
{
    m_scene = std::move(scene);
    m_blocks.clear();
    m_gaps.clear();
    m_steps = 1;
    if (m_scene && m_scene->contents) {
        m_blocks = addressBlocks(m_scene->items, m_scene->contents->lives);
        m_steps = std::max(1, m_scene->contents->lives.steps());
    }
    m_step = std::clamp(m_step, 0, m_steps - 1);
    layOut();
}

void AddressMapWidget::setStep(int step)
{
    m_step = std::clamp(step, 0, m_steps - 1);
    update();
}

void AddressMapWidget::setToScale(bool on)
{
    m_toScale = on;
    layOut();
}

void AddressMapWidget::layOut()
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    int const left = metrics.horizontalAdvance(QStringLiteral("0x00000")) + kGap + kRegionBar;
    int const names = std::min(width() / 3, 60 * kGrid);
    m_plot = QRect(QPoint(left, kGrid), QPoint(width() - names - kGap, height() - metrics.height() - kGrid));
    m_names = QRect(QPoint(m_plot.right() + kGap, m_plot.top()), QPoint(width() - kGrid, m_plot.bottom()));
    Bytes end = m_scene ? m_scene->capacity : 0;
    if (m_scene)
        for (auto const &item : m_scene->items) end = std::max(end, item.offset + item.bytes);
    if (m_scene) m_gaps = addressGaps(m_scene->items, end);
    m_axis = AddressAxis(m_gaps, std::max<Bytes>(1, end), m_plot.height() * m_zoom, kFolded, m_toScale);
    m_scroll = std::clamp(m_scroll, 0.0, std::max(0.0, m_axis.height() - m_plot.height()));
    update();
}

int AddressMapWidget::stepAt(int x) const
{
    if (m_plot.width() <= 0) return 0;
    return std::clamp(static_cast<int>((x - m_plot.left() + 0.5) * m_steps / m_plot.width()), 0, m_steps - 1);
}
int AddressMapWidget::xOf(int step) const
{
    return m_plot.left() + static_cast<int>(std::lround(static_cast<double>(step) * m_plot.width() / m_steps));
}

QRectF AddressMapWidget::rectOf(AddressBlock const &block) const
{
    return {QPointF(xOf(block.first), y(block.offset)), QPointF(xOf(block.end), y(block.offset + block.bytes))};
}

int AddressMapWidget::itemAtPoint(QPoint at) const
{
    if (!m_scene || !m_scene->contents || at.y() < m_plot.top() || at.y() > m_plot.bottom()) return -1;
    int const step = m_plot.contains(at) ? stepAt(at.x()) : m_names.contains(at) ? m_step : -1;
    return step < 0 ? -1 : itemAt(m_scene->items, m_scene->contents->lives, step, m_axis.addressAt(at.y() - m_plot.top() + 0.5 + m_scroll));
}

QString AddressMapWidget::tipOf(int item) const
{
    if (!m_scene || item < 0 || item >= static_cast<int>(m_scene->items.size())) return {};
    auto const &row = m_scene->items[static_cast<std::size_t>(item)];
    auto const &lives = m_scene->contents->lives;
    QString when = tr("always live");
    if (!lives.isAlways(row.livenessClass)) {
        QStringList spans;
        for (auto const &[first, end] : lives.of(row.livenessClass)) spans << tr("%1 to %2").arg(first).arg(end - 1);
        when = tr("live at liveness steps %1").arg(spans.mid(0, 6).join(QStringLiteral(", ")));
    }
    return tr("%1\n%2 at %3 (%4)\n%5 · %6 · %7\naligned to %8 B")
        .arg(m_scene->names[static_cast<std::size_t>(item)], bytesExact(row.bytes), hex(row.offset), countText(row.offset),
             categoryText(row.category), regionText(row.region), when)
        .arg(row.alignment);
}

void AddressMapWidget::paintScale(QPainter &painter) const
{
    auto const &colors = theme();
    auto const metrics = painter.fontMetrics();
    int free = 0;
    for (auto const &region : m_scene->regions) {
        if (region.bytes <= 0) continue;
        double const top = std::max<double>(m_plot.top(), y(region.offset)),
                     bottom = std::min<double>(m_plot.bottom() + 1, y(region.offset + region.bytes));
        if (bottom <= top) continue;
        Token const token = region.kind == report::Region::Overflowed ? Token::Bad
            : region.kind == report::Region::Interleaved              ? Token::Activations
                                                                      : Token::Code;
        painter.fillRect(QRectF(m_plot.left() - kRegionBar, top, kRegionBar - 2, bottom - top), colors[token]);
        // Memory elements (banks): two accesses to one of them in a cycle collide.
        if (region.elementBytes <= 0 || region.kind == report::Region::Overflowed) continue;
        painter.setPen(QPen(colors[Token::Border], 1));
        for (Bytes at = region.offset; at <= region.offset + region.bytes; at += region.elementBytes) {
            double const here = y(at), next = y(at + region.elementBytes);
            if (m_axis.isFolded(at) || next - here < kElementLines || here < m_plot.top() || here > m_plot.bottom()) continue;
            painter.drawLine(QPointF(m_plot.left() - kRegionBar, here), QPointF(m_plot.right(), here));
        }
    }
    painter.setPen(colors[Token::SecondaryText]);
    int const step = std::max(metrics.height() * 2, m_plot.height() / 10);
    for (int at = m_plot.top(); at <= m_plot.bottom() - metrics.height() / 2; at += step) {
        if (at < free) continue;
        auto const address = m_axis.addressAt(at - m_plot.top() + m_scroll);
        painter.drawText(
            QRect(0, at - (at == m_plot.top() ? 0 : metrics.height() / 2), m_plot.left() - kRegionBar - kGrid, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, hex(address));
        free = at + metrics.height();
    }
    QRect const line(m_plot.left(), m_plot.bottom() + 1, m_plot.width(), metrics.height());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, tr("liveness step 0"));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, countText(m_steps - 1));
}

void AddressMapWidget::paintGaps(QPainter &painter) const
{
    auto const &colors = theme();
    auto const metrics = painter.fontMetrics();
    for (auto const &gap : m_gaps) {
        double const top = y(gap.offset), bottom = y(gap.offset + gap.bytes);
        if (bottom < m_plot.top() || top > m_plot.bottom() || bottom - top < 1) continue;
        QRectF const box(m_plot.left(), top, m_plot.width(), bottom - top);
        painter.fillRect(box, QBrush(colors[Token::Grid], Qt::BDiagPattern));
        if (bottom - top < metrics.height()) continue;
        QString const text = gap.reason == report::GapReason::None ? tr("%1 free").arg(bytesText(gap.bytes))
                                                                   : tr("gap of %1: %2").arg(bytesText(gap.bytes), gapText(gap.reason));
        QString const shown = metrics.elidedText(text, Qt::ElideRight, m_plot.width() - 2 * kGap);
        QRectF const line(box.left(), std::max<double>(m_plot.top(), top), box.width(),
                          std::min<double>(m_plot.bottom(), bottom) - std::max<double>(m_plot.top(), top));
        QRectF back(0, 0, metrics.horizontalAdvance(shown) + kGap, metrics.height());
        back.moveCenter(line.center());
        painter.fillRect(back, colors[Token::Raised]);
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(line, Qt::AlignCenter, shown);
    }
}

void AddressMapWidget::paintStepNames(QPainter &painter) const
{
    auto const &colors = theme();
    auto const metrics = painter.fontMetrics();
    for (auto const &block : m_blocks) {
        if (m_step < block.first || m_step >= block.end) continue;
        double const top = std::max<double>(m_names.top(), y(block.offset)),
                     bottom = std::min<double>(m_names.bottom() + 1, y(block.offset + block.bytes));
        if (bottom - top < 0.5) continue;
        auto const i = static_cast<std::size_t>(block.item);
        QColor const color = partColor(m_scene->keys[i], colors);
        painter.fillRect(QRectF(m_names.left(), top, kRegionBar, std::max(1.0, bottom - top - (bottom - top > 3 ? 1 : 0))), color);
        if (bottom - top < metrics.height() - 2) continue;
        QRectF const line(m_names.left() + kRegionBar + kGrid, top, m_names.width() - kRegionBar - kGrid, bottom - top);
        painter.setPen(colors[Token::Text]);
        QString const size = bytesText(block.bytes);
        int const sizeWidth = metrics.horizontalAdvance(size);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(m_scene->names[i], Qt::ElideMiddle, static_cast<int>(line.width()) - sizeWidth - kGap));
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, size);
    }
    painter.setPen(colors[Token::SecondaryText]);
    painter.drawText(QRect(m_names.left(), m_names.bottom() + 1, m_names.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(tr("live at liveness step %1").arg(m_step), Qt::ElideRight, m_names.width()));
}

void AddressMapWidget::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    auto const &colors = theme();
    painter.fillRect(rect(), colors[Token::Panel]);
    painter.setFont(uiFont(TextSize::Caption));
    if (!m_scene || m_scene->items.empty()) {
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(rect().adjusted(kGap, kGap, -kGap, -kGap), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Choose a tile to see the content of its addresses."));
        return;
    }
    painter.fillRect(m_plot, colors[Token::Raised]);
    paintScale(painter);
    painter.setClipRect(m_plot);
    paintGaps(painter);
    for (auto const &block : m_blocks) {
        QRectF const box = rectOf(block);
        if (box.bottom() < m_plot.top() || box.top() > m_plot.bottom()) continue;
        auto const i = static_cast<std::size_t>(block.item);
        QColor const color = partColor(m_scene->keys[i], colors);
        bool const apart = box.width() > 3 && box.height() > 3;
        QRectF const inner =
            apart ? box.adjusted(0, 0, -1, -1) : QRectF(box.left(), box.top(), std::max(1.0, box.width()), std::max(0.6, box.height()));
        painter.fillRect(inner, color);
        if (i < m_scene->marked.size() && m_scene->marked[i]) {
            painter.setPen(QPen(colors[Token::Accent], 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(inner.adjusted(1, 1, -1, -1));
        }
        auto const metrics = painter.fontMetrics();
        if (box.height() < metrics.height() || box.width() < 12 * kGrid) continue;
        painter.setPen(textOn(color));
        QRectF const seen = inner.intersected(QRectF(m_plot)).adjusted(kGrid, 0, -kGrid, 0);
        painter.drawText(seen, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(m_scene->names[i], Qt::ElideMiddle, static_cast<int>(seen.width())));
    }
    double const limit = y(m_scene->capacity);
    if (m_scene->capacity < m_axis.end() && limit <= m_plot.bottom()) {
        painter.setPen(QPen(colors[Token::Bad], 2, Qt::DashLine));
        painter.drawLine(QPointF(m_plot.left(), limit), QPointF(m_plot.right(), limit));
        painter.drawText(
            QRectF(m_plot.left(), limit - painter.fontMetrics().height(), m_plot.width() - kGrid, painter.fontMetrics().height()),
            Qt::AlignRight, tr("end of the tile, %1").arg(bytesText(m_scene->capacity)));
    }
    int const x = (xOf(m_step) + xOf(m_step + 1)) / 2;
    painter.setPen(QPen(colors[Token::Accent], 2));
    painter.drawLine(x, m_plot.top(), x, m_plot.bottom());
    painter.setClipping(false);
    paintStepNames(painter);
    if (hasFocus()) {
        painter.setPen(QPen(colors[Token::Accent], 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_plot.adjusted(-1, -1, 0, 0));
    }
}

void AddressMapWidget::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void AddressMapWidget::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_scene) return QWidget::mousePressEvent(event);
    QPoint const at = event->position().toPoint();
    if (m_plot.contains(at)) {
        setStep(stepAt(at.x()));
        emit stepPicked(m_step);
    }
    if (int const item = itemAtPoint(at); item >= 0) emit itemPicked(item);
}

void AddressMapWidget::mouseMoveEvent(QMouseEvent *event)
{
    QPoint const at = event->position().toPoint();
    if (!(event->buttons() & Qt::LeftButton) || !m_plot.contains(at)) return;
    int const step = stepAt(at.x());
    if (step == m_step) return;
    setStep(step);
    emit stepPicked(step);
}

void AddressMapWidget::wheelEvent(QWheelEvent *event)
{
    double const turns = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ControlModifier) {
        double const at = event->position().y() - m_plot.top();
        auto const address = m_axis.addressAt(at + m_scroll);
        m_zoom = std::clamp(m_zoom * std::pow(kZoomStep, turns), 1.0, kMostZoom);
        layOut();
        m_scroll = m_axis.yOf(address) - at; // keeps the address under the pointer in place
    } else if (m_zoom > 1) m_scroll -= turns * 10 * kGrid;
    else return event->ignore();
    layOut();
    event->accept();
}

void AddressMapWidget::keyPressEvent(QKeyEvent *event)
{
    auto const go = [this](int step) {
        setStep(step);
        emit stepPicked(m_step);
    };
    switch (event->key()) {
    case Qt::Key_Left: return go(m_step - 1);
    case Qt::Key_Right: return go(m_step + 1);
    case Qt::Key_Home: return go(0);
    case Qt::Key_End: return go(m_steps - 1);
    case Qt::Key_Plus: m_zoom = std::min(kMostZoom, m_zoom * kZoomStep); return layOut();
    case Qt::Key_Minus: m_zoom = std::max(1.0, m_zoom / kZoomStep); return layOut();
    case Qt::Key_0: m_zoom = 1; return layOut();
    case Qt::Key_Up: m_scroll -= 10 * kGrid; return layOut();
    case Qt::Key_Down: m_scroll += 10 * kGrid; return layOut();
    default: QWidget::keyPressEvent(event);
    }
}

void AddressMapWidget::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) layOut();
}

bool AddressMapWidget::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto const *help = static_cast<QHelpEvent *>(event);
    QString text = tipOf(itemAtPoint(help->pos()));
    if (text.isEmpty() && m_plot.contains(help->pos())) {
        auto const address = m_axis.addressAt(help->pos().y() - m_plot.top() + m_scroll);
        for (auto const &gap : m_gaps)
            if (address >= gap.offset && address < gap.offset + gap.bytes)
                text = tr("%1 unused at %2\n%3").arg(bytesExact(gap.bytes), hex(gap.offset), gapText(gap.reason));
        if (text.isEmpty()) text = tr("%1 at liveness step %2: free now").arg(hex(address)).arg(stepAt(help->pos().x()));
    }
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace tilewright::views
