"""Element types of tensors."""

import numpy as np


class DType:
    """An element type. Equal to its name and to its numpy type."""

    def __init__(self, name, numpy_type):
        self.name = name
        self.as_numpy_dtype = numpy_type
        self._dtype = np.dtype(numpy_type)

    @property
    def is_floating(self):
        return self._dtype.kind == "f"

    @property
    def is_integer(self):
        return self._dtype.kind in "iu"

    @property
    def is_unsigned(self):
        return self._dtype.kind == "u"

    @property
    def is_bool(self):
        return self._dtype.kind == "b"

    @property
    def is_complex(self):
        return self._dtype.kind == "c"

    @property
    def size(self):
        """Bytes of an element."""
        return self._dtype.itemsize

    @property
    def base_dtype(self):
        return self

    @property
    def min(self):
        return self._limits().min

    @property
    def max(self):
        return self._limits().max

    def _limits(self):
        if self.is_floating:
            return np.finfo(self._dtype)
        if self.is_integer:
            return np.iinfo(self._dtype)
        raise TypeError(f"{self.name} has no smallest and largest value.")

    def __eq__(self, other):
        if isinstance(other, DType):
            return self.name == other.name
        if other is None:
            return False
        try:
            return as_dtype(other).name == self.name
        except TypeError:
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return f"<dtype: '{self.name}'>"

    def __repr__(self):
        return f"tf.{self.name}"

    def __reduce__(self):
        return as_dtype, (self.name,)


float16 = half = DType("float16", np.float16)
float32 = DType("float32", np.float32)
float64 = double = DType("float64", np.float64)
int8 = DType("int8", np.int8)
int16 = DType("int16", np.int16)
int32 = DType("int32", np.int32)
int64 = DType("int64", np.int64)
uint8 = DType("uint8", np.uint8)
uint16 = DType("uint16", np.uint16)
uint32 = DType("uint32", np.uint32)
uint64 = DType("uint64", np.uint64)
bool_ = DType("bool", np.bool_)
complex64 = DType("complex64", np.complex64)
complex128 = DType("complex128", np.complex128)
string = DType("string", np.object_)

_ALL = (float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, bool_, complex64, complex128)
_BY_NAME = {dtype.name: dtype for dtype in (*_ALL, string)} | {"half": float16, "double": float64, "str": string}
_BY_NUMPY = {np.dtype(dtype.as_numpy_dtype): dtype for dtype in _ALL}
_BY_PYTHON = {float: float32, int: int32, bool: bool_, str: string, bytes: string, complex: complex128, object: string}


def as_dtype(value):
    """The type that a DType, a name, a numpy type or a Python type stands for. Raises TypeError."""
    if isinstance(value, DType):
        return value
    if isinstance(value, str):
        if value in _BY_NAME:
            return _BY_NAME[value]
        raise TypeError(f"Cannot convert '{value}' to a dtype: no dtype has this name.")
    if isinstance(value, type) and value in _BY_PYTHON:
        return _BY_PYTHON[value]
    try:
        found = np.dtype(value)
    except TypeError:
        raise TypeError(f"Cannot convert {value!r} to a dtype.") from None
    if found.kind in "OSU":
        return string
    if found not in _BY_NUMPY:
        raise TypeError(f"Cannot convert the numpy type {found} to a dtype.")
    return _BY_NUMPY[found]
