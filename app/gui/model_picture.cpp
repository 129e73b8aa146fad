#include "app/gui/model_picture.h"

#include "views/common/theme.h"
#include "views/modeledit/model_graph.h"
#include "views/reports/report_snapshot.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

namespace tilewright::app {

using namespace views;

namespace {

/// More would be thinner than a line.
constexpr std::size_t kBlocks = 24;
constexpr QSize kKept{96, 56};

double elements(Shape const &shape)
{
    double count = 1;
    for (std::size_t i = 1; i < shape.size(); ++i) count *= static_cast<double>(std::max<std::int64_t>(1, shape[i]));
    return count;
}

QString keptPath(QString const &file)
{
    QString const folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/thumbnails");
    QByteArray const name = QCryptographicHash::hash(QFileInfo(file).absoluteFilePath().toUtf8(), QCryptographicHash::Sha1).toHex();
    return folder + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".png");
}

QPixmap emptyPicture(QSize const &size, double ratio)
{
    QPixmap picture(size * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    return picture;
}

QRectF paintGround(QPainter &painter, QSize const &size)
{
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF const ground(0.5, 0.5, size.width() - 1, size.height() - 1);
    painter.setPen(theme()[Token::Border]);
    painter.setBrush(theme()[Token::Window]);
    painter.drawRoundedRect(ground, kGrid, kGrid);
    return ground;
}

/// If a picture cannot be stored, nothing is lost.
void keep(QPixmap const &picture, QString const &file)
{
    QString const path = keptPath(file);
    if (QDir().mkpath(QFileInfo(path).path())) (void)picture.save(path);
}

} // namespace

QPixmap modelPicture(project::Project const &project, QSize const &size, double ratio)
{
    QPixmap picture = emptyPicture(size, ratio);
    auto const graph = modelGraph(project);
    std::vector<LayerInfo const *> layers;
    // Long models: every n-th layer, including the first and the last.
    std::size_t const all = graph.layers.size(), shown = std::min(all, kBlocks);
    for (std::size_t i = 0; i < shown; ++i) layers.push_back(&graph.layers[shown < 2 ? 0 : i * (all - 1) / (shown - 1)]);
    QPainter painter(&picture);
    QRectF const ground = paintGround(painter, size);
    if (layers.empty()) return picture;
    QRectF const room = ground.adjusted(kGap, kGap, -kGap, -kGap);
    double most = 1;
    for (auto const *layer : layers) most = std::max(most, std::log2(1 + elements(layer->shape)));
    double const step = room.width() / static_cast<double>(layers.size()), width = std::clamp(step * 0.7, 1.5, 12.0);
    painter.setPen(QPen(theme()[Token::Border], 1));
    painter.drawLine(QPointF(room.left(), room.center().y()), QPointF(room.right(), room.center().y()));
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        double const height = room.height() * std::clamp(std::log2(1 + elements(layers[i]->shape)) / most, 0.12, 1.0);
        double const x = room.left() + (static_cast<double>(i) + 0.5) * step;
        painter.setBrush(theme()[layers[i]->family]);
        painter.drawRoundedRect(QRectF(x - width / 2, room.center().y() - height / 2, width, height), 1.5, 1.5);
    }
    return picture;
}

QPixmap keptPicture(QString const &file) { return QPixmap(keptPath(file)); }

void keepPicture(project::Project const &project, QString const &file)
{
    if (file.isEmpty() || project.model.layers.empty()) return;
    keep(modelPicture(project, kKept, 1), file);
}

QPixmap reportPicture(ReportSnapshot const &report, QSize const &size, double ratio)
{
    QPixmap picture = emptyPicture(size, ratio);
    QPainter painter(&picture);
    QRectF const room = paintGround(painter, size).adjusted(kGap, kGap, -kGap, -kGap);
    auto const bytes = report.tileMetric("with_gaps");
    double const limit = static_cast<double>(report.data().target.bytesPerTile);
    if (bytes.empty() || limit <= 0) return picture;
    double const most = std::max(limit, static_cast<double>(*std::ranges::max_element(bytes)));
    std::size_t const columns = std::min(bytes.size(), static_cast<std::size_t>(room.width()));
    double const width = room.width() / static_cast<double>(columns);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t c = 0; c < columns; ++c) { // the worst tile of each column
        auto const from = bytes.begin() + static_cast<std::ptrdiff_t>(c * bytes.size() / columns),
                   to = bytes.begin() + static_cast<std::ptrdiff_t>((c + 1) * bytes.size() / columns);
        double const value = static_cast<double>(*std::max_element(from, to)), height = room.height() * value / most;
        painter.fillRect(QRectF(room.left() + static_cast<double>(c) * width, room.bottom() - height, std::max(1.0, width), height),
                         theme()[value > limit ? Token::Bad : Token::Compute]);
    }
    painter.setPen(theme()[Token::SecondaryText]);
    double const y = room.bottom() - room.height() * limit / most;
    painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y));
    return picture;
}

void keepPicture(ReportSnapshot const &report)
{
    if (!report.path().isEmpty() && !report.data().tileMetrics.empty()) keep(reportPicture(report, kKept, 1), report.path());
}

} // namespace tilewright::app
