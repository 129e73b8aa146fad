#pragma once

#include "views/properties/property_spec.h"

// Reading, trying and writing fields of a project by their specs: what the table does, without widgets.
namespace tilewright::views {

struct PropertyValue {
    QString text;
    bool exists = true;
    bool varies = false; ///< the fields of one row differ; text is that of the first
    bool operator==(PropertyValue const &) const = default;
};

PropertyValue readProperty(project::Project const &project, PropertySpec const &spec);
/// Sets all fields of the row; on an error the project may be half changed, so hand a copy.
Status writeProperty(project::Project &project, PropertySpec const &spec, QString const &text, DiagnosticSink *sink = nullptr);
/// Back to the default, exactly: an engine option leaves the project. Requires: spec.hasDefault.
Status resetProperty(project::Project &project, PropertySpec const &spec);
/// True for a row that differs from its default; false for one that has none.
bool isChanged(PropertySpec const &spec, PropertyValue const &value);

} // namespace tilewright::views
