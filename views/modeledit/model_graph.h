#pragma once

#include "views/common/theme.h"
#include "views/modeledit/model_edits.h"

#include "engine/core/types.h"
#include "engine/project/project.h"

#include <QString>

#include <map>
#include <string>
#include <vector>

// The model as canvas and outline show it: also one that is broken or half built, of which it tells as much as
// can be known. Whether a model is sound, the engine says (Document::problems).
namespace tilewright::views {

struct LayerInfo {
    std::string name, className;
    Token family = Token::FamilyOther;
    QString arguments; ///< "128 · relu"
    Shape shape;       ///< of the output, with the batch; empty: not known
    DType type = DType::F32;
    std::int64_t parameters = 0;
    double multiplyAdds = 0;                                        ///< per sample, forward
    Bytes weightBytes = 0, optimizerBytes = 0, activationBytes = 0; ///< estimated, per micro-batch and replica
    int stage = -1;
    bool input = false, output = false;
    bool placeholder = false; ///< a class the program does not know
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
/// What a layer that is not in the model would be behind an output of this shape (empty: not known).
LayerInfo layerBehind(model::Layer const &layer, Shape const &input);

/// "28 × 28": the extents without the batch; "scalar" for none, "?" when not known.
QString shapeText(Shape const &shape);
/// "[None, 28, 28] float32"
QString exactShape(LayerInfo const &layer);
/// Name, class, shape, parameters and estimated bytes in sentences: tooltips, accessible texts.
QString layerText(LayerInfo const &layer);

} // namespace tilewright::views
