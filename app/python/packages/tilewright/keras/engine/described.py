"""Layers that Python describes: a call of operations and weights, which no layer of the engine computes.

In a network such a call is one node. Its shapes come from tracing it once into a graph that is thrown away; in a run it is traced
into the program of the device.
"""

from tilewright.keras.engine.keras_tensor import Node
from tilewright.keras.engine.own_call import PHASE, call
from tilewright.missing import not_yet
from tilewright.tf import nest
from tilewright.tf.optable import SymbolicTensor
from tilewright.tf.specs import TensorSpec

#: Samples of the batch in which shapes are found out. An output has the batch where its first extent is this one.
_PROBED = 61


def node_of(layer, inputs, args, kwargs):
    """One symbolic call of the layer; returns its outputs."""
    tensors = [leaf for leaf in nest.flatten([inputs, list(args), kwargs]) if isinstance(leaf, SymbolicTensor)]
    specs, form = shapes_of(layer, inputs, args, kwargs)
    node = Node(layer, tensors, {}, specs)
    node.described = (inputs, args, kwargs)
    from tilewright.ipu.pipelining import current_stage

    node.pipeline_stage = current_stage() if current_stage() is not None else layer._stage
    return nest.pack_sequence_as(form, node.outputs) if nest.is_nested(form) else node.outputs[0]


def shapes_of(layer, inputs, args=(), kwargs=None):
    """Specs of the outputs for symbolic inputs or specs, and the form of the outputs."""
    from tilewright.trace.context import Tracing
    from tilewright.trace.graph import FunctionGraph, device_type

    graph = FunctionGraph("shapes")
    symbols = {}

    def traced(leaf):
        if not isinstance(leaf, (SymbolicTensor, TensorSpec)):
            return leaf
        if id(leaf) not in symbols:
            extents = [_PROBED if extent is None and axis == 0 else extent for axis, extent in enumerate(leaf.shape)]
            if None in extents:
                raise not_yet(f"the layer {layer.name} on a tensor of the shape {leaf.shape}, in which more than the batch is open")
            number = graph.raw.read(graph.raw.variable(f"x_{len(symbols)}", extents, device_type(leaf.dtype, layer.name)))
            symbols[id(leaf)] = graph.traced(number, TensorSpec(extents, leaf.dtype))
        return symbols[id(leaf)]

    with Tracing(graph):
        arguments = _replaced([inputs, list(args), dict(kwargs or {})], traced)
        result = computed(layer, *arguments, training=False)
        outputs = [graph.lift(leaf) for leaf in nest.flatten(result)]
    specs = [TensorSpec([None if axis == 0 and extent == _PROBED else extent for axis, extent in enumerate(output.shape)], output.dtype)
             for output in outputs]
    return specs, result


def computed(layer, inputs, args, kwargs, training):
    """The call with its statements converted, on traced tensors."""
    from tilewright.trace.autograph import convert

    kwargs = {key: training if value is PHASE else value for key, value in kwargs.items()}
    kwargs.setdefault("training", training)
    return call(layer, inputs, args, kwargs, convert(layer.call))


def run_network(network, leaves, training):
    """The outputs of a network for traced inputs, one call after the other."""
    values = {id(tensor): leaf for tensor, leaf in zip(network.inputs, leaves)}

    def known(leaf):
        return values[id(leaf)] if isinstance(leaf, SymbolicTensor) else leaf

    for node in network.calls():
        if id(node.outputs[0]) in values:
            continue
        if node.described is not None:
            made = computed(node.layer, *_replaced(list(node.described), known), training=training)
        else:
            made = node.layer(_replaced(node.call_inputs, known), **{"training": training, **node.kwargs})
        values.update((id(tensor), value) for tensor, value in zip(node.outputs, nest.flatten(made)))
    return [values[id(tensor)] for tensor in network.outputs]


def _replaced(structure, function):
    if isinstance(structure, dict):
        return {key: _replaced(part, function) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)):
        return type(structure)(_replaced(part, function) for part in structure) if not hasattr(structure, "_fields") else \
            type(structure)(*(_replaced(part, function) for part in structure))
    return function(structure)
