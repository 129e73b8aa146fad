"""Random tensors. The same seed gives the same script the same numbers; they are not TensorFlow's."""

import numpy as np

from tilewright.tf import dtypes
from tilewright.tf.dtypes import as_dtype
from tilewright.tf.functions import _ints
from tilewright.tf.tensor import EagerTensor, convert_to_tensor

_state = {"seed": None, "draws": 0}


def set_seed(seed):
    """Sets the global seed and starts the count of draws again."""
    _state["seed"] = int(seed)
    _state["draws"] = 0


def global_seed():
    """The seed that set_seed gave; None without one."""
    return _state["seed"]


def generator(seed=None):
    """The generator of the next draw: fixed by global seed, own seed and number of the draw; fresh if there is no seed."""
    _state["draws"] += 1
    if _state["seed"] is None and seed is None:
        return np.random.Generator(np.random.Philox())
    key = [_state["seed"] or 0, 0 if seed is None else int(seed) + 1, _state["draws"]]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(key)))


def _tensor(value, dtype):
    return EagerTensor(np.asarray(value).astype(as_dtype(dtype).as_numpy_dtype))


def uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    dtype = as_dtype(dtype)
    if dtype.is_integer:
        if maxval is None:
            raise ValueError(f"random.uniform: maxval must be given for the type {dtype.name}.")
        return _tensor(generator(seed).integers(int(minval), int(maxval), _ints(shape)), dtype)
    low = float(minval)
    high = 1.0 if maxval is None else float(maxval)
    return _tensor(low + (high - low) * generator(seed).random(_ints(shape)), dtype)


def normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    return _tensor(generator(seed).normal(float(mean), float(stddev), _ints(shape)), dtype)


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Values beyond two standard deviations are drawn again."""
    source = generator(seed)
    values = source.standard_normal(_ints(shape))
    while np.any(far := np.abs(values) > 2):
        values[far] = source.standard_normal(int(far.sum()))
    return _tensor(float(mean) + float(stddev) * values, dtype)


def shuffle(value, seed=None, name=None):
    tensor = convert_to_tensor(value)
    return EagerTensor(tensor._value[generator(seed).permutation(tensor.shape[0])], tensor.dtype)
