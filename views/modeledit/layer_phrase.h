#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/layer_spec.h"

#include <QString>

#include <vector>

// Typed layers: "conv2d 64 3 relu", "dropout 0.5", "dense 128 relu > dense 10 softmax". The grammar contains no class names: numbers and
// words are assigned to arguments through the layer registry.
namespace tilewright::views {

/// phrase:   layer { ">" layer }
/// layer:    class { number | word | argument=value } [ "x" count ]
/// class:    as in Keras, ignoring case and underscores, or an unambiguous beginning; the name of an activation
///           that is not a class stands for an Activation layer; "input" for InputLayer
/// Numbers are assigned to numeric arguments in the registry's order, required ones first; a list takes all following ones. A word is an
/// activation or an allowed value of an argument. "name=…" names the layer. The diagnostic's subject is the unreadable part.
Result<std::vector<model::Layer>> parseLayerPhrase(QString const &text);

struct PhraseCompletion {
    QString line; ///< the whole phrase with the last word completed, and a space
    QString word; ///< the offered word
    QString hint; ///< its description
};
/// Completions of the last word; at most `most`.
std::vector<PhraseCompletion> completeLayerPhrase(QString const &text, int most = 12);
/// "Dense: units · activation · use_bias · …", the arguments of the layer being typed; "" before its class is known.
QString phraseSignature(QString const &text);

/// The spec for a typed class name; null: none, or ambiguous.
model::LayerSpec const *specFromWord(QString const &word);

/// A new layer of that class with usual values for required arguments. `input`: shape of its input (with the batch), empty if unknown;
/// `sample`: shape without batch for an input layer.
model::Layer starterLayer(model::LayerSpec const &spec, Shape const &input, Shape const &sample);
/// Classes that accept an output of this shape as their only or first input.
std::vector<model::LayerSpec const *> fittingLayers(Shape const &input);
/// "128 · relu": the important arguments that differ from their defaults, for one line of a node.
QString argumentSummary(model::Layer const &layer);

} // namespace tilewright::views
