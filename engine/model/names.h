#pragma once

#include "engine/model/param.h"

namespace tilewright::model {

// Names of layers also name tensors, archive entries and report rows. Readers therefore limit their length to Limit::NameBytes.
// Errors are Invalid, "model.long-name".

/// `what`: the kind of the named thing, for the message: "a layer".
Status checkName(std::string_view name, Message const &what);
/// All names in a document: keys, values of "name" and "class_name", and references to a layer's output.
Status checkNames(Json const &document);

} // namespace tilewright::model
