#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <QString>

#include <optional>

// The model's Keras JSON as text for reading and editing.
namespace tilewright::views {

struct TextPlace {
    int position = 0;         ///< in characters (UTF-16)
    int line = 1, column = 1; ///< as editors count
    bool operator==(TextPlace const &) const = default;
};

/// Indented, keys in Keras's order, short lists on one line.
QString modelJsonText(model::Model const &model);
/// `byte` counts the UTF-8 form from 1, as in the engine's messages.
TextPlace placeOfByte(QString const &text, std::size_t byte);
TextPlace placeOfPosition(QString const &text, int position);
/// Start of the entry of a layer: its "class_name"; nullopt if missing.
std::optional<TextPlace> placeOfLayer(QString const &text, QString const &layer);
/// The place of a diagnostic in this text: its byte, its layer, or none.
std::optional<TextPlace> placeOfProblem(QString const &text, Diagnostic const &problem);

} // namespace tilewright::views
