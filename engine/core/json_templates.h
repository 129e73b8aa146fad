#pragma once

#include <nlohmann/json.hpp>

/// For precompiled headers only. Documents of JSON are compiled once, in json_templates.cpp, and not in each of
/// the two hundred files that use one: that was a third of their compile time.
extern template class nlohmann::basic_json<>;
