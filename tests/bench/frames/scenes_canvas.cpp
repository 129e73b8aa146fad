#include "tests/bench/frames/scene.h"

#include "views/canvas/canvas_view.h"
#include "views/canvas/canvas_widget.h"
#include "views/document/document.h"
#include "views/modeledit/model_edits.h"
#include "views/session/session.h"

#include "engine/model/layer_spec.h"

#include <cmath>

namespace tilewright::bench {

namespace {

/// The canvas of a model of 2,000 layers in twenty branches; owns its session.
class LargeCanvas : public QWidget {
public:
    LargeCanvas() : m_session(std::make_unique<views::Session>())
    {
        auto &document = m_session->document();
        (void)document.openTemplate(QStringLiteral("mnist-mlp"));
        (void)document
            .edit(QStringLiteral("large"),
                  [](project::Project &p) -> Status {
                      p.model = views::toFunctional(p.model);
                      for (int i = 0; i < 2000; ++i) {
                          model::Layer layer = model::makeLayer("ReLU", "r" + std::to_string(i));
                          layer.calls = {model::Call{{{i < 20 ? std::string("dense") : "r" + std::to_string(i - 20), 0, 0}}}};
                          p.model.layers.push_back(std::move(layer));
                      }
                      return {};
                  })
            .ok();
        m_view.reset(views::canvasView().create(*m_session, this));
        m_canvas = m_view->findChild<views::CanvasWidget *>();
        m_view->refreshNow();
    }
    ~LargeCanvas() override { m_view.reset(); }
    views::CanvasWidget &canvas() { return *m_canvas; }

protected:
    void resizeEvent(QResizeEvent *) override { m_view->setGeometry(rect()); }

private:
    std::unique_ptr<views::Session> m_session;
    std::unique_ptr<views::View> m_view;
    views::CanvasWidget *m_canvas = nullptr;
};

} // namespace

std::vector<Scene> canvasScenes()
{
    Scene scene;
    scene.name = QStringLiteral("canvas");
    scene.what = QStringLiteral("2,000 layers: panned over all at 100 %, then zoomed out to all and back");
    scene.make = [] { return std::make_unique<LargeCanvas>(); };
    scene.play = [](QWidget &widget, int frame) {
        auto &canvas = static_cast<LargeCanvas &>(widget).canvas();
        auto const bounds = canvas.scene().bounds;
        double const t = frame / 240.0;
        if (frame == 0) canvas.setZoom(1, {960, 540});
        if (t < 0.5)
            canvas.centreOn({bounds.center().x() + bounds.width() * 0.4 * std::sin(t * 12), bounds.top() + bounds.height() * t * 2});
        else canvas.setZoom(std::exp(std::log(0.03) * std::abs(std::sin((t - 0.5) * 6.28))), {960, 540});
        canvas.update();
    };
    return {scene};
}

} // namespace tilewright::bench
