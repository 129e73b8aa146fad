"""Data sets that begin a chain."""

import numpy as np

from tilewright.tf import dtypes, nest
from tilewright.tf.data.dataset import UNKNOWN, Dataset, spec_of, tensors_of
from tilewright.tf.dtypes import as_dtype
from tilewright.tf.shapes import TensorShape
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import convert_to_tensor


class TensorSliceDataset(Dataset):
    """The rows of arrays."""

    def __init__(self, tensors):
        arrays = tensors_of(tensors)
        self.rows = nest.flatten(arrays)
        for array in self.rows:
            if array.ndim == 0:
                raise ValueError("from_tensor_slices: a scalar has no rows.")
        counts = {len(array) for array in self.rows}
        if len(counts) > 1:
            raise ValueError(f"from_tensor_slices: the first dimensions must be equal, but they are {sorted(counts)}.")
        self._spec = nest.map_structure(lambda array: TensorSpec(array.shape[1:], as_dtype(array.dtype)), arrays)

    element_spec = property(lambda self: self._spec)

    def _length(self):
        return len(self.rows[0])

    def _chunks(self):
        yield np.arange(len(self.rows[0]))


class TensorDataset(Dataset):
    """One element."""

    def __init__(self, tensors):
        arrays = tensors_of(tensors)
        self._leaves = nest.flatten(arrays)
        self._spec = nest.map_structure(spec_of, arrays)

    element_spec = property(lambda self: self._spec)

    def _length(self):
        return 1

    def _elements(self):
        yield list(self._leaves)


class RangeDataset(Dataset):
    """Numbers from start to stop."""

    def __init__(self, bounds, output_type):
        self._range = range(*(int(bound) for bound in bounds))
        self._dtype = as_dtype(output_type)

    @property
    def element_spec(self):
        return TensorSpec((), self._dtype)

    def _length(self):
        return len(self._range)

    def _elements(self):
        for number in self._range:
            yield [np.asarray(number, self._dtype.as_numpy_dtype)]


class FlatMapDataset(Dataset):
    """The values of a Python generator; its class has TensorFlow's name for it."""

    def __init__(self, generator, output_types, output_shapes, args, output_signature):
        if not callable(generator):
            raise TypeError("from_generator: the generator must be callable; it is called once for each iteration.")
        if output_signature is not None:
            if output_types is not None or output_shapes is not None:
                raise ValueError("from_generator: output_signature stands for output_types and output_shapes; give one of the two.")
            self._spec = output_signature
        elif output_types is None:
            raise ValueError("from_generator: output_signature or output_types must be given.")
        else:
            types = nest.map_structure(as_dtype, output_types)
            leaves = nest.flatten(types)
            shapes = [TensorShape(None)] * len(leaves) if output_shapes is None else _shapes_like(types, output_shapes)
            self._spec = nest.pack_sequence_as(types, [TensorSpec(shape, dtype) for shape, dtype in zip(shapes, leaves)])
        self._generator = generator
        self._args = args or ()

    element_spec = property(lambda self: self._spec)

    def _length(self):
        return UNKNOWN

    def _elements(self):
        specs = nest.flatten(self._spec)
        for value in self._generator(*self._args):
            leaves = [value] if not nest.is_nested(self._spec) else nest.flatten(_like(self._spec, value))
            if len(leaves) != len(specs):
                raise TypeError(f"The generator yielded {len(leaves)} values where {len(specs)} were declared.")
            element = []
            for leaf, spec in zip(leaves, specs):
                array = convert_to_tensor(leaf, spec.dtype)._value if spec.dtype == dtypes.string else \
                    np.asarray(leaf, spec.dtype.as_numpy_dtype)
                if not spec.shape.is_compatible_with(array.shape):
                    raise ValueError(f"The generator yielded a value of shape {array.shape} where {spec.shape} was declared.")
                element.append(array)
            yield element


def _shapes_like(types, shapes):
    """The shapes of the leaves of `types`. Shapes are tuples themselves, so the types tell where a leaf is."""
    if isinstance(types, dict):
        return [shape for key in sorted(types) for shape in _shapes_like(types[key], shapes[key])]
    if isinstance(types, (tuple, list)):
        return [shape for part, inner in zip(types, shapes) for shape in _shapes_like(part, inner)]
    return [TensorShape(shapes)]


def _like(spec, value):
    """A yielded value as a nest of the form of `spec`: below its leaves, lists are arrays."""
    if isinstance(spec, dict):
        return {key: np.asarray(value[key]) if not nest.is_nested(spec[key]) else _like(spec[key], value[key]) for key in spec}
    if len(value) != len(spec):
        raise TypeError(f"The generator yielded {len(value)} values where {len(spec)} were declared.")
    return tuple(np.asarray(part) if not nest.is_nested(inner) else _like(inner, part) for inner, part in zip(spec, value))


