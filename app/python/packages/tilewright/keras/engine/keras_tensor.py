"""Symbolic tensors between layers, and the calls of layers that make them."""

from tilewright.tf import nest
from tilewright.tf.optable import SymbolicTensor
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import TensorOperators


class KerasTensor(TensorOperators, SymbolicTensor):
    """The output of a layer's call: shape and type, no value."""

    def __init__(self, spec, layer, node_index, tensor_index, name):
        self.type_spec = spec
        self._keras_history = (layer, node_index, tensor_index)
        self.name = name

    shape = property(lambda self: self.type_spec.shape)
    dtype = property(lambda self: self.type_spec.dtype)
    node = property(lambda self: self._keras_history[0]._inbound_nodes[self._keras_history[1]])

    def apply_op(self, op, inputs, attributes):
        """The operation as a layer."""
        from tilewright.keras.engine.symbolic_ops import apply

        return apply(op, inputs, attributes)

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other

    def __hash__(self):
        raise TypeError(f"{self!r} is not hashable. Use tensor.ref() as a key.")

    def __len__(self):
        raise TypeError(f"{self!r} has no value, so it has no len(). Its shape may tell the extent.")

    def __bool__(self):
        raise TypeError(f"{self!r} has no value: it cannot be true or false.")

    def __array__(self, dtype=None):
        raise TypeError(f"{self!r} has no value: it cannot become a numpy array.")

    def __repr__(self):
        layer = self._keras_history[0].name
        return f"<KerasTensor: shape={self.shape} dtype={self.dtype.name} (created by layer '{layer}')>"

    def __str__(self):
        layer = self._keras_history[0].name
        return (f"KerasTensor(type_spec={TensorSpec(self.shape, self.dtype)!r}, name={self.name!r}, "
                f"description=\"created by layer '{layer}'\")")


class Node:
    """One call of a layer."""

    def __init__(self, layer, inputs, kwargs, specs):
        self.layer = layer
        self.call_inputs = inputs            # a KerasTensor, or a nest of them
        self.inputs = nest.flatten(inputs) if inputs is not None else []
        self.kwargs = kwargs
        self.index = len(layer._inbound_nodes)
        self.pipeline_stage = None
        self.described = None                # (inputs, args, kwargs) of a call that Python describes
        layer._inbound_nodes.append(self)
        suffix = "" if self.index == 0 else f"_{self.index}"
        self.outputs = [KerasTensor(spec, layer, self.index, i, layer.output_name(i, suffix)) for i, spec in enumerate(specs)]

    @property
    def inbound_layers(self):
        return [tensor._keras_history[0] for tensor in self.inputs]
