#include "views/training/sample_grid.h"

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

constexpr int kTile = 16 * kGrid;

/// Extents without the batch axis and without trailing ones.
Shape plainShape(Shape const &shape)
{
    Shape plain;
    for (auto const extent : shape)
        if (extent != 1 || plain.size() == 1) plain.push_back(extent);
    while (plain.size() > 2 && plain.back() == 1) plain.pop_back();
    return plain;
}

void drawCurve(QPainter &painter, QRectF const &box, std::vector<float> const &values)
{
    if (values.empty()) return;
    auto const [low, high] = std::minmax_element(values.begin(), values.end());
    double const span = std::max(1e-12, static_cast<double>(*high - *low));
    QPainterPath path;
    for (std::size_t i = 0; i < values.size(); ++i) {
        double const x =
            box.left() + box.width() * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, values.size() - 1));
        double const y = box.bottom() - box.height() * static_cast<double>(values[i] - *low) / span;
        if (i == 0) path.moveTo(x, y);
        else path.lineTo(x, y);
    }
    painter.setPen(QPen(theme()[Token::Forward], 1));
    painter.drawPath(path);
}

} // namespace

SampleForm sampleForm(Shape const &shape)
{
    auto const plain = plainShape(shape);
    if (plain.size() == 3 && plain[2] == 3) return SampleForm::Color;
    return plain.size() == 2 && plain[0] > 1 && plain[1] > 1 ? SampleForm::Gray : SampleForm::Curve;
}

QImage sampleImage(std::vector<float> const &values, Shape const &shape)
{
    auto const form = sampleForm(shape);
    auto const plain = plainShape(shape);
    if (form == SampleForm::Curve || values.empty()) return {};
    auto const height = static_cast<int>(plain[0]), width = static_cast<int>(plain[1]);
    int const channels = form == SampleForm::Color ? 3 : 1;
    if (values.size() < static_cast<std::size_t>(height) * static_cast<std::size_t>(width * channels)) return {};
    auto const [low, high] = std::minmax_element(values.begin(), values.end());
    float const span = *high > *low ? *high - *low : 1.0F;
    QImage image(width, height, QImage::Format_RGB32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            auto const at = static_cast<std::size_t>((y * width + x) * channels);
            auto const level = [&](std::size_t c) { return static_cast<int>(255 * (values[at + c] - *low) / span); };
            image.setPixel(x, y, channels == 3 ? qRgb(level(0), level(1), level(2)) : qRgb(level(0), level(0), level(0)));
        }
    return image;
}

namespace {

/// True if the model predicted a class for a label, at one of the positions.
bool isInCell(SamplePrediction const &sample, std::pair<int, int> cell)
{
    if (sample.classes.empty()) return sample.label == cell.first && sample.predicted == cell.second;
    for (std::size_t i = 0; i < sample.classes.size(); ++i)
        if (sample.labels[i] == cell.first && sample.classes[i] == cell.second) return true;
    return false;
}

int rightPositions(SamplePrediction const &sample)
{
    int right = 0;
    for (std::size_t i = 0; i < sample.classes.size(); ++i) right += sample.labels[i] == sample.classes[i] ? 1 : 0;
    return right;
}

/// "3 1 4 …"
QString classesText(std::vector<int> const &classes)
{
    constexpr std::size_t kMost = 32;
    QStringList words;
    for (std::size_t i = 0; i < std::min(classes.size(), kMost); ++i) words.append(QString::number(classes[i]));
    if (classes.size() > kMost) words.append(QStringLiteral("…"));
    return words.join(QLatin1Char(' '));
}

} // namespace

PredictionGrid::PredictionGrid(QWidget *parent) : QWidget(parent)
{
    setAccessibleName(tr("Samples with predictions, wrong ones first"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PredictionGrid::setSamples(std::shared_ptr<PredictionInfo const> info)
{
    m_info = std::move(info);
    m_images.clear();
    if (m_info)
        for (auto const &sample : m_info->samples) m_images.push_back(sampleImage(sample.values, m_info->sampleShape));
    choose();
}

void PredictionGrid::setCell(std::optional<std::pair<int, int>> cell)
{
    m_cell = cell;
    choose();
}

void PredictionGrid::choose()
{
    m_shown.clear();
    QStringList words;
    if (m_info)
        for (int i = 0; i < static_cast<int>(m_info->samples.size()); ++i) {
            auto const &sample = m_info->samples[static_cast<std::size_t>(i)];
            if (m_cell && !isInCell(sample, *m_cell)) continue;
            m_shown.push_back(i);
            if (words.size() < 20) words.append(tipOf(static_cast<int>(m_shown.size()) - 1));
        }
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int PredictionGrid::columns(int width) const { return std::max(1, (width + kGrid) / (kTile + kGrid)); }

double PredictionGrid::rowHeight() const { return kTile + fontMetrics().height() + 1.5 * kGrid; }

int PredictionGrid::heightForWidth(int width) const
{
    int const count = static_cast<int>(m_shown.size());
    int const rows = (count + columns(width) - 1) / columns(width);
    return static_cast<int>(std::ceil(rows * rowHeight()));
}

QSize PredictionGrid::sizeHint() const { return {4 * (kTile + kGrid), heightForWidth(4 * (kTile + kGrid))}; }

QRectF PredictionGrid::sampleRect(int at) const
{
    int const across = columns(width());
    return {(at % across) * (kTile + kGrid + 0.0), (at / across) * rowHeight(), kTile + 0.0, rowHeight() - kGrid};
}

QString PredictionGrid::tipOf(int at) const
{
    auto const &sample = m_info->samples[static_cast<std::size_t>(m_shown[static_cast<std::size_t>(at)])];
    if (!sample.classes.empty())
        return tr("Sample %1: predicted %2; true %3; %4 of %5 positions right")
            .arg(countText(sample.record), classesText(sample.classes), classesText(sample.labels))
            .arg(rightPositions(sample))
            .arg(sample.classes.size());
    QString const label = sample.label < 0 ? tr("no label") : tr("true class %1").arg(sample.label);
    return tr("Sample %1: predicted class %2 (%3), %4")
        .arg(countText(sample.record))
        .arg(sample.predicted)
        .arg(shareText(sample.confidence), label);
}

bool PredictionGrid::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto const *help = static_cast<QHelpEvent *>(event);
        for (int i = 0; i < shownSamples(); ++i)
            if (sampleRect(i).contains(help->pos())) {
                QToolTip::showText(help->globalPos(), tipOf(i), this);
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void PredictionGrid::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    auto const &look = theme();
    painter.setFont(uiFont(TextSize::Caption));
    for (int i = 0; i < shownSamples(); ++i) {
        QRectF const box = sampleRect(i);
        if (!box.intersects(QRectF(event->rect()))) continue;
        auto const index = static_cast<std::size_t>(m_shown[static_cast<std::size_t>(i)]);
        auto const &sample = m_info->samples[index];
        QRectF const picture(box.left(), box.top(), kTile, kTile);
        if (!m_images[index].isNull()) painter.drawImage(picture, m_images[index]);
        else drawCurve(painter, picture.adjusted(2, 2, -2, -2), sample.values);
        bool const wrong = sample.label >= 0 && sample.wrong;
        painter.setPen(QPen(wrong ? look[Token::Bad] : look[Token::Border], wrong ? 2 : 1));
        painter.drawRect(picture.adjusted(0.5, 0.5, -0.5, -0.5));
        QString const text = !sample.classes.empty() ? tr("%1 of %2").arg(rightPositions(sample)).arg(sample.classes.size())
            : wrong                                  ? tr("%1, is %2").arg(sample.predicted).arg(sample.label)
                                                     : QString::number(sample.predicted);
        painter.setPen(wrong ? look[Token::Bad] : look[Token::Text]);
        painter.drawText(QRectF(box.left(), picture.bottom(), kTile, painter.fontMetrics().height() + 0.0), Qt::AlignHCenter,
                         (wrong ? QStringLiteral("✗ ") : QStringLiteral("✓ ")) + text);
    }
}

} // namespace tilewright::views
