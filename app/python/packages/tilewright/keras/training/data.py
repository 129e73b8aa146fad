"""Data of fit, evaluate and predict as arrays for the engine.

Arrays of the script are handed over as they are. A data set is read for one epoch into one array for each component; the next
epoch fills the same arrays.
"""

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import nest
from tilewright.tf.data.dataset import INFINITE, UNKNOWN, Dataset
from tilewright.tf.log import get_logger

#: Types that an IPU is not fed with, and what they become.
_NARROWED = {"float64": np.float32, "int64": np.int32, "uint32": np.int32, "int16": np.int32, "int8": np.int32, "uint16": np.int32,
             "bool": np.int32}


def narrowed(array):
    """The array in a type that the engine takes."""
    return np.ascontiguousarray(array, _NARROWED.get(array.dtype.name, array.dtype))


def as_array(value):
    if isinstance(value, (list, tuple)) or hasattr(value, "_read_tensor") or hasattr(value, "_value"):
        return np.asarray(value)
    return value if isinstance(value, np.ndarray) else np.asarray(value)


def lists_as_arrays(structure):
    """A nest with lists of numbers as arrays: only lists of arrays are several components."""
    if isinstance(structure, dict):
        return {key: lists_as_arrays(part) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)) and structure and not hasattr(structure[0], "shape") and not isinstance(structure[0], dict):
        return np.asarray(structure)
    return structure


class Roles:
    """Which components of an element are inputs, labels and weights of samples."""

    def __init__(self, model):
        self._model = model

    def split(self, element):
        """(x, y, weight) of an element of a data set, each a nest or None."""
        if isinstance(element, list):
            element = tuple(element)
        if not isinstance(element, tuple):
            return element, None, None
        if len(element) not in (1, 2, 3):
            raise ValueError(f"An element of the data set must be x, (x, y) or (x, y, weight); it has {len(element)} parts.")
        return (*element, None, None)[:3]

    def named(self, structure, names, what):
        """The leaves of a nest by the names of inputs or outputs, in the order of the names."""
        if isinstance(structure, dict):
            missing = [name for name in names if name not in structure]
            if missing:
                raise ValueError(f"The {what} have the names {sorted(structure)}, but the model needs {missing[0]}.")
            return {name: structure[name] for name in names}
        leaves = nest.flatten(structure)
        if len(leaves) != len(names):
            raise ValueError(f"The model has {len(names)} {what}, but the data bring {len(leaves)}.")
        return dict(zip(names, leaves))


class Columns:
    """The arrays of a run by the names of inputs and outputs."""

    def __init__(self, x, y=None, weight=None):
        self.x, self.y, self.weight = x, y or {}, weight

    def fields(self):
        """The field that tells that samples have weights; the weights themselves are handed over as an array."""
        return {"data.sample_weight": None if self.weight is None else "sample_weight"}

    def count(self):
        return len(next(iter(self.x.values())))

    def cut(self, count):
        """The first samples."""
        return Columns({name: array[:count] for name, array in self.x.items()}, {name: array[:count] for name, array in self.y.items()},
                       None if self.weight is None else self.weight[:count])


def _labels(arrays, classes):
    """Labels in the engine's types; class numbers given as floats become integers."""
    result = {}
    for (name, array), is_class in zip(arrays.items(), classes):
        array = as_array(array)
        result[name] = np.ascontiguousarray(array, np.int32) if is_class and array.dtype.kind == "f" else narrowed(array)
    return result


class ArraySource:
    """Arrays of the script."""

    is_dataset = False

    def __init__(self, model, x, y, weight, batch_size, steps, shuffle):
        x, y = lists_as_arrays(x), lists_as_arrays(y)
        arrays = [as_array(leaf) for leaf in nest.flatten(x)]
        counts = {len(as_array(leaf)) for leaf in [*arrays, *(nest.flatten(y) if y is not None else [])]}
        if len(counts) > 1:
            raise ValueError(f"Data cardinality is ambiguous: the arrays have {sorted(counts)} samples. "
                             "Make sure all arrays contain the same number of samples.")
        count = counts.pop()
        if batch_size is None:
            batch_size = -(-count // steps) if steps else 32
        self.batch_size, self.shuffle = int(batch_size), bool(shuffle)
        self._model, self._given = model, (x, y, weight)
        self.batches = -(-count // self.batch_size)
        self.partial = count % self.batch_size
        self.shapes = [(None, *array.shape[1:]) for array in arrays]
        self.types = [array.dtype for array in arrays]
        self.samples = count

    def label_shapes(self):
        """Shapes of the labels, each with the batch first."""
        return [np.shape(leaf) for leaf in nest.flatten(lists_as_arrays(self._given[1]))] if self._given[1] is not None else []

    def begin(self, batches):
        x, y, weight = self._given
        roles, model = Roles(self._model), self._model
        named = {name: narrowed(as_array(leaf)) for name, leaf in roles.named(x, model.input_names, "inputs").items()}
        labels = {} if y is None else _labels(roles.named(y, model.output_names, "outputs"), model.class_labels())
        self.columns = Columns(named, labels, None if weight is None else np.ascontiguousarray(weight, np.float32))
        return self.columns

    def next_epoch(self):
        """The arrays stay; the engine orders the samples."""


class DatasetSource:
    """A data set. Its elements are batches."""

    is_dataset = True
    shuffle = False  # the data set has its own order

    def __init__(self, model, dataset, steps, on_ipu):
        self._model, self._dataset = model, dataset
        spec = dataset.element_spec
        x, _, _ = Roles(model).split(spec)
        leaves = nest.flatten(x)
        if on_ipu:
            for leaf in nest.flatten(spec):
                if not leaf.shape.is_fully_defined():
                    raise ValueError(f"The batches of the data set have the shape {leaf.shape}, which is not fully known. An IPU needs "
                                     "fixed shapes: use batch(size, drop_remainder=True).")
        self._iterator = dataset._elements()
        first = next(self._iterator, None)
        if first is None:
            raise ValueError("The data set is empty: it has no batch.")
        self._waiting = [first]
        self.batch_size = len(first[0])
        self.shapes = [(None, *leaf.shape[1:]) if leaf.shape.rank is not None else (None, *array.shape[1:])
                       for leaf, array in zip(leaves, first)]
        self.types = [leaf.dtype._dtype for leaf in leaves]
        self._endless = steps is not None
        length = dataset._length()
        if length == UNKNOWN and steps is None:
            if on_ipu:
                raise ValueError("The number of batches of the data set is unknown. Give steps_per_epoch (fit) or steps.")
            self._waiting.extend(self._iterator)
            length = len(self._waiting)
        if length == INFINITE and steps is None:
            raise ValueError("The data set is infinite: steps_per_epoch (fit) or steps must be given.")
        self.batches = None if length < 0 else length
        self.partial = 0
        if length == UNKNOWN:
            get_logger().info("The number of batches is unknown: running out of data ends the training with an error.")

    def label_shapes(self):
        """Shapes of the labels, each with the batch first."""
        _, y, _ = Roles(self._model).split(self._dataset.element_spec)
        return [] if y is None else [tuple(leaf.shape) for leaf in nest.flatten(y) if leaf.shape.rank is not None]

    def _next(self):
        if self._waiting:
            return self._waiting.pop(0)
        return next(self._iterator, None)

    def begin(self, batches):
        """Arrays for `batches` batches, filled."""
        self._batches = batches
        self._buffers = None
        self._fill()
        leaves = iter(self._buffers)
        spec = self._dataset.element_spec
        x, y, weight = (None if part is None else nest.pack_sequence_as(part, [next(leaves) for _ in nest.flatten(part)])
                        for part in Roles(self._model).split(spec))
        roles, model = Roles(self._model), self._model
        named = roles.named(x, model.input_names, "inputs")
        labels = {} if y is None else roles.named(y, model.output_names, "outputs")
        self.columns = Columns(named, labels, weight)
        return self.columns

    def _target(self, index, dtype):
        """The type of a component's array."""
        spec = self._dataset.element_spec
        x, y, weight = Roles(self._model).split(spec)
        inputs, labels = len(nest.flatten(x)), 0 if y is None else len(nest.flatten(y))
        if index < inputs:
            return _NARROWED.get(dtype.name, dtype)
        if index < inputs + labels:
            classes = self._model.class_labels() if self._model.loss is not None else [False] * labels
            return np.int32 if classes[index - inputs] and dtype.kind == "f" else _NARROWED.get(dtype.name, dtype)
        return np.float32

    def _fill(self):
        place = 0
        for number in range(self._batches):
            element = self._next()
            if element is None:
                raise ValueError(f"The data set ran out of data: {self._batches} batches are needed and it has {number}. "
                                 "Make it longer, for example with repeat().")
            if self._buffers is None:
                rows = self.batch_size * self._batches
                self._buffers = [np.empty((rows, *array.shape[1:]), self._target(i, array.dtype)) for i, array in enumerate(element)]
            end = place + len(element[0])
            for buffer, array in zip(self._buffers, element):
                buffer[place:end] = array
            place = end
        if place < len(self._buffers[0]):
            if getattr(self, "columns", None) is not None and place != self.columns.count():
                raise not_yet("a data set whose epochs have different numbers of samples")
            self._buffers = [buffer[:place] for buffer in self._buffers]

    def restart(self):
        """Begins anew, unless the steps of an epoch are counted."""
        if not self._endless:
            self._iterator, self._waiting = self._dataset._elements(), []

    def next_epoch(self):
        self.restart()
        self._fill()


def source_of(model, x, y, weight, batch_size, steps, shuffle, on_ipu):
    """The source for what a script gave."""
    if isinstance(x, Dataset):
        if y is not None:
            raise ValueError("`y` argument is not supported when using a dataset as input: its elements bring the labels.")
        if weight is not None:
            raise ValueError("`sample_weight` argument is not supported when using a dataset as input.")
        return DatasetSource(model, x, steps, on_ipu)
    if x is None:
        raise ValueError("fit, evaluate and predict need data: x is None.")
    if hasattr(x, "__next__") or (hasattr(x, "__getitem__") and not hasattr(x, "shape") and not isinstance(x, (list, tuple, dict))):
        raise not_yet("a Python generator or a Sequence as data", "Dataset.from_generator makes a data set of it.")
    return ArraySource(model, x, y, weight, batch_size, steps, shuffle)
