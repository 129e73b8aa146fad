#include "views/canvas/scene_cache.h"
#include "views/modeledit/model_edits.h"

#include "views/common/theme.h"

#include "engine/model/layer_spec.h"
#include "tests/support/test_registry.h"

#include <QPainter>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

CanvasScene branches()
{
    auto project = *project::fromTemplate("mnist-mlp");
    project.model = toFunctional(project.model);
    for (int i = 0; i < 60; ++i) {
        model::Layer layer = model::makeLayer("ReLU", "r" + std::to_string(i));
        layer.calls = {model::Call{{{i < 6 ? std::string("dense") : "r" + std::to_string(i - 6), 0, 0}}}};
        project.model.layers.push_back(std::move(layer));
    }
    return buildScene(modelGraph(project), {}, {}, nullptr);
}

} // namespace

/// The shifted drawing against a new one.
class TstSceneCache : public QObject {
    Q_OBJECT
private slots:
    void shiftedIsAsDrawnAnew_data()
    {
        QTest::addColumn<double>("ratio");
        QTest::newRow("1") << 1.0;
        QTest::newRow("1.5") << 1.5;
        QTest::newRow("2") << 2.0;
    }
    void shiftedIsAsDrawnAnew()
    {
        QFETCH(double, ratio);
        applyTheme(*qApp, ThemeKind::Light);
        CanvasScene const scene = branches();
        Overlay const overlay;
        CanvasPaint paint;
        SceneCache cache;
        QSize const size(420, 300);
        std::uint64_t state = 7;
        auto const random = [&](int below) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(below));
        };
        QPointF origin = scene.bounds.topLeft();
        int shifted = 0;
        for (int move = 0; move < 120; ++move) {
            if (move % 15 == 14) paint.zoom = 0.15 + random(100) / 70.0;
            if (move % 15 == 7) paint.selected = {scene.nodes[static_cast<std::size_t>(random(static_cast<int>(scene.nodes.size())))].id};
            origin += QPointF(random(161) - 80, random(121) - 60) / paint.zoom;
            origin = SceneCache::snapped(origin, paint.zoom, ratio);
            QImage const kept = cache.picture(size, ratio, origin, scene, overlay, paint).toImage().convertToFormat(QImage::Format_RGB32);
            SceneCache fresh;
            QImage const anew = fresh.picture(size, ratio, origin, scene, overlay, paint).toImage().convertToFormat(QImage::Format_RGB32);
            QCOMPARE(kept.size(), anew.size());
            int different = 0;
            for (int y = 0; y < kept.height(); ++y)
                for (int x = 0; x < kept.width(); ++x) {
                    QRgb const a = kept.pixel(x, y), b = anew.pixel(x, y);
                    // Borders between two pixels fall to either side.
                    different +=
                        std::abs(qRed(a) - qRed(b)) > 24 || std::abs(qGreen(a) - qGreen(b)) > 24 || std::abs(qBlue(a) - qBlue(b)) > 24;
                }
            // A missing text would be some thousandths.
            QVERIFY2(different <= kept.width() * kept.height() / 1000,
                     qPrintable(QStringLiteral("move %1: %2 pixels").arg(move).arg(different)));
            shifted += move % 15 != 14;
        }
        QVERIFY(shifted > 100);
    }
    void changedPartsAreDrawn()
    {
        applyTheme(*qApp, ThemeKind::Light);
        CanvasScene scene = branches();
        Overlay const overlay;
        CanvasPaint paint;
        SceneCache cache;
        QPointF const origin = SceneCache::snapped(scene.nodes[1].rect.topLeft() - QPointF(20, 20), 1, 1);
        QImage const before = cache.picture({300, 200}, 1, origin, scene, overlay, paint).toImage();
        QCOMPARE(cache.picture({300, 200}, 1, origin, scene, overlay, paint).toImage(), before);
        paint.selected = {scene.nodes[1].id};
        QVERIFY(cache.picture({300, 200}, 1, origin, scene, overlay, paint).toImage() != before);
        paint.selected.clear();
        scene.nodes[1].rect.translate(30, 0);
        cache.invalidate();
        QVERIFY(cache.picture({300, 200}, 1, origin, scene, overlay, paint).toImage() != before);
    }
};

TW_REGISTER_TEST(TstSceneCache);
#include "tst_scene_cache.moc"
