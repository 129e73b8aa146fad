#include "views/time/time_overview.h"

#include "views/time/lanes_painter.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kColumn = 2; // width of a column of the overview in pixels
constexpr std::size_t kStrips = 8;
constexpr std::size_t kSampled = 16; // number of lanes sampled if all share one strip

} // namespace

Token phaseToken(LanePhase phase)
{
    switch (phase) {
    case LanePhase::Compute: return Token::Compute;
    case LanePhase::InternalExchange: return Token::InternalExchange;
    case LanePhase::GlobalExchange: return Token::GlobalExchange;
    case LanePhase::Stream: return Token::Stream;
    case LanePhase::Sync: return Token::Sync;
    case LanePhase::Idle: return Token::Idle;
    case LanePhase::Other: return Token::Buffers;
    }
    return Token::Idle;
}

TimeRuler::TimeRuler(TimeWindow &window, QWidget *parent) : QWidget(parent), m_window(window)
{
    setAccessibleName(tr("Time ruler"));
    setToolTip(tr("Drag to measure"));
    connect(&window, &TimeWindow::changed, this, qOverload<>(&QWidget::update));
}

void TimeRuler::setGutter(int pixels)
{
    m_gutter = pixels;
    update();
}

QSize TimeRuler::sizeHint() const { return {160, QFontMetrics(uiFont(TextSize::Caption)).height() + 2 * kGrid}; }

std::int64_t TimeRuler::timeAt(int x) const { return m_window.axis(width() - m_gutter).toTime(x - m_gutter); }

void TimeRuler::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme()[Token::Window]);
    TimeAxis const axis = m_window.axis(width() - m_gutter);
    painter.setFont(uiFont(TextSize::Caption));
    QFontMetrics const metrics(painter.font());
    TimeScale const &scale = m_window.scale();
    QString const unit = scale.unit == TimeUnit::Steps && scale.ticksPerStep > 0 ? tr("steps")
        : scale.host                                                             ? tr("host time")
        : scale.unit == TimeUnit::Seconds                                        ? tr("modelled time")
                                                                                 : tr("cycles");
    painter.setPen(theme()[Token::SecondaryText]);
    painter.drawText(QRect(kGrid, 0, m_gutter - 2 * kGrid, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(unit, Qt::ElideRight, m_gutter - 2 * kGrid));
    double const widest = metrics.horizontalAdvance(QLocale().toString(static_cast<qlonglong>(axis.window.end))) + 3.0 * kGap;
    int textEnd = m_gutter;
    for (auto const &tick : timeTicks(axis, scale, std::max(80.0, widest))) {
        double const x = m_gutter + axis.toPixel(tick.time);
        bool const major = !tick.label.isEmpty();
        painter.setPen(theme()[major ? Token::SecondaryText : Token::Border]);
        painter.drawLine(QLineF(x, height() - (major ? 6 : 3), x, height()));
        if (!major) continue;
        int const advance = metrics.horizontalAdvance(tick.label);
        int const left = std::clamp(static_cast<int>(x) - advance / 2, m_gutter, std::max(m_gutter, width() - advance));
        if (left < textEnd) continue;
        painter.setPen(theme()[Token::Text]);
        painter.drawText(left, kGrid / 2 + metrics.ascent(), tick.label);
        textEnd = left + advance + kGrid;
    }
    painter.setPen(theme()[Token::Border]);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    if (!m_measure.isEmpty()) {
        double const x0 = m_gutter + axis.toPixel(m_measure.begin), x1 = m_gutter + axis.toPixel(m_measure.end);
        QString const text = durationText(m_measure.length(), scale);
        int const advance = metrics.horizontalAdvance(text);
        QRectF box(x0, 1, std::max(1.0, x1 - x0), height() - 3);
        painter.fillRect(box, theme()[Token::Accent]);
        QRectF label(0, 1, advance + 2 * kGrid, height() - 3);
        label.moveCenter({std::clamp(box.center().x(), m_gutter + label.width() / 2, width() - label.width() / 2), box.center().y()});
        painter.fillRect(label, theme()[Token::Accent]);
        painter.setPen(theme()[Token::AccentText]);
        painter.drawText(label, Qt::AlignCenter, text);
    }
}

void TimeRuler::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || event->pos().x() < m_gutter) return;
    m_measuring = true;
    m_measure = {timeAt(event->pos().x()), timeAt(event->pos().x())};
    update();
}

void TimeRuler::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_measuring) return;
    m_measure.end = timeAt(event->pos().x());
    update();
}

void TimeRuler::mouseReleaseEvent(QMouseEvent *)
{
    m_measuring = false;
    if (m_measure.end < m_measure.begin) std::swap(m_measure.begin, m_measure.end);
    update();
}

TimeOverview::TimeOverview(TimeWindow &window, QWidget *parent) : RangeStrip(parent), m_window(window)
{
    setAccessibleName(tr("Overview of all time"));
    connect(&window, &TimeWindow::changed, this, [this] {
        describe();
        update();
    });
    connect(&window, &TimeWindow::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(&window, &TimeWindow::playheadChanged, this, qOverload<>(&QWidget::update));
    describe();
}

void TimeOverview::setLanes(std::vector<std::shared_ptr<LaneTimeline const>> lanes, std::vector<EventStyle> styles)
{
    m_lanes = std::move(lanes);
    m_styles = std::move(styles);
    m_image = {};
    update();
}

void TimeOverview::setGutter(int pixels)
{
    m_gutter = pixels;
    update();
}

void TimeOverview::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) m_image = {};
}

/// By column: the colour for time outside all phases.
std::vector<Token> TimeOverview::othersOf(LaneTimeline const &lane, ColumnGrid const &grid) const
{
    std::vector<Token> tokens(static_cast<std::size_t>(grid.width()), phaseToken(LanePhase::Other));
    if (m_styles.empty()) return tokens;
    for (auto const &box : lane.boxes(grid)) {
        if (box.type < 0 || box.type >= static_cast<int>(m_styles.size()) || lane.phaseOfType(box.type) != LanePhase::Other) continue;
        for (int c = std::max(0, box.x0); c < std::min(grid.width(), box.x1); ++c)
            tokens[static_cast<std::size_t>(c)] = m_styles[static_cast<std::size_t>(box.type)].token;
    }
    return tokens;
}

/// Each column stacks the shares of the phases, because single events are not distinguishable here.
void TimeOverview::repaintStrips()
{
    TimeAxis const axis = this->axis();
    int const columns = std::max(1, axis.width / kColumn);
    bool const joint = m_lanes.size() > kStrips;
    int const strips = joint ? 1 : std::max(1, static_cast<int>(m_lanes.size()));
    m_image = QImage(columns, plot().height(), QImage::Format_RGB32);
    m_image.fill(theme()[Token::Panel]);
    m_imageAxis = axis;
    ColumnGrid const grid({axis.window, columns});
    std::size_t const stride = joint ? std::max<std::size_t>(1, m_lanes.size() / kSampled) : 1;
    for (int strip = 0; strip < strips; ++strip) {
        int const top = m_image.height() * strip / strips, bottom = m_image.height() * (strip + 1) / strips - (strips > 1 ? 1 : 0);
        auto const first = joint ? std::size_t{0} : static_cast<std::size_t>(strip);
        auto const others = first < m_lanes.size() && m_lanes[first]
            ? othersOf(*m_lanes[first], grid)
            : std::vector<Token>(static_cast<std::size_t>(columns), phaseToken(LanePhase::Other));
        for (int c = 0; c < columns; ++c) {
            TimeSpan const span{grid.start(c), std::max(grid.start(c + 1), grid.start(c) + 1)};
            PhaseTicks busy{};
            double all = 0;
            for (std::size_t l = first; l < (joint ? m_lanes.size() : std::min(m_lanes.size(), first + 1)); l += stride) {
                if (!m_lanes[l]) continue;
                PhaseTicks const more = m_lanes[l]->busy(span);
                for (std::size_t p = 0; p < busy.size(); ++p) busy[p] += more[p];
                all += static_cast<double>(span.length());
            }
            double y = bottom;
            for (int p = 0; p < kLanePhases && all > 0; ++p) {
                if (p == static_cast<int>(LanePhase::Idle)) continue;
                double const next = y - static_cast<double>(busy[static_cast<std::size_t>(p)]) / all * (bottom - top);
                bool const other = p == static_cast<int>(LanePhase::Other);
                QRgb const color = theme()[other ? others[static_cast<std::size_t>(c)] : phaseToken(static_cast<LanePhase>(p))].rgb();
                for (int row = std::max(top, static_cast<int>(std::lround(next))); row < std::lround(y); ++row)
                    reinterpret_cast<QRgb *>(m_image.scanLine(row))[c] = color;
                y = next;
            }
        }
    }
}

QString TimeOverview::shareText() const
{
    if (m_window.isWhole()) return tr("all time shown");
    // In steps if there are any, because a share of all is not meaningful.
    if (double const step = static_cast<double>(m_window.scale().ticksPerStep); step > 0) {
        double const shown = static_cast<double>(m_window.visible().length()) / step,
                     all = static_cast<double>(m_window.extent().length()) / step;
        return tr("%1 of %2 steps").arg(QLocale().toString(shown, 'g', 3), QLocale().toString(static_cast<qlonglong>(std::llround(all))));
    }
    double const share =
        static_cast<double>(m_window.visible().length()) / static_cast<double>(std::max<std::int64_t>(1, m_window.extent().length()));
    return tr("%1 % of all time").arg(QLocale().toString(share * 100, 'g', 2));
}

QString TimeOverview::shareTextIn(QSize room, QFontMetrics const &metrics) const
{
    QRect const words({}, room);
    auto const fits = [&](QString const &text) {
        return words.contains(metrics.boundingRect(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, text));
    };
    QString const share = shareText();
    if (fits(share)) return share;
    double const shown = static_cast<double>(m_window.visible().length()), all = static_cast<double>(m_window.extent().length()),
                 step = static_cast<double>(m_window.scale().ticksPerStep);
    if (m_window.isWhole()) return tr("all");
    if (step > 0)
        return QStringLiteral("%1 / %2").arg(QLocale().toString(shown / step, 'g', 3),
                                             QLocale().toString(static_cast<qlonglong>(std::llround(all / step))));
    return tr("%1 %").arg(QLocale().toString(shown / std::max(1.0, all) * 100, 'g', 2));
}

RangeStrip::Part TimeOverview::shown() const
{
    auto const origin = m_window.extent().begin;
    return {static_cast<double>(m_window.visible().begin - origin), static_cast<double>(m_window.visible().end - origin)};
}

/// Ticks are integers: a moved range keeps its length, and a range with one changed end keeps the other.
void TimeOverview::showPart(Part part, bool steadily)
{
    auto const origin = m_window.extent().begin;
    TimeSpan next{origin + std::llround(part.from), origin + std::llround(part.to)};
    if (std::abs(part.length() - shown().length()) < 0.5) next.end = next.begin + m_window.visible().length();
    m_window.show(next, steadily);
}

QString TimeOverview::shareWords() const { return m_window.isWhole() ? tr("all time") : shareText(); }

void TimeOverview::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme()[Token::Window]);
    if (plot().width() < 2 || plot().height() < 2) return;
    if (m_image.isNull() || m_imageAxis != axis() || m_image.height() != plot().height()) repaintStrips();
    painter.drawImage(plot(), m_image);
    painter.setFont(uiFont(TextSize::Caption));
    painter.setPen(theme()[Token::SecondaryText]);
    QFontMetrics const metrics(painter.font());
    // A narrow gutter uses two lines if the strips are high enough.
    QRect const words(kGrid, 0, m_gutter - 2 * kGrid, height());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, shareTextIn(words.size(), metrics));
    QRectF const visible = frame();
    paintVeil(painter, Token::Window);
    TimeAxis const axis = this->axis();
    if (m_window.selection()) {
        double const x0 = plot().left() + axis.toPixel(m_window.selection()->begin),
                     x1 = plot().left() + axis.toPixel(m_window.selection()->end);
        QColor fill = theme()[Token::Accent];
        fill.setAlpha(70);
        painter.fillRect(QRectF(x0, visible.top(), std::max(1.0, x1 - x0), visible.height()), fill);
    }
    if (m_window.playhead()) {
        double const x = plot().left() + axis.toPixel(*m_window.playhead());
        painter.setPen(QPen(theme()[Token::Text], 2));
        painter.drawLine(QLineF(x, visible.top(), x, visible.bottom()));
    }
    paintFrame(painter);
}

} // namespace tilewright::views
