#pragma once

#include "views/common/theme.h"
#include "views/modeledit/model_edits.h"

#include "engine/core/types.h"
#include "engine/project/project.h"

#include <QString>

#include <map>
#include <string>
#include <vector>

// The model as displayed by canvas and outline, including broken or incomplete models, with all known facts. The engine judges its validity
// (Document::problems).
namespace tilewright::views {

struct LayerInfo {
    std::string name, className;
    Token family = Token::FamilyOther;
    QString arguments; ///< "128 · relu"
    Shape shape;       ///< of the output, with the batch; empty: unknown
    DType type = DType::F32;
    std::int64_t parameters = 0;
    double multiplyAdds = 0;                                        ///< per sample, forward
    Bytes weightBytes = 0, optimizerBytes = 0, activationBytes = 0; ///< estimated, per micro-batch and replica
    int stage = -1;
    bool input = false, output = false;
    bool placeholder = false; ///< an unknown class
    Bytes bytes() const { return weightBytes + optimizerBytes + activationBytes; }
};

struct ModelGraph {
    struct Edge {
        int from = 0, to = 0; ///< rows of `layers`
        ModelEdge edge;
    };
    std::vector<LayerInfo> layers; ///< in the model's order
    std::vector<Edge> edges;
    std::map<std::string, int, std::less<>> rows; ///< by name
    std::int64_t parameters = 0;
    int stages = 0; ///< 0: not pipelined
    bool functional = false;
    int row(std::string const &name) const; ///< -1: no such layer
};
ModelGraph modelGraph(project::Project const &project);
/// Facts of a layer that would be added after an output of this shape (empty: unknown).
LayerInfo layerBehind(model::Layer const &layer, Shape const &input);

/// "28 × 28": the extents without the batch; "scalar" for none, "?" when not known.
QString shapeText(Shape const &shape);
/// "[None, 28, 28] float32"
QString exactShape(LayerInfo const &layer);
/// Name, class, shape, parameters and estimated bytes in sentences, for tooltips and accessibility.
QString layerText(LayerInfo const &layer);

} // namespace tilewright::views
