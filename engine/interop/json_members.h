#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tilewright::interop {

/// The text under a key; "" if `json` is no object, or has another value there.
template <typename Document> std::string textIn(Document const &json, char const *key)
{
    if (!json.is_object()) return {};
    auto const found = json.find(key);
    return found != json.end() && found->is_string() ? found->template get<std::string>() : std::string();
}

} // namespace tilewright::interop
