#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <QString>

#include <optional>

// The model's Keras JSON as text that people read and edit.
namespace tilewright::views {

struct TextPlace {
    int position = 0;         ///< in characters (UTF-16)
    int line = 1, column = 1; ///< as editors count
    bool operator==(TextPlace const &) const = default;
};

/// Indented, keys in Keras's order, short lists on one line.
QString modelJsonText(model::Model const &model);
/// `byte` counts the UTF-8 form from 1, as the engine's messages do.
TextPlace placeOfByte(QString const &text, std::size_t byte);
TextPlace placeOfPosition(QString const &text, int position);
/// Where the entry of a layer begins: its "class_name"; empty when it is not there.
std::optional<TextPlace> placeOfLayer(QString const &text, QString const &layer);
/// Where a diagnostic about this text points: a byte it names, the layer it names, else nothing.
std::optional<TextPlace> placeOfProblem(QString const &text, Diagnostic const &problem);

} // namespace tilewright::views
