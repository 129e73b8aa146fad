#include "views/data/sample_grid.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kPicture = 16 * kGrid; ///< side of a sample's picture
constexpr std::int64_t kFewNumbers = 12;
constexpr int kShownNumbers = 8;

int grey(double value, double low, double high)
{
    if (!std::isfinite(value)) return 0;
    double const share = high > low ? (value - low) / (high - low) : 0.5;
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * 255));
}

} // namespace

SampleLook lookOf(Shape const &shape)
{
    bool const flat = shape.size() == 2 || (shape.size() == 3 && (shape[2] == 1 || shape[2] == 3 || shape[2] == 4));
    if (flat && shape[0] >= 4 && shape[1] >= 4 && shape[0] <= 4096 && shape[1] <= 4096) return SampleLook::Image;
    return elementCount(shape) <= kFewNumbers ? SampleLook::Numbers : SampleLook::Curve;
}

QImage sampleImage(Shape const &shape, std::vector<float> const &values, double low, double high)
{
    int const rows = static_cast<int>(shape[0]), columns = static_cast<int>(shape[1]);
    std::size_t const channels = shape.size() == 3 ? static_cast<std::size_t>(shape[2]) : 1;
    QImage image(columns, rows, QImage::Format_ARGB32);
    image.fill(Qt::black);
    if (values.size() < static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * channels) return image;
    auto at = values.begin();
    for (int row = 0; row < rows; ++row) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(row));
        for (int column = 0; column < columns; ++column, at += static_cast<std::ptrdiff_t>(channels)) {
            auto const level = [&](std::size_t channel) {
                return grey(static_cast<double>(at[static_cast<std::ptrdiff_t>(channel)]), low, high);
            };
            line[column] =
                channels == 1 ? qRgb(level(0), level(0), level(0)) : qRgba(level(0), level(1), level(2), channels == 4 ? level(3) : 255);
        }
    }
    return image;
}

SampleGrid::SampleGrid(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Samples"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void SampleGrid::setSamples(Shape shape, std::vector<data::SamplePreview> samples)
{
    m_shape = std::move(shape);
    m_samples = std::move(samples);
    m_images.clear();
    bool first = true;
    for (auto const &sample : m_samples)
        for (float const value : sample.values) {
            if (!std::isfinite(value)) continue;
            m_low = first ? static_cast<double>(value) : std::min(m_low, static_cast<double>(value));
            m_high = first ? static_cast<double>(value) : std::max(m_high, static_cast<double>(value));
            first = false;
        }
    if (lookOf(m_shape) == SampleLook::Image)
        for (auto const &sample : m_samples) m_images.push_back(sampleImage(m_shape, sample.values, m_low, m_high));
    QStringList labels;
    for (auto const &sample : m_samples) labels << QString::fromStdString(sample.label);
    setAccessibleDescription(tr("The first samples; labels %1").arg(labels.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

QSize SampleGrid::cell() const
{
    int const text = QFontMetrics(uiFont(TextSize::Caption)).height() + kGrid / 2;
    switch (lookOf(m_shape)) {
    case SampleLook::Image: return {kPicture, kPicture + text};
    case SampleLook::Curve: return {2 * kPicture, kPicture / 2 + text};
    case SampleLook::Numbers: return {4 * kPicture, 2 * text};
    }
    return {};
}

int SampleGrid::across(int width) const { return std::max(1, (width + kGap) / (cell().width() + kGap)); }

int SampleGrid::heightForWidth(int width) const
{
    int const rows = (static_cast<int>(m_samples.size()) + across(width) - 1) / across(width);
    return std::max(0, rows * (cell().height() + kGap) - kGap);
}

QSize SampleGrid::sizeHint() const { return {8 * (cell().width() + kGap), heightForWidth(8 * (cell().width() + kGap))}; }
QSize SampleGrid::minimumSizeHint() const { return {cell().width(), heightForWidth(std::max(width(), cell().width()))}; }

QRectF SampleGrid::rectOf(int sample) const
{
    int const columns = across(width());
    int const column = isRightToLeft() ? columns - 1 - sample % columns : sample % columns;
    return {QPointF(column * (cell().width() + kGap), sample / columns * (cell().height() + kGap)), cell()};
}

QString SampleGrid::tipOf(int sample) const
{
    auto const &each = m_samples[static_cast<std::size_t>(sample)];
    QString text = each.label.empty() ? tr("Sample %1").arg(each.record)
                                      : tr("Sample %1, label %2").arg(each.record).arg(QString::fromStdString(each.label));
    auto const [low, high] = std::ranges::minmax_element(each.values);
    if (low != each.values.end())
        text += tr(" · values in the model %1 to %2").arg(numberText(static_cast<double>(*low)), numberText(static_cast<double>(*high)));
    return text;
}

void SampleGrid::paintCurve(QPainter &painter, QRectF const &area, std::vector<float> const &values) const
{
    painter.fillRect(area, theme()[Token::Raised]);
    QPainterPath path;
    bool drawing = false;
    auto const steps = std::min<std::size_t>(values.size(), static_cast<std::size_t>(area.width()) * 4);
    for (std::size_t i = 0; i < steps; ++i) {
        auto const at = values[i * values.size() / steps];
        if (!std::isfinite(at)) {
            drawing = false; // a gap, without a line across it
            continue;
        }
        double const share = m_high > m_low ? (static_cast<double>(at) - m_low) / (m_high - m_low) : 0.5;
        QPointF const point(area.left() + area.width() * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, steps - 1)),
                            area.bottom() - share * area.height());
        if (drawing) path.lineTo(point);
        else path.moveTo(point);
        drawing = true;
    }
    painter.setPen(QPen(theme()[Token::Accent], 1));
    painter.drawPath(path);
}

void SampleGrid::paintNumbers(QPainter &painter, QRectF const &area, std::vector<float> const &values) const
{
    QStringList shown;
    for (std::size_t i = 0; i < values.size() && i < kShownNumbers; ++i) shown << numberText(static_cast<double>(values[i]));
    if (values.size() > kShownNumbers) shown << QStringLiteral("…");
    painter.setPen(theme()[Token::Text]);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(shown.join(QStringLiteral("  ")), Qt::ElideRight, static_cast<int>(area.width())));
}

void SampleGrid::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(uiFont(TextSize::Caption));
    auto const look = lookOf(m_shape);
    double const text = painter.fontMetrics().height();
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        QRectF const rect = rectOf(static_cast<int>(i));
        QRectF const area = rect.adjusted(0, 0, 0, -text);
        if (look == SampleLook::Image) {
            auto const &image = m_images[i];
            QSizeF size(image.size());
            size.scale(area.size(), Qt::KeepAspectRatio);
            QRectF const target(area.center() - QPointF(size.width(), size.height()) / 2, size);
            painter.drawImage(target, image); // pixels stay pixels
            painter.setPen(theme()[Token::Border]);
            painter.drawRect(target);
        } else if (look == SampleLook::Curve) {
            paintCurve(painter, area, m_samples[i].values);
        } else {
            paintNumbers(painter, area, m_samples[i].values);
        }
        painter.setPen(theme()[Token::SecondaryText]);
        QString const label = m_samples[i].label.empty() ? tr("no label") : QString::fromStdString(m_samples[i].label);
        painter.drawText(QRectF(rect.left(), area.bottom(), rect.width(), text), Qt::AlignCenter,
                         painter.fontMetrics().elidedText(label, Qt::ElideRight, static_cast<int>(rect.width())));
    }
}

bool SampleGrid::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        for (std::size_t i = 0; i < m_samples.size(); ++i)
            if (rectOf(static_cast<int>(i)).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), tipOf(static_cast<int>(i)), this);
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace tilewright::views
