#pragma once

#include "engine/core/job_context.h"
#include "engine/interop/import.h"
#include "engine/model/placeholder.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::interop {

/// A person's answers about a model whose file leaves something open.
struct Completion {
    struct Size {
        std::string input;
        std::vector<std::int64_t> sizes; ///< of the open axes in order, or one for all
    };
    struct OutputShape {
        std::string layer;
        Shape shape; ///< of the first output, batch first
    };
    struct Replacement {
        std::string layer, className;
        model::Json config = model::Json::object();
    };
    std::vector<Size> sizes;
    std::vector<OutputShape> shapes;
    std::vector<Replacement> replacements;
};

/// A part of a model that its file leaves open, as a question to a person.
struct OpenPlace {
    enum class Kind { Size, Layer };
    Kind kind = Kind::Size;
    std::string name;                              ///< of the input or the layer
    std::string className;                         ///< in the file; empty: not known
    int axes = 0;                                  ///< Size: number of open axes; 0: not known
    Shape input;                                   ///< Layer: of its first input, batch first; empty: not known
    Shape output;                                  ///< batch first; of an input with -1 for open axes. Empty: not known
    std::vector<model::PlaceholderWeight> weights; ///< Layer: kept by the file
    bool operator==(OpenPlace const &) const = default;
};
/// The open axes of inputs, then the placeholders, each in the order of the model.
std::vector<OpenPlace> openPlaces(model::Model const &model);
/// The input whose size importModel() needs to read the file at all ("import.open-shape"); none for other errors.
std::optional<OpenPlace> openPlaceOf(Diagnostic const &error, std::string const &file);

/// "words=80", "image=224,224"; "lambda=[64]", with or without the batch (null); "lambda=ReLU{"max_value": 6}". Errors: Usage "cli.value".
Result<Completion::Size> sizeFromText(std::string const &text);
Result<Completion::OutputShape> shapeFromText(std::string const &text);
Result<Completion::Replacement> replacementFromText(std::string const &text);

/// Completes a model that was read. First applies the answers. Then turns each layer that cannot be computed into a placeholder, with the
/// weights that the file keeps for it; an unknown output shape is taken from the weights of the layers behind it if these leave no choice.
/// A warning names each placeholder ("import.placeholder"). Errors (Invalid): model.no-layer, model.no-open-axis, and those of checkLayer
/// for a replacement.
Status complete(Imported &imported, Completion const &answers, JobContext const &job);

/// importModel() with the sizes of the answers, then complete() with the rest.
Result<Imported> importCompleted(std::filesystem::path const &path, Completion const &answers, JobContext const &job);

} // namespace tilewright::interop
