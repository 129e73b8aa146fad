"""Operations of TensorFlow on symbolic Keras tensors: each becomes the layer of the engine that computes the same.

Keras makes a layer named after the function (tf.concat, tf.__operators__.add); so does this. An operation without such a layer is
a layer that Python describes (`described`).
"""

from tilewright.keras.naming import unique_name
from tilewright.missing import not_yet
from tilewright.tf import nest
from tilewright.tf.optable import SymbolicTensor

#: Two tensors of one shape: row of the table -> (layer, Keras's name)
_PAIRS = {"Add": ("Add", "tf.__operators__.add"), "Sub": ("Subtract", "tf.math.subtract"), "Mul": ("Multiply", "tf.math.multiply"),
          "Maximum": ("Maximum", "tf.math.maximum"), "Minimum": ("Minimum", "tf.math.minimum")}
#: Elementwise functions of one tensor: row -> (activation, Keras's name)
_ACTIVATIONS = {"Relu": ("relu", "tf.nn.relu"), "Sigmoid": ("sigmoid", "tf.math.sigmoid"), "Tanh": ("tanh", "tf.math.tanh"),
                "Exp": ("exponential", "tf.math.exp"), "Softplus": ("softplus", "tf.math.softplus"), "Elu": ("elu", "tf.nn.elu"),
                "Selu": ("selu", "tf.nn.selu"), "Softsign": ("softsign", "tf.nn.softsign")}


def apply(op, inputs, attributes):
    """The symbolic result of a row of the table."""
    tensors = [part for value in inputs for part in (value if isinstance(value, (list, tuple)) else [value])]
    layer = _layer(op.name, tensors, attributes) if all(isinstance(tensor, SymbolicTensor) for tensor in tensors) else None
    if layer is None:
        return _described(op, inputs, attributes)
    return layer if isinstance(layer, SymbolicTensor) else layer(tensors[0] if len(tensors) == 1 else tensors)


def _make(name, kind, *args, **kwargs):
    from tilewright.keras import layers

    return getattr(layers, kind)(*args, name=unique_name(name), **kwargs)


def _layer(row, tensors, attributes):
    """The layer for an operation, the tensor itself where nothing changes, or None."""
    first = tensors[0]
    shape = list(first.shape)
    if row in _PAIRS and len(tensors) == 2:
        if first.shape != tensors[1].shape:
            return None
        return _make(_PAIRS[row][1], _PAIRS[row][0])
    if row in _ACTIVATIONS:
        return _make(_ACTIVATIONS[row][1], "Activation", _ACTIVATIONS[row][0])
    if row == "Softmax":
        return _make("tf.nn.softmax", "Softmax", axis=attributes["axis"])
    if row == "Concat":
        return _make("tf.concat", "Concatenate", axis=attributes["axis"]) if len(tensors) > 1 else first
    if row == "Identity":
        return first
    if row == "Cast" and attributes["dtype"] == first.dtype:
        return first
    if row == "Reshape" and attributes["shape"][0] in (-1, shape[0]):
        return _make("tf.reshape", "Reshape", attributes["shape"][1:])
    if row == "Transpose" and attributes["perm"] is not None and attributes["perm"][0] == 0:
        return _make("tf.transpose", "Permute", attributes["perm"][1:])
    if row == "Slice":
        return _slice(first, shape, attributes["key"])
    return _changed_axes(row, shape, attributes)


def _described(op, inputs, attributes):
    """The operation as a layer that computes nothing else."""
    from tilewright.keras.engine.described import node_of
    from tilewright.keras.layers.own import OperationLayer
    from tilewright.trace.lowering import ROWS

    if op.name not in ROWS:
        raise not_yet(f"the operation {op.name} on a symbolic Keras tensor", "Use a layer that computes it.")
    name = op.name.lower()
    return node_of(OperationLayer(op, attributes, name=unique_name(f"tf.{name}")), list(inputs), (), {})


def _changed_axes(row, shape, attributes):
    if None in shape[1:]:
        return None
    if row == "ExpandDims":
        axis = attributes["axis"] % (len(shape) + 1)
        if axis:
            return _make("tf.expand_dims", "Reshape", [*shape[1:axis], 1, *shape[axis:]])
    if row == "Squeeze" and attributes["axis"] is not None:
        axes = {axis % len(shape) for axis in nest.flatten(attributes["axis"])}
        if 0 not in axes and all(shape[axis] == 1 for axis in axes):
            return _make("tf.squeeze", "Reshape", [extent for i, extent in enumerate(shape) if i and i not in axes])
    if row == "Mean":
        spatial = tuple(range(1, len(shape) - 1))
        axes = tuple(sorted(axis % len(shape) for axis in nest.flatten(attributes["axis"]))) if attributes["axis"] is not None else ()
        if spatial and axes == spatial and len(spatial) <= 3:
            return _make("tf.math.reduce_mean", f"GlobalAveragePooling{len(spatial)}D", keepdims=attributes["keepdims"])
    return None


def _slice(tensor, shape, key):
    """A part of the second axis of three, or one step of it."""
    if len(shape) != 3 or shape[1] is None or any(part is None or part is Ellipsis for part in key):
        return None
    parts = [*key, *[slice(None)] * (3 - len(key))]
    if parts[0] != slice(None) or parts[2] != slice(None):
        return None
    if isinstance(parts[1], int):
        start = parts[1] % shape[1]
        step = _make("tf.__operators__.getitem", "Cropping1D", (start, shape[1] - start - 1))(tensor)
        return _make("tf.squeeze", "Reshape", [shape[2]])(step)
    start, stop, step = parts[1].indices(shape[1])
    if step != 1 or stop <= start:
        return None
    return _make("tf.__operators__.getitem", "Cropping1D", (start, shape[1] - stop))
