"""Transformations that join elements: batches and data sets side by side or one after the other."""

import itertools

import numpy as np

from tilewright.tf import nest
from tilewright.tf.data.dataset import INFINITE, UNKNOWN, Dataset
from tilewright.tf.specs import TensorSpec


class BatchDataset(Dataset):
    """Elements stacked, `size` at a time."""

    def __init__(self, source, size, drop_remainder):
        if size < 1:
            raise ValueError(f"batch: batch_size is {size}; it must be 1 or more.")
        self._source, self._size, self._drop = source, size, drop_remainder

    @property
    def element_spec(self):
        size = self._size if self._drop else None
        return nest.map_structure(lambda spec: TensorSpec((size, *spec.shape) if spec.shape.rank is not None else None, spec.dtype),
                                  self._source.element_spec)

    def _length(self):
        length = self._source._length()
        return length if length < 0 else length // self._size if self._drop else -(-length // self._size)

    def _elements(self):
        if self._source.rows is not None:
            yield from self._gathered()
            return
        source = self._source._elements()
        while True:
            group = list(itertools.islice(source, self._size))
            if not group or (len(group) < self._size and self._drop):
                return
            yield [_stacked(parts) for parts in zip(*group)]

    def _gathered(self):
        left = np.zeros(0, np.int64)
        for chunk in self._source._chunks():
            numbers = np.concatenate([left, chunk]) if len(left) else chunk
            whole = len(numbers) - len(numbers) % self._size
            for start in range(0, whole, self._size):
                yield [array[numbers[start:start + self._size]] for array in self._source.rows]
            left = numbers[whole:]
        if len(left) and not self._drop:
            yield [array[left] for array in self._source.rows]


def _stacked(parts):
    try:
        return np.stack([np.asarray(part) for part in parts])
    except ValueError:
        from tilewright.tf.errors import invalid

        shapes = sorted({np.shape(part) for part in parts})
        raise invalid(f"batch: the elements have different shapes: {shapes}.") from None


class UnbatchDataset(Dataset):
    """The rows of the source's elements."""

    def __init__(self, source):
        self._source = source

    @property
    def element_spec(self):
        return nest.map_structure(lambda spec: TensorSpec(spec.shape[1:], spec.dtype), self._source.element_spec)

    def _length(self):
        return INFINITE if self._source._length() == INFINITE else UNKNOWN

    def _elements(self):
        for element in self._source._elements():
            for i in range(len(element[0])):
                yield [part[i] for part in element]


class ZipDataset(Dataset):
    """The elements of several data sets side by side."""

    def __init__(self, datasets):
        self._nest = datasets
        self._parts = nest.flatten(datasets)
        for part in self._parts:
            if not isinstance(part, Dataset):
                raise TypeError(f"Dataset.zip takes a nest of data sets, not {part!r}.")

    @property
    def element_spec(self):
        return nest.pack_sequence_as(self._nest, [part.element_spec for part in self._parts])

    def _length(self):
        lengths = [part._length() for part in self._parts]
        if UNKNOWN in lengths:
            return UNKNOWN
        known = [length for length in lengths if length >= 0]
        return min(known) if known else INFINITE

    def _elements(self):
        for elements in zip(*(part._elements() for part in self._parts)):
            yield [leaf for element in elements for leaf in element]


class ConcatenateDataset(Dataset):
    """One data set after the other."""

    def __init__(self, first, second):
        nest.assert_same_structure(first.element_spec, second.element_spec)
        for a, b in zip(nest.flatten(first.element_spec), nest.flatten(second.element_spec)):
            if a.dtype != b.dtype:
                raise TypeError(f"concatenate: the data sets have the types {a.dtype.name} and {b.dtype.name}.")
        self._both = (first, second)

    @property
    def element_spec(self):
        def common(a, b):
            same_rank = a.shape.rank == b.shape.rank and a.shape.rank is not None
            shape = [x if x == y else None for x, y in zip(a.shape, b.shape)] if same_rank else None
            return TensorSpec(shape, a.dtype)
        return nest.map_structure(common, *(part.element_spec for part in self._both))

    def _length(self):
        lengths = [part._length() for part in self._both]
        return INFINITE if INFINITE in lengths else UNKNOWN if UNKNOWN in lengths else sum(lengths)

    def _elements(self):
        return itertools.chain.from_iterable(part._elements() for part in self._both)
