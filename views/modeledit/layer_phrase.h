#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/layer_spec.h"

#include <QString>

#include <vector>

// Layers as a person types them: "conv2d 64 3 relu", "dropout 0.5", "dense 128 relu > dense 10 softmax". The
// grammar knows no class by name: numbers and words find their arguments through the layer registry.
namespace tilewright::views {

/// phrase:   layer { ">" layer }
/// layer:    class { number | word | argument=value } [ "x" count ]
/// class:    as Keras writes it, in any case, with or without underscores, or so much of it that it is the only
///           one; an activation that is no class stands for an Activation layer; "input" for InputLayer
/// Numbers fill the arguments that take numbers in the registry's order, required ones first; a list takes all
/// that follow. A word is an activation or one of an argument's allowed values. "name=…" names the layer.
/// The diagnostic's subject is the piece that cannot be read.
Result<std::vector<model::Layer>> parseLayerPhrase(QString const &text);

struct PhraseCompletion {
    QString line; ///< the whole phrase with the last word completed, a space behind
    QString word; ///< what is offered
    QString hint; ///< what it is
};
/// What the last word may become; at most `most`.
std::vector<PhraseCompletion> completeLayerPhrase(QString const &text, int most = 12);
/// "Dense: units · activation · use_bias · …", the arguments of the layer being typed; "" before its class is known.
QString phraseSignature(QString const &text);

/// The spec a typed class name stands for; null: none, or several.
model::LayerSpec const *specFromWord(QString const &word);

/// A layer of that class to begin with: what Keras requires gets a usual value. `input` is the shape of what
/// will feed it (with the batch), empty when not known; `sample` the shape without batch for an input layer.
model::Layer starterLayer(model::LayerSpec const &spec, Shape const &input, Shape const &sample);
/// Classes that take an output of this shape as their only or first input.
std::vector<model::LayerSpec const *> fittingLayers(Shape const &input);
/// "128 · relu": the arguments that matter and differ from their defaults, for one line of a node.
QString argumentSummary(model::Layer const &layer);

} // namespace tilewright::views
