"""Transformations by a function of the script."""

import itertools

import numpy as np

from tilewright.tf import nest
from tilewright.tf.data.dataset import INFINITE, UNKNOWN, Dataset, packed
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import convert_to_tensor


def call(function, spec, element):
    """The function on an element: a tuple becomes several arguments."""
    value = packed(spec, element)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return function(*value)
    return function(value)


def _result(value):
    """What a function returned as a nest of tensors: a list counts as a tuple."""
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(_result(part) for part in value)
    if isinstance(value, dict):
        return {key: _result(part) for key, part in value.items()}
    if value is None:
        raise TypeError("The function of Dataset.map returned None: it must return the new element.")
    return convert_to_tensor(value)


def _example(spec, unknown):
    """An element of zeros; unknown extents have the size `unknown`."""
    from tilewright.tf import dtypes

    result = []
    for leaf in nest.flatten(spec):
        shape = [unknown if extent is None else extent for extent in (leaf.shape if leaf.shape.rank is not None else ())]
        result.append(np.full(shape, b"", object) if leaf.dtype == dtypes.string else np.zeros(shape, leaf.dtype.as_numpy_dtype))
    return result


class MapDataset(Dataset):
    """The function's result for each element."""

    def __init__(self, source, function):
        if not callable(function):
            raise TypeError("Dataset.map needs a function.")
        self._source, self._function = source, function
        self._spec = None

    @property
    def element_spec(self):
        """Found by calling the function on zeros; where extents are unknown, with two sizes, which tells what follows them."""
        if self._spec is None:
            source = self._source.element_spec
            defined = all(leaf.shape.is_fully_defined() for leaf in nest.flatten(source))
            results = [_result(call(self._function, source, _example(source, size))) for size in ((2,) if defined else (2, 3))]
            self._spec = nest.map_structure(_common, *results)
        return self._spec

    def _length(self):
        return self._source._length()

    def _elements(self):
        spec = self._source.element_spec
        for element in self._source._elements():
            result = _result(call(self._function, spec, element))
            if self._spec is None:
                self._spec = self.element_spec
            yield [tensor._value for tensor in nest.flatten(result)]


def _common(first, *others):
    shape = list(first.shape)
    for other in others:
        if other.shape.rank != len(shape):
            return TensorSpec(None, first.dtype)
        shape = [a if a == b else None for a, b in zip(shape, other.shape)]
    return TensorSpec(shape, first.dtype)


class ParallelMapDataset(MapDataset):
    """The same as MapDataset: the results keep their order."""


class FilterDataset(Dataset):
    """The elements for which the function is true."""

    def __init__(self, source, predicate):
        self._source, self._predicate = source, predicate

    element_spec = property(lambda self: self._source.element_spec)

    def _length(self):
        return INFINITE if self._source._length() == INFINITE else UNKNOWN

    def _elements(self):
        spec = self._source.element_spec
        for element in self._source._elements():
            if bool(call(self._predicate, spec, element)):
                yield element


class InterleaveDataset(Dataset):
    """Elements of the data sets that the function makes, `block` from each of `cycle` in turn."""

    def __init__(self, source, function, cycle, block):
        self._source, self._function, self._cycle, self._block = source, function, cycle, block
        self._spec = None

    @property
    def element_spec(self):
        if self._spec is None:
            first = next(self._source._elements(), None)
            element = first if first is not None else _example(self._source.element_spec, 1)
            self._spec = self._inner(element).element_spec
        return self._spec

    def _inner(self, element):
        dataset = call(self._function, self._source.element_spec, element)
        if not isinstance(dataset, Dataset):
            raise TypeError(f"The function of flat_map and interleave must return a data set, not {dataset!r}.")
        return dataset

    def _length(self):
        return INFINITE if self._source._length() == INFINITE else UNKNOWN

    def _elements(self):
        sources = self._source._elements()
        open_ones = [self._inner(element)._elements() for element in itertools.islice(sources, self._cycle)]
        place = 0
        while open_ones:
            place %= len(open_ones)
            block = list(itertools.islice(open_ones[place], self._block))
            yield from block
            if len(block) < self._block:
                following = next(sources, None)
                if following is None:
                    del open_ones[place]
                    continue
                open_ones[place] = self._inner(following)._elements()
            place += 1
