#include "engine/core/json_templates.h"

template class nlohmann::basic_json<>;
