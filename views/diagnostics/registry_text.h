#pragma once

#include <QString>

#include <string_view>

// What the engine's registries say in the language of the window: help of layers, arguments, options and so on, titles, units.
// The English is the engine's and stands there alone; translations are found by it. translations/registry_*.h show the texts
// to lupdate: tst_registry_text makes them of the registries and compares.
namespace tilewright::views {

/// A text of a registry; one that is none, or has no translation, stays as it is.
QString registryText(std::string_view english);
/// One with a place for a value, which may be a text of a registry too.
QString registryText(std::string_view english, std::string_view value);

} // namespace tilewright::views
