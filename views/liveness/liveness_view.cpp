#include "views/liveness/liveness_view.h"

#include "views/liveness/liveness_widget.h"

namespace tilewright::views {

ViewDescriptor livenessView()
{
    return {"liveness",
            QT_TRANSLATE_NOOP("views", "Liveness"),
            "liveness",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+9")),
            [](Session &session, QWidget *parent) -> View * { return new LivenessWidget(session, parent); }};
}

} // namespace tilewright::views
