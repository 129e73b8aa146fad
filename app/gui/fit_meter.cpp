#include "app/gui/fit_meter.h"

#include "views/advice/fit_watch.h"
#include "views/advice/rule_watch.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/session/session.h"
#include "views/wording/tile_memory_text.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace tilewright::app {

using namespace views;

namespace {

constexpr int kMostBars = 64; ///< the number of IPUs of the largest system
constexpr int kMostInARow = 32;
constexpr int kMostLines = 8; ///< lines of the tool tip
constexpr int kOneWidth = 40; ///< width of a single bar
constexpr int kMargin = 2, kTextGap = 8;

int barCount(FitWatch const &watch) { return std::min<int>(kMostBars, static_cast<int>(watch.ipus().size())); }

/// Total width of the bars.
int barsWidth(int count)
{
    if (count <= 1) return kOneWidth;
    int const perRow = std::min(count, kMostInARow);
    return std::max(kOneWidth, perRow * (perRow > 16 ? 3 : 5));
}

} // namespace

FitMeter::FitMeter(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_watch(&FitWatch::of(session))
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Fit of the memory"));
    connect(m_watch, &FitWatch::changed, this, &FitMeter::update);
    update();
}

QSize FitMeter::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(tr("estimated %1").arg(shareText(1))) + barsWidth(barCount(*m_watch)) + 2 * kTextGap,
            kRowHeight};
}
QSize FitMeter::sizeHint() const
{
    int const wanted = fontMetrics().horizontalAdvance(m_text) + barsWidth(barCount(*m_watch)) + 2 * kTextGap + kMargin;
    return {std::max(minimumSizeHint().width(), wanted), kRowHeight};
}

void FitMeter::update()
{
    auto const &ipus = m_watch->ipus();
    int const worst = m_watch->worst();
    m_text.clear();
    if (isBroken()) {
        m_text = tr("fit unknown: errors");
        setToolTip(m_watch->why() + QLatin1Char('\n') + tr("Click to see the problems."));
    } else if (worst < 0) {
        setToolTip(m_watch->why());
    } else {
        QString const share = shareText(ipus[static_cast<std::size_t>(worst)].placed);
        bool const estimated = m_watch->source() == FitSource::Estimate;
        m_text = estimated    ? tr("estimated %1").arg(share)
            : m_watch->fits() ? tr("fits: %1").arg(share)
                              : tr("does not fit: %1 · remedies").arg(share);
        QStringList lines{estimated ? tr("Worst tile of each IPU, estimated from the layers; a compile in the background follows.")
                              : m_watch->source() == FitSource::Trial ? tr("Worst tile of each IPU, from a compile in the background.")
                                                                      : tr("Worst tile of each IPU, as compiled.")};
        // The fullest first; with many IPUs the others are similar.
        std::vector<int> order(ipus.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
        std::ranges::stable_sort(order, {}, [&](int i) { return -ipus[static_cast<std::size_t>(i)].placed; });
        for (int const i : order) {
            if (lines.size() > kMostLines) break;
            auto const &ipu = ipus[static_cast<std::size_t>(i)];
            lines << tr("IPU %1: placed %2 of the limit, need %3").arg(i).arg(shareText(ipu.placed), shareText(ipu.need));
        }
        if (static_cast<int>(order.size()) > kMostLines)
            lines << tr("%n more IPU(s)", nullptr, static_cast<int>(order.size()) - kMostLines);
        for (auto const figure : {TileFigure::Placed, TileFigure::Need})
            lines << tr("%1: %2").arg(tileFigureName(figure), tileFigureHelp(figure));
        lines << (showsRemedies() ? tr("Click to see what would make it fit.") : tr("Click to see the memory."));
        setToolTip(lines.join(QLatin1Char('\n')));
    }
    setAccessibleDescription(m_text);
    if (m_action) m_action->setVisible(!m_text.isEmpty());
    updateGeometry();
    QWidget::update();
}

void FitMeter::setAction(QAction *action)
{
    m_action = action;
    update();
}

QList<QRectF> FitMeter::bars() const
{
    QList<QRectF> bars;
    int const count = barCount(*m_watch);
    if (count == 0) return bars;
    if (count == 1) return {QRectF(kMargin + 0.5, height() / 2.0 - 4.5, kOneWidth, 9)};
    int const perRow = std::min(count, kMostInARow), rows = (count + perRow - 1) / perRow;
    double const width = static_cast<double>(barsWidth(count)) / perRow, tall = (height() - 6.0) / rows;
    for (int i = 0; i < count; ++i)
        bars << QRectF(kMargin + (i % perRow) * width, 3 + (i / perRow) * tall, std::max(1.0, width - 1), tall - (rows > 1 ? 2 : 0));
    return bars;
}

void FitMeter::paintEvent(QPaintEvent *)
{
    QPainter p(this);
    auto const &t = theme();
    auto const boxes = bars();
    bool const estimated = m_watch->source() == FitSource::Estimate;
    for (int i = 0; i < boxes.size(); ++i) {
        auto const &ipu = m_watch->ipus()[static_cast<std::size_t>(i)];
        QRectF const box = boxes[i];
        p.fillRect(box, t[Token::Grid]);
        QColor const color = ipu.fits ? t[Token::Good] : t[Token::Bad];
        QColor beyond = color;
        beyond.setAlphaF(0.45F);
        // Horizontal if alone, otherwise vertical side by side. Filled up to the need, paler up to the highest address.
        auto const part = [&](double from, double to, QColor const &fill) {
            from = std::clamp(from, 0.0, 1.0);
            to = std::clamp(to, 0.0, 1.0);
            if (to <= from) return;
            QRectF const filled = boxes.size() == 1
                ? QRectF(box.left() + from * box.width(), box.top(), (to - from) * box.width(), box.height())
                : QRectF(box.left(), box.bottom() - to * box.height(), box.width(), (to - from) * box.height());
            p.fillRect(filled, estimated ? QBrush(fill, Qt::Dense3Pattern) : QBrush(fill));
        };
        part(0, std::max(ipu.need, 0.03), color);
        part(ipu.need, ipu.placed, beyond);
        if (boxes.size() == 1) {
            p.setPen(t[Token::Border]);
            p.drawRect(box);
        }
    }
    p.setPen(t[m_watch->fits() && !isBroken() ? Token::Text : Token::Bad]);
    int const left = boxes.isEmpty() ? kMargin : kMargin + barsWidth(static_cast<int>(boxes.size())) + kTextGap;
    p.drawText(rect().adjusted(left, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, m_text);
    if (hasFocus()) {
        p.setPen(t[Token::Accent]);
        p.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

bool FitMeter::showsRemedies() const { return m_watch->worst() >= 0 && m_watch->source() != FitSource::Estimate && !m_watch->fits(); }

/// What does not compile has no fit.
bool FitMeter::isBroken() const { return m_watch->worst() < 0 && m_session.document().isOpen() && RuleWatch::of(m_session).firstError(); }

void FitMeter::open()
{
    emit m_session.viewRequested(showsRemedies() || isBroken() ? QStringLiteral("problems") : QStringLiteral("memory"));
}

void FitMeter::mouseReleaseEvent(QMouseEvent *) { open(); }

void FitMeter::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) open();
    else QWidget::keyPressEvent(event);
}

} // namespace tilewright::app
