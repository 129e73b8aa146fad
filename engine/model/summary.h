#pragma once

#include "engine/model/resolve.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::model {

/// A penalty or a constraint of a layer.
struct SummaryLimit {
    std::string of;   ///< a weight, "kernel", or "output"; of an inner layer "layer/output"
    std::string text; ///< "L2(l2=0.01)"
    bool operator==(SummaryLimit const &) const = default;
};

struct SummaryRow {
    std::string name;
    std::string type;                 ///< class name; that behind a placeholder
    bool placeholder = false;         ///< the layer cannot be computed
    Shape outputShape;                ///< of the first call; batch -1 unless the input fixes it; empty: not known
    std::vector<Shape> furtherShapes; ///< of the outputs after the first
    bool severalShapes = false;       ///< the layer's calls have different shapes
    std::int64_t parameters = 0;
    int stage = -1;                        ///< of the first call
    std::vector<std::string> connectedTo;  ///< "dense[0][0]", functional models
    std::string within;                    ///< the enclosing models: "encoder", "outer/inner"; usually ""
    std::vector<SummaryLimit> penalties;   ///< in the loss
    std::vector<SummaryLimit> constraints; ///< of its weights, after each update
    bool operator==(SummaryRow const &) const = default;
};

struct Summary {
    std::string modelName;
    ModelKind kind = ModelKind::Sequential;
    bool chain = true;            ///< every layer feeds the next: printed without connections
    std::vector<SummaryRow> rows; ///< Keras's model.layers: no input layer in a Sequential
    /// Nested models: name, class, output shape (of the last call of their layers) and parameters.
    std::vector<SummaryRow> models;
    std::int64_t totalParameters = 0;
    std::int64_t trainableParameters = 0;
};

Summary summarize(ResolvedModel const &model);

/// The table of Keras 2.6's model.summary(): 65 columns for a chain, otherwise 98 with "Connected to". Then the
/// placeholders, the penalties and the constraints, if there are any. "?" stands for a shape that is not known.
std::string summaryText(Summary const &summary);

} // namespace tilewright::model
