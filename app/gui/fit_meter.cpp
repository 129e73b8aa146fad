#include "app/gui/fit_meter.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/session/document.h"
#include "views/session/report_snapshot.h"
#include "views/session/session.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>

namespace tilewright::app {

using namespace views;

FitMeter::FitMeter(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Fit of the memory"));
    connect(&session, &Session::estimateChanged, this, &FitMeter::update);
    connect(&session, &Session::reportChanged, this, &FitMeter::update);
    update();
}

QSize FitMeter::minimumSizeHint() const { return {fontMetrics().horizontalAdvance(QStringLiteral("estimated 100 %")) + 56, 28}; }
QSize FitMeter::sizeHint() const { return {std::max(minimumSizeHint().width(), fontMetrics().horizontalAdvance(m_text) + 64), 28}; }

void FitMeter::update()
{
    m_bars.clear();
    m_text.clear();
    auto const report = m_session.report();
    if (report && !m_session.reportIsStale() && !report->data().verdicts.empty()) {
        m_estimated = false;
        double worst = 0;
        bool fits = true;
        for (auto const &row : report->data().verdicts) {
            if (row.scope != "ipu") continue;
            double const share = row.capacity > 0 ? static_cast<double>(row.bytes) / static_cast<double>(row.capacity) : 0;
            m_bars.push_back({share, row.fits});
            worst = std::max(worst, share);
            fits = fits && row.fits;
        }
        m_text = fits ? tr("fits: %1").arg(shareText(worst)) : tr("does not fit: %1").arg(shareText(worst));
        setToolTip(tr("Worst tile of each IPU against its memory, as compiled. Click to see the memory."));
    } else if (m_session.document().isOpen() && m_session.estimate().known) {
        m_estimated = true;
        auto const &estimate = m_session.estimate();
        for (auto const &ipu : estimate.ipus) {
            double const all = static_cast<double>(ipu.weights + ipu.optimizer + ipu.activations + ipu.code);
            double const most = static_cast<double>(estimate.ipus.size() == 1 ? 1 : 0);
            double const even = ipu.limit > 0 ? all / static_cast<double>(ipu.limit) : 0;
            m_bars.push_back({most > 0 ? estimate.worstShare : even * 2, estimate.fits});
        }
        m_text = tr("estimated %1").arg(shareText(estimate.worstShare));
        setToolTip(tr("Worst tile of each IPU against its memory, estimated from the layers. Compile to know."));
    } else {
        setToolTip(m_session.estimate().why);
    }
    setAccessibleDescription(m_text);
    if (m_action) m_action->setVisible(!m_bars.empty());
    updateGeometry();
    QWidget::update();
}

void FitMeter::setAction(QAction *action)
{
    m_action = action;
    update();
}

void FitMeter::paintEvent(QPaintEvent *)
{
    QPainter p(this);
    auto const &t = theme();
    int const barsWidth = 40;
    int const count = static_cast<int>(m_bars.size());
    int const rows = std::min(count, 8);
    if (rows == 0) return;
    double const height = std::min(10.0, (this->height() - 8.0) / rows);
    double const top = (this->height() - height * rows) / 2.0;
    for (int i = 0; i < rows; ++i) {
        auto const &bar = m_bars[static_cast<std::size_t>(i * count / rows)];
        QRectF const box(2, top + i * height + 0.5, barsWidth, std::max(2.0, height - 1));
        p.fillRect(box, t[Token::Grid]);
        QRectF filled = box;
        filled.setWidth(box.width() * std::clamp(bar.share, 0.02, 1.0));
        QColor const color = bar.share > 1 ? t[Token::Bad] : t[Token::Good];
        p.fillRect(filled, m_estimated ? QBrush(color, Qt::Dense3Pattern) : QBrush(color));
        p.setPen(t[Token::Border]);
        p.drawRect(box);
    }
    p.setPen(t[m_bars.front().fits ? Token::Text : Token::Bad]);
    p.drawText(rect().adjusted(barsWidth + 10, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, m_text);
    if (hasFocus()) {
        p.setPen(t[Token::Accent]);
        p.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void FitMeter::mouseReleaseEvent(QMouseEvent *) { emit m_session.viewRequested(QStringLiteral("memory")); }

void FitMeter::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) emit m_session.viewRequested(QStringLiteral("memory"));
    else QWidget::keyPressEvent(event);
}

} // namespace tilewright::app
