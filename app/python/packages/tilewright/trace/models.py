"""Keras models and layers called inside a function: the engine's own layers become part of its graph."""

import json

from tilewright.missing import not_yet
from tilewright.tf import nest
from tilewright.tf.errors import from_engine
from tilewright.trace.context import current


def is_traced(inputs):
    """Whether a call belongs to the function that is being traced."""
    from tilewright.trace.tensor import TracedTensor

    return current() is not None and any(isinstance(leaf, TracedTensor) for leaf in nest.flatten(inputs))


def call_model(model, inputs, training):
    """The outputs of a model for traced inputs, in the form of its outputs."""
    from tilewright.keras.engine.described import computed, run_network
    from tilewright.trace.additions import forget

    leaves = [current().lift(leaf) for leaf in nest.flatten(inputs)]
    model._build_for([leaf.shape for leaf in leaves], [leaf.dtype for leaf in leaves])
    model.ensure_weights()
    forget(model.all_layers())
    if not model.built_symbolically():
        if not model._own:
            raise NotImplementedError(f"The model {model.name} has no `call`.")
        return computed(model, inputs, (), {}, bool(training))
    if model.network().described():
        return nest.pack_sequence_as(model.network().output_nest, run_network(model.network(), leaves, bool(training)))
    outputs = _append(model.project(), model.network().layers, leaves, bool(training), [tensor.dtype for tensor in model.outputs])
    return nest.pack_sequence_as(model.network().output_nest, outputs)


def _append(project, layers, inputs, training, dtypes):
    import _tilewright

    graph = current()
    try:
        numbers = graph.raw.model(project, [tensor.number for tensor in inputs], training)
    except _tilewright.Error as error:
        raise from_engine(error) from None
    for layer in layers:
        for row, variable in zip(layer._rows or [], layer.weights):
            graph.adopt(variable, f"{layer.name}/{row['key']}")
            if training and not row["trainable"]:
                graph.written[id(variable)] = variable  # moving statistics
    return [graph.result(number, dtype) for number, dtype in zip(numbers, dtypes)]


def call_layer(layer, inputs, training, facts, document):
    """The outputs of one layer for traced inputs. `document`: the model of this layer alone."""
    import _tilewright

    if facts is None:
        raise not_yet(f"the layer {type(layer).__name__} inside a tf.function")
    leaves = [current().lift(leaf) for leaf in nest.flatten(inputs)]
    project = _tilewright.Project.from_keras(json.dumps(document))
    outputs = _append(project, [layer], leaves, bool(training), [spec.dtype for spec in facts.outputs])
    return outputs[0] if len(outputs) == 1 else outputs
