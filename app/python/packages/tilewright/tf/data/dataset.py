"""The data set: what every source and transformation shares, and the methods that make new ones.

Inside, an element is the flat list of its components as numpy arrays. A data set that only chooses rows of arrays in memory
(slices, shuffled, repeated, taken) also tells which rows, so that a batch gathers all its rows at once.
"""

import numpy as np

from tilewright.tf import dtypes, nest
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import EagerTensor, convert_to_tensor

INFINITE = -1
UNKNOWN = -2


class Options:
    """Options of a data set. They change speed only, which the host decides for itself: they are kept and not read."""

    def __init__(self):
        self.__dict__["experimental_distribute"] = _OptionGroup()
        self.__dict__["experimental_optimization"] = _OptionGroup()
        self.__dict__["threading"] = self.__dict__["experimental_threading"] = _OptionGroup()
        self.experimental_deterministic = None
        self.deterministic = None

    def merge(self, other):
        merged = Options()
        merged.__dict__.update(other.__dict__)
        return merged


class _OptionGroup:
    pass


def number_of(value, what):
    """A count given as an int, a numpy integer or a scalar tensor."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be an integer, not {value!r}.")
    return value.__index__()


class Dataset:
    """A sequence of elements that starts anew with each iteration."""

    #: Arrays whose rows are the elements, for data sets that only choose rows; else None.
    rows = None

    # What each kind of data set defines ---------------------------------------------------------------------------------

    def _elements(self):
        """The elements as flat lists of arrays."""
        for chunk in self._chunks():
            for i in chunk:
                yield [array[i] for array in self.rows]

    def _chunks(self):
        """With `rows`: arrays of row numbers, together one iteration."""
        raise NotImplementedError

    def _length(self):
        """Number of elements, INFINITE or UNKNOWN."""
        raise NotImplementedError

    @property
    def element_spec(self):
        """The nest of TensorSpecs of an element."""
        raise NotImplementedError

    # Reading ------------------------------------------------------------------------------------------------------------

    def __iter__(self):
        from tilewright.ipu.strategy import current_strategy

        strategy = current_strategy()
        fixed = all(spec.shape.is_fully_defined() for spec in nest.flatten(self.element_spec))
        if strategy is not None and strategy.feeds_iterators and fixed:  # an IPU is fed with fixed shapes only: others stay on the host
            from tilewright.ipu.queues import OwnedIterator

            return OwnedIterator(self)
        return Iterator(self)

    def as_numpy_iterator(self):
        return (nest.map_structure(lambda tensor: tensor.numpy(), element) for element in self)

    def cardinality(self):
        return EagerTensor(np.asarray(self._length(), np.int64))

    def __len__(self):
        length = self._length()
        if length == INFINITE:
            raise TypeError("The data set is infinite: it has no length.")
        if length == UNKNOWN:
            raise TypeError("The length of the data set is unknown.")
        return length

    def __bool__(self):
        return True

    def __repr__(self):
        shapes = nest.map_structure(lambda spec: spec.shape, self.element_spec)
        types = nest.map_structure(lambda spec: spec.dtype, self.element_spec)
        return f"<{type(self).__name__} shapes: {_text(shapes, str)}, types: {_text(types, repr)}>"

    __str__ = __repr__

    def reduce(self, initial_state, reduce_func):
        state = nest.map_structure(convert_to_tensor, initial_state)
        for element in self:
            state = reduce_func(state, element)
        return state

    # Sources ------------------------------------------------------------------------------------------------------------

    @staticmethod
    def from_tensor_slices(tensors):
        """Rows of arrays of one length; a list becomes one tensor."""
        from tilewright.tf.data.sources import TensorSliceDataset

        return TensorSliceDataset(tensors)

    @staticmethod
    def from_tensors(tensors):
        """One element."""
        from tilewright.tf.data.sources import TensorDataset

        return TensorDataset(tensors)

    @staticmethod
    def from_generator(generator, output_types=None, output_shapes=None, args=None, output_signature=None):
        """The values that a Python generator yields."""
        from tilewright.tf.data.sources import FlatMapDataset

        return FlatMapDataset(generator, output_types, output_shapes, args, output_signature)

    @staticmethod
    def range(*args, output_type=dtypes.int64):
        from tilewright.tf.data.sources import RangeDataset

        return RangeDataset(args, output_type)

    @staticmethod
    def zip(datasets):
        """Elements side by side, as far as the shortest data set goes."""
        from tilewright.tf.data.joints import ZipDataset

        return ZipDataset(datasets)

    # Transformations ----------------------------------------------------------------------------------------------------

    def map(self, map_func, num_parallel_calls=None, deterministic=None):
        from tilewright.tf.data.mapped import MapDataset, ParallelMapDataset

        return (MapDataset if num_parallel_calls is None else ParallelMapDataset)(self, map_func)

    def filter(self, predicate):
        from tilewright.tf.data.mapped import FilterDataset

        return FilterDataset(self, predicate)

    def flat_map(self, map_func):
        from tilewright.tf.data.mapped import InterleaveDataset

        return InterleaveDataset(self, map_func, 1, 1)

    def interleave(self, map_func, cycle_length=None, block_length=None, num_parallel_calls=None, deterministic=None):
        from tilewright.tf.data.mapped import InterleaveDataset

        return InterleaveDataset(self, map_func, 1 if cycle_length in (None, -1) else number_of(cycle_length, "cycle_length"),
                                 1 if block_length is None else number_of(block_length, "block_length"))

    def batch(self, batch_size, drop_remainder=False, num_parallel_calls=None, deterministic=None):
        from tilewright.tf.data.joints import BatchDataset

        return BatchDataset(self, number_of(batch_size, "batch_size"), bool(drop_remainder))

    def unbatch(self):
        from tilewright.tf.data.joints import UnbatchDataset

        return UnbatchDataset(self)

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        from tilewright.tf.data.order import ShuffleDataset

        return ShuffleDataset(self, number_of(buffer_size, "buffer_size"), seed, reshuffle_each_iteration is not False)

    def repeat(self, count=None):
        from tilewright.tf.data.order import RepeatDataset

        return RepeatDataset(self, -1 if count is None else number_of(count, "count"))

    def take(self, count):
        from tilewright.tf.data.order import TakeDataset

        return TakeDataset(self, number_of(count, "count"))

    def skip(self, count):
        from tilewright.tf.data.order import SkipDataset

        return SkipDataset(self, number_of(count, "count"))

    def shard(self, num_shards, index):
        from tilewright.tf.data.order import ShardDataset

        return ShardDataset(self, number_of(num_shards, "num_shards"), number_of(index, "index"))

    def cache(self, filename=""):
        from tilewright.tf.data.order import CacheDataset

        return CacheDataset(self, filename)

    def prefetch(self, buffer_size):
        from tilewright.tf.data.order import PrefetchDataset

        return PrefetchDataset(self)

    def concatenate(self, dataset):
        from tilewright.tf.data.joints import ConcatenateDataset

        return ConcatenateDataset(self, dataset)

    def enumerate(self, start=0):
        count = np.iinfo(np.int64).max
        return Dataset.zip((Dataset.range(start, count), self))

    def apply(self, transformation_func):
        return transformation_func(self)

    def with_options(self, options):
        from tilewright.tf.data.order import OptionsDataset

        return OptionsDataset(self)

    def options(self):
        return Options()


def _text(structure, write):
    if isinstance(structure, dict):
        return "{" + ", ".join(f"{key}: {_text(part, write)}" for key, part in structure.items()) + "}"
    if isinstance(structure, (tuple, list)):
        inner = ", ".join(_text(part, write) for part in structure)
        return f"({inner},)" if len(structure) == 1 else f"({inner})"
    return write(structure)


def packed(spec, element):
    """An element as the nest of tensors that a script sees."""
    leaves = [value if isinstance(value, EagerTensor) else EagerTensor(np.asarray(value), leaf.dtype)
              for value, leaf in zip(element, nest.flatten(spec))]
    return nest.pack_sequence_as(spec, leaves)


class Iterator:
    """One pass over a data set."""

    def __init__(self, dataset):
        self._dataset = dataset
        self._elements = dataset._elements()
        self.element_spec = dataset.element_spec

    def __iter__(self):
        return self

    def __next__(self):
        return packed(self.element_spec, next(self._elements))

    def get_next(self):
        """The next element; OutOfRangeError at the end."""
        try:
            return next(self)
        except StopIteration:
            from tilewright.tf.errors import OutOfRangeError

            raise OutOfRangeError(None, None, "The end of the data set was reached.") from None


def spec_of(array):
    return TensorSpec(array.shape, dtypes.as_dtype(array.dtype))


def tensors_of(structure):
    """A nest given by a script, with lists as tensors: (nest of arrays, its leaves)."""
    if isinstance(structure, dict):
        return type(structure)((key, tensors_of(part)) for key, part in structure.items())
    if isinstance(structure, tuple):
        parts = [tensors_of(part) for part in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)
    if isinstance(structure, np.ndarray) and structure.dtype.kind in "biufc":
        return structure
    return convert_to_tensor(structure)._value
