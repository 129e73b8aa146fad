#pragma once

#include "engine/core/job_context.h"
#include "engine/interop/import.h"

#include <cstdint>
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

/// "words=80", "image=224,224"; "lambda=[64]", with or without the batch (null); "lambda=ReLU{"max_value": 6}". Errors: Usage "cli.value".
Result<Completion::Size> sizeFromText(std::string const &text);
Result<Completion::OutputShape> shapeFromText(std::string const &text);
Result<Completion::Replacement> replacementFromText(std::string const &text);

/// Completes a model that was read. First applies the answers. Then turns each layer that cannot be computed into a placeholder, with the
/// weights that the file keeps for it; an unknown output shape is taken from the weights of the layers behind it if these leave no choice.
/// A warning names each placeholder ("import.placeholder"). Errors (Invalid): model.no-layer, model.no-open-axis, and those of checkLayer
/// for a replacement.
Status complete(Imported &imported, Completion const &answers, JobContext const &job);

} // namespace tilewright::interop
