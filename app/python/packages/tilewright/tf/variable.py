"""Variables: tensors that change."""

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import dtypes
from tilewright.tf.shapes import TensorShape
from tilewright.tf.tensor import EagerTensor, TensorOperators, convert_to_tensor
from tilewright.trace.context import current


class HostCell:
    """Where a variable keeps its value. Another kind of cell may keep it on a device."""

    def __init__(self, array):
        self._array = array

    def read(self):
        return self._array

    def write(self, array):
        self._array = array


class Variable(TensorOperators):
    """A named value that assignments change."""

    def __init__(self, initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None, variable_def=None,
                 dtype=None, import_scope=None, constraint=None, synchronization=None, aggregation=None, shape=None):
        if initial_value is None:
            raise ValueError("initial_value must be specified: a variable needs its first value.")
        if variable_def is not None:
            raise not_yet("tf.Variable(variable_def=…)")
        value = initial_value() if callable(initial_value) else initial_value
        tensor = convert_to_tensor(value, dtype)
        self._setup(HostCell(np.array(tensor._value)), tensor.dtype, name or "Variable", True if trainable is None else trainable)
        self.constraint = constraint
        self._declared = TensorShape(shape) if shape is not None else tensor.shape

    @classmethod
    def over(cls, cell, shape, dtype, name, trainable):
        """A variable whose value lies in a cell of its owner."""
        variable = cls.__new__(cls)
        variable._setup(cell, dtypes.as_dtype(dtype), name, trainable)
        variable.constraint = None
        variable._declared = TensorShape(shape)
        return variable

    def _setup(self, cell, dtype, name, trainable):
        self._cell = cell
        self._dtype = dtype
        self._name = name
        self._trainable = trainable

    @property
    def name(self):
        return self._name + ":0"

    @property
    def dtype(self):
        return self._dtype

    @property
    def shape(self):
        return self._declared

    @property
    def trainable(self):
        return self._trainable

    @property
    def device(self):
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def _read_tensor(self):
        if current() is not None:
            return current().read(self)
        return EagerTensor(np.asarray(self._cell.read()), self._dtype)

    def value(self):
        return self._read_tensor()

    read_value = value

    def numpy(self):
        return self._read_tensor().numpy()

    def __array__(self, dtype=None):
        return self._read_tensor().__array__(dtype)

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Gives the variable another value of its shape and type; returns the variable."""
        if current() is not None:
            current().assign(self, value)
            return self
        tensor = value if isinstance(value, EagerTensor) else convert_to_tensor(value, self._dtype)
        if tensor.dtype != self._dtype:
            raise ValueError(f"{self._name}: a value of type {tensor.dtype.name} cannot be assigned to {self._dtype.name}.")
        if not self._declared.is_compatible_with(tensor.shape):
            raise ValueError(f"{self._name}: a value of shape {tensor.shape} cannot be assigned to the shape {self.shape}.")
        self._cell.write(np.array(tensor._value))
        return self

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self.assign(self._read_tensor() + delta)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self.assign(self._read_tensor() - delta)

    def __bool__(self):
        return bool(self._read_tensor())

    def __int__(self):
        return int(self._read_tensor())

    def __float__(self):
        return float(self._read_tensor())

    def __index__(self):
        return self._read_tensor().__index__()

    def __format__(self, spec):
        return format(self._read_tensor(), spec)

    def __hash__(self):
        raise TypeError("A variable is not hashable. Use variable.ref() as a key.")

    def __deepcopy__(self, memo):
        return Variable(self._read_tensor(), name=self._name, trainable=self._trainable)

    def __repr__(self):
        value = self._read_tensor()._value
        text = repr(value) if value.ndim else repr(value[()])
        lead = "\n" if "\n" in text else ""
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self._dtype.name}, numpy={lead}{text}>"
