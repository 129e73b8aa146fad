#pragma once

#include <nlohmann/json.hpp>

/// For precompiled headers only. The templates of JSON documents are compiled once, in json_templates.cpp. Before, they took a third of the
/// compile time of two hundred files.
extern template class nlohmann::basic_json<>;
