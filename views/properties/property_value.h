#pragma once

#include "views/properties/property_spec.h"

// Reading, trying and writing project fields by their specs, without widgets.
namespace tilewright::views {

struct PropertyValue {
    QString text;
    bool exists = true;
    bool varies = false; ///< the fields of the row differ; `text` is the first one
    bool operator==(PropertyValue const &) const = default;
};

PropertyValue readProperty(project::Project const &project, PropertySpec const &spec);
/// Sets all fields of the row. After an error the project may be partly changed: pass a copy.
Status writeProperty(project::Project &project, PropertySpec const &spec, QString const &text, DiagnosticSink *sink = nullptr);
/// Restores the default exactly: an engine option is removed from the project. Requires: spec.hasDefault.
Status resetProperty(project::Project &project, PropertySpec const &spec);
/// Whether a row differs from its default; false without a default.
bool isChanged(PropertySpec const &spec, PropertyValue const &value);

} // namespace tilewright::views
