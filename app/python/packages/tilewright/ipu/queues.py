"""Infeed and outfeed queues, and the iterators of data sets on the IPU."""

import numpy as np

from tilewright.tf import dtypes, errors, nest
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import EagerTensor
from tilewright.trace.context import current
from tilewright.trace.graph import DEVICE, device_type
from tilewright.trace.loops import Operation


class _Feed:
    """Elements of a data set that a program takes."""

    def __init__(self, dataset, what):
        self._dataset, self._what = dataset, what
        self._iterator = None
        self.element_spec = dataset.element_spec
        for spec in nest.flatten(self.element_spec):
            if not spec.shape.is_fully_defined():
                raise ValueError(f"{what}: the shape {spec.shape} of an element is not known. Use batch(…, drop_remainder=True).")

    def begin(self):
        self._iterator = self._dataset._elements()

    def next_arrays(self):
        """The next element as arrays of the device's types. Called by the running program."""
        if self._iterator is None:
            self.begin()
        try:
            element = next(self._iterator)
        except StopIteration:
            raise errors.OutOfRangeError(None, None, f"{self._what}: the data set has ended inside of a program. Use repeat().") from None
        return [np.array(array, DEVICE.get(spec.dtype.name, "float32"), order="C")
                for array, spec in zip(element, nest.flatten(self.element_spec))]

    def take_traced(self):
        """The element of a pass, as tensors of the function that is being traced."""
        from tilewright.trace.function import NeedsStreams

        graph = current()
        if getattr(graph, "arguments_fed", False):
            raise NeedsStreams()
        leaves = [TensorSpec(spec.shape, dtypes.float32 if spec.dtype == dtypes.float64 else spec.dtype)
                  for spec in nest.flatten(self.element_spec)]
        graph.infeed_of = self
        numbers = graph.raw.infeed([(f"element_{i}", list(spec.shape), device_type(spec.dtype, self._what)) for i, spec in enumerate(leaves)])
        return nest.pack_sequence_as(self.element_spec, [graph.traced(number, spec) for number, spec in zip(numbers, leaves)])


class OwnedIterator(_Feed):
    """iter(dataset) in the scope of a strategy: next() belongs into a tf.function, and the position stays between runs."""

    def __init__(self, dataset):
        super().__init__(dataset, "iterator")

    def __iter__(self):
        return self

    def __next__(self):
        if current() is None:
            raise RuntimeError("An iterator of the IPU is read inside a tf.function only. Create the strategy with "
                               "enable_dataset_iterators=False to iterate on the host.")
        return self.take_traced()

    get_next = __next__


class IPUInfeedQueue(_Feed):
    """A queue of elements that loops.repeat takes."""

    def __init__(self, dataset, device_ordinal=None, prefetch_depth=None, **kwargs):
        super().__init__(dataset, "IPUInfeedQueue")

    @property
    def initializer(self):
        self.begin()
        return Operation()

    @property
    def deleter(self):
        self._iterator = None
        return Operation()


class IPUOutfeedMode:
    """Which elements dequeue returns."""

    ALL = "all"
    LAST = "get_last"


class IPUOutfeedQueue:
    """Elements that a program sends."""

    def __init__(self, outfeed_mode=None, device_ordinal=None, buffer_depth=1, **kwargs):
        mode = getattr(outfeed_mode, "value", outfeed_mode)
        self._last = mode == IPUOutfeedMode.LAST
        self._form = None
        self._specs = None
        self._waiting = []

    @property
    def enqueued(self):
        graph = current()
        return self._form is not None if graph is None else graph.outfeed_of is self

    def enqueue(self, tensors):
        """Sends tensors: one, or a structure."""
        graph = current()
        if graph is None:
            raise errors.FailedPreconditionError(None, None, "enqueue belongs into a tf.function.")
        if graph.outfeed_of is self:
            raise ValueError("An outfeed queue is enqueued once in a function.")
        if graph.outfeed_of is not None:
            from tilewright.missing import not_yet

            raise not_yet("a second outfeed queue in one function", "Enqueue a dict or tuple of all tensors.")
        leaves = [graph.lift(leaf) for leaf in nest.flatten(tensors)]
        graph.outfeed_of = self
        graph.raw.outfeed([leaf.number for leaf in leaves], [f"element_{i}" for i in range(len(leaves))])
        self._form = nest.map_structure(lambda leaf: None, tensors) if nest.is_nested(tensors) else None
        self._nested, self._specs = nest.is_nested(tensors), [leaf.spec for leaf in leaves]
        self._form = self._form if self._nested else ()
        return Operation()

    def receive(self, elements):
        """What a run has sent."""
        self._waiting.extend(elements)

    def _packed(self, leaves):
        tensors = [EagerTensor(np.asarray(leaf).astype(spec.dtype.as_numpy_dtype), spec.dtype) for leaf, spec in zip(leaves, self._specs)]
        return nest.pack_sequence_as(self._form, tensors) if self._nested else tensors[0]

    def dequeue(self, wait_for_completion=False):
        """All elements since the last dequeue, stacked; with LAST the newest alone."""
        if self._form is None:
            return []
        taken, self._waiting = self._waiting, []
        if self._last:
            return self._packed(taken[-1]) if taken else []
        stacked = [np.stack([element[i] for element in taken]) if taken else
                   np.zeros((0, *spec.shape), spec.dtype.as_numpy_dtype) for i, spec in enumerate(self._specs)]
        return self._packed(stacked)

    def __len__(self):
        return len(self._waiting)

    def __iter__(self):
        if self._last:
            raise RuntimeError("An outfeed queue with the mode LAST cannot be iterated.")
        return self

    def __next__(self):
        if not self._waiting:
            raise StopIteration
        return self._packed(self._waiting.pop(0))
