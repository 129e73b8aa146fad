"""Variables that a script's own layers, metrics and optimizers make, and their first values."""

import zlib

import numpy as np

from tilewright.keras.configured import plain
from tilewright.tf import dtypes
from tilewright.tf.tensor import convert_to_tensor
from tilewright.tf.variable import Variable


def first_value(initializer, shape, dtype, name):
    """The first value of a weight: drawn by the engine from the seed and the weight's name, or what a function returns."""
    from tilewright.keras import initializers
    from tilewright.keras.training.fields import seed

    dtype = dtypes.as_dtype(dtype)
    initializer = initializers.get(initializer)
    if initializer is None:
        initializer = initializers.get("glorot_uniform" if dtype.is_floating else "zeros")
    if not hasattr(initializer, "keras_json") or _is_own(initializer):
        return np.array(convert_to_tensor(initializer(shape, dtype=dtype), dtype)._value)
    from tilewright.keras.engine.probe import initial_values

    values = initial_values(plain(initializer), shape, seed() + zlib.crc32(name.encode()))
    return values.astype(dtype.as_numpy_dtype)


def _is_own(initializer):
    return not type(initializer).__module__.startswith("tilewright.")


def make_weight(owner, name, shape, dtype, initializer, trainable):
    """A variable with the name "owner/name:0"."""
    shape = () if shape is None else (shape,) if isinstance(shape, int) else tuple(int(extent) for extent in shape)
    path = f"{owner}/{name}"
    return Variable(first_value(initializer, shape, dtype, path), trainable=trainable, name=path, dtype=dtype)
