#include "views/memory/memory_view.h"

#include "views/memory/memory_widget.h"

namespace tilewright::views {

ViewDescriptor memoryView()
{
    return {"memory",
            QT_TRANSLATE_NOOP("views", "Memory"),
            "memory",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+8")),
            [](Session &session, QWidget *parent) -> View * { return new MemoryWidget(session, parent); }};
}

} // namespace tilewright::views
