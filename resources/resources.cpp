#include "resources/resources.h"

#include <QtCore/qresource.h>

// Outside any namespace: the macro declares the generated function where it stands.
static void initTilewrightResources() { Q_INIT_RESOURCE(tilewright); }

namespace tilewright {

void initResources() { initTilewrightResources(); }

} // namespace tilewright
