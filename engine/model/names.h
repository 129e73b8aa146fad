#pragma once

#include "engine/model/param.h"

namespace tilewright::model {

// Names become names of tensors, of entries of archives and of rows of reports: Limit::NameBytes bounds them where they are read.
// Errors are Invalid, "model.long-name".

/// `what` says whose name it is: "a layer".
Status checkName(std::string_view name, Message const &what);
/// All names in a document: keys, values of "name" and "class_name", and references to a layer's output.
Status checkNames(Json const &document);

} // namespace tilewright::model
