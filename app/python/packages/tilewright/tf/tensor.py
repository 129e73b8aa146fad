"""Tensors with values, and how Python values become tensors."""

import numpy as np

from tilewright.tf import dtypes, errors, optable
from tilewright.tf.shapes import TensorShape


def _binary(name, swapped=False):
    def operator(self, other):
        try:
            return optable.apply(name, other, self) if swapped else optable.apply(name, self, other)
        except _NotOperand:
            return NotImplemented
    return operator


def _unary(name):
    def operator(self):
        return optable.apply(name, self)
    return operator


class _NotOperand(TypeError):
    """A value that cannot be an operand of a tensor's operator."""


class TensorOperators:
    """The operators that tensors, variables and symbolic tensors share."""

    __array_priority__ = 100
    __add__, __radd__ = _binary("Add"), _binary("Add", True)
    __sub__, __rsub__ = _binary("Sub"), _binary("Sub", True)
    __mul__, __rmul__ = _binary("Mul"), _binary("Mul", True)
    __truediv__, __rtruediv__ = _binary("TrueDiv"), _binary("TrueDiv", True)
    __floordiv__, __rfloordiv__ = _binary("FloorDiv"), _binary("FloorDiv", True)
    __mod__, __rmod__ = _binary("FloorMod"), _binary("FloorMod", True)
    __pow__, __rpow__ = _binary("Pow"), _binary("Pow", True)
    __matmul__, __rmatmul__ = _binary("MatMul"), _binary("MatMul", True)
    __and__, __rand__ = _binary("And"), _binary("And", True)
    __or__, __ror__ = _binary("Or"), _binary("Or", True)
    __xor__, __rxor__ = _binary("Xor"), _binary("Xor", True)
    __lt__, __le__, __gt__, __ge__ = _binary("Less"), _binary("LessEqual"), _binary("Greater"), _binary("GreaterEqual")
    __neg__, __abs__, __invert__ = _unary("Neg"), _unary("Abs"), _unary("Invert")

    def __eq__(self, other):
        return _equality("Equal", self, other)

    def __ne__(self, other):
        return _equality("NotEqual", self, other)

    def __hash__(self):
        raise TypeError("A tensor is not hashable. Use tensor.ref() as a key.")

    def __getitem__(self, key):
        return optable.apply("Slice", self, key=_index(key)) if not _is_mask(key) else optable.apply("BooleanMask", self, key)

    def __setitem__(self, key, value):
        raise TypeError("A tensor cannot be changed: it does not support item assignment.")

    def __len__(self):
        if self.shape.rank == 0:
            raise TypeError("A scalar tensor has no len().")
        return self.shape[0]

    def __iter__(self):
        if self.shape.rank == 0:
            raise TypeError("A scalar tensor cannot be iterated.")
        return (self[i] for i in range(self.shape[0]))

    def get_shape(self):
        return self.shape

    @property
    def ndim(self):
        return self.shape.rank

    def ref(self):
        return Reference(self)


def _equality(name, left, right):
    if right is None:
        return name == "NotEqual"
    try:
        return optable.apply(name, left, right)
    except (errors.InvalidArgumentError, TypeError, ValueError):
        if isinstance(left, optable.SymbolicTensor) or isinstance(right, optable.SymbolicTensor):
            raise
        return name == "NotEqual"


class Reference:
    """A hashable handle of a tensor or variable."""

    def __init__(self, target):
        self._target = target

    def deref(self):
        return self._target

    def __eq__(self, other):
        return isinstance(other, Reference) and self._target is other._target

    def __hash__(self):
        return id(self._target)


class Tensor(TensorOperators):
    """The type of isinstance(x, tf.Tensor)."""


class EagerTensor(Tensor):
    """A tensor with its value on the host. Never changes."""

    __slots__ = ("_value", "_dtype", "_shape")

    def __init__(self, value, dtype=None):
        self._value = value
        self._dtype = dtype if dtype is not None else dtypes.as_dtype(value.dtype)
        self._shape = None

    @property
    def dtype(self):
        return self._dtype

    @property
    def shape(self):
        if self._shape is None:
            self._shape = TensorShape(self._value.shape)
        return self._shape

    @property
    def device(self):
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    @property
    def name(self):
        raise AttributeError("A tensor with a value has no name.")

    def numpy(self):
        """A numpy scalar, or a copy as an array."""
        return self._value[()] if self._value.ndim == 0 else self._value.copy()

    def __array__(self, dtype=None):
        return np.array(self._value, dtype) if dtype is not None else self._value.copy()

    def _one(self, what):
        if self._value.size != 1:
            raise TypeError(f"Only a tensor of one element can be used as {what}; this one has the shape {self.shape}.")
        return self._value.reshape(())[()]

    def __bool__(self):
        if self._value.size != 1:
            raise ValueError(f"The truth of a tensor of shape {self.shape} is not defined: it needs one element.")
        return bool(self._value.reshape(())[()])

    def __int__(self):
        return int(self._one("an int"))

    def __float__(self):
        return float(self._one("a float"))

    def __index__(self):
        value = self._one("an index")
        if not self.dtype.is_integer:
            raise TypeError(f"A tensor of type {self.dtype.name} is no index: an integer is needed.")
        return int(value)

    def __round__(self, digits=None):
        return round(float(self), digits) if digits is not None else round(float(self))

    def __format__(self, spec):
        return format(self._value[()] if self._value.ndim == 0 else self._value, spec)

    def __str__(self):
        text = str(self._value[()] if self._value.ndim == 0 else self._value)
        lead = "\n" if "\n" in text else ""
        return f"tf.Tensor({lead}{text}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self):
        text = repr(self._value) if self._value.ndim else repr(self._value[()])
        lead = "\n" if "\n" in text else ""
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={lead}{text}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return EagerTensor, (self._value,)


# How Python values become tensors ---------------------------------------------------------------------------------------


def _index(key):
    """An index of Python slices, numbers, ..., and None. Lists and arrays are refused."""
    parts = key if isinstance(key, tuple) else (key,)
    result = []
    for part in parts:
        if isinstance(part, slice):
            result.append(slice(*(None if bound is None else bound.__index__() for bound in (part.start, part.stop, part.step))))
        elif part is None or part is Ellipsis:
            result.append(part)
        elif isinstance(part, (list, np.ndarray)) and np.ndim(part) > 0 or isinstance(part, bool):
            raise TypeError("Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar integer tensors are "
                            f"valid indices, not {type(part).__name__}. tf.gather takes lists of indices.")
        elif hasattr(part, "__index__"):
            result.append(part.__index__())
        else:
            raise TypeError(f"{part!r} is no index of a tensor.")
    return tuple(result)


def _is_mask(key):
    if isinstance(key, EagerTensor):
        return key.dtype.is_bool
    return isinstance(key, np.ndarray) and key.dtype == np.bool_


def _default_array(value):
    """A Python value as an array of TensorFlow's default type; numpy values keep theirs."""
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if isinstance(value, (list, tuple)):
        leaves = _leaves(value)
        if any(isinstance(leaf, EagerTensor) or hasattr(leaf, "_read_tensor") for leaf in leaves):
            tensors = [convert_to_tensor(part) for part in value]
            return np.stack([tensor._value for tensor in tensors]) if tensors else np.zeros(0, np.float32)
        if any(isinstance(leaf, (np.ndarray, np.generic)) for leaf in leaves):
            return np.array(value)
        if any(isinstance(leaf, (str, bytes)) for leaf in leaves):
            return np.array(value, object)
        if not leaves:
            return np.array(value, np.float32)
    try:
        array = np.array(value)
    except ValueError:
        raise ValueError("Can't convert a sequence of rows of different lengths to a tensor.") from None
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64 and (array.size == 0 or np.abs(array).max() < 2**31):
        return array.astype(np.int32)
    if array.dtype.kind in "SU":
        return array.astype(object)
    if array.dtype == object:
        raise ValueError(f"Attempt to convert a value ({value!r}) of type {type(value)} to a tensor.")
    return array


def _leaves(value):
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in _leaves(part)]
    return [value]


def _as_bytes(array):
    def encode(text):
        return text.encode() if isinstance(text, str) else text
    return np.frompyfunc(encode, 1, 1)(array) if array.ndim else np.array(encode(array[()]), object)


def convert_to_tensor(value, dtype=None, name=None, dtype_hint=None):
    """A tensor of a value. A tensor keeps its type: another `dtype` is an error."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if hasattr(value, "_read_tensor"):
        value = value._read_tensor()
    if isinstance(value, optable.SymbolicTensor):
        return value
    if isinstance(value, EagerTensor):
        if wanted is not None and value.dtype != wanted:
            raise ValueError(f"A tensor of type {value.dtype.name} was given where {wanted.name} is needed: {value!r}. "
                             "tf.cast changes the type.")
        return value
    if value is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type to a tensor.")
    if isinstance(value, TensorShape):
        value = np.array(value.as_list(), np.int32)
    if isinstance(value, str):
        value = value.encode()
    array = np.array(value, object) if isinstance(value, bytes) else _default_array(value)
    if array.dtype.kind in "OSU":
        if wanted is not None and wanted != dtypes.string:
            raise TypeError(f"Cannot convert {value!r} to a tensor of type {wanted.name}.")
        return EagerTensor(_as_bytes(array), dtypes.string)
    if wanted is None:
        return EagerTensor(array.copy() if array is value else array)
    _check_representable(array, wanted, value)
    return EagerTensor(array.astype(wanted.as_numpy_dtype), wanted)


def _check_representable(array, wanted, value):
    if wanted == dtypes.string:
        raise TypeError(f"Cannot convert {value!r} to a tensor of strings.")
    is_python = not isinstance(value, (np.ndarray, np.generic))
    if array.dtype.kind == "f" and (wanted.is_integer or wanted.is_bool) and (is_python or not wanted.is_integer):
        raise TypeError(f"Cannot convert {value!r} to a tensor of type {wanted.name}.")
    if array.dtype.kind == "b" and not wanted.is_bool and is_python:
        raise TypeError(f"Cannot convert {value!r} to a tensor of type {wanted.name}.")
    if array.dtype.kind in "iu" and wanted.is_bool:
        raise TypeError(f"Cannot convert {value!r} to a tensor of type bool.")
    if is_python and array.dtype.kind in "iu" and wanted.is_integer and array.size:
        limits = np.iinfo(wanted.as_numpy_dtype)
        if array.min() < limits.min or array.max() > limits.max:
            raise TypeError(f"{value!r} does not fit into {wanted.name}.")


def convert_together(values, op_name):
    """Operands of one type: the type of the first tensor; Python numbers and numpy values take it."""
    values = [value._read_tensor() if hasattr(value, "_read_tensor") else value for value in values]
    tensors = [value for value in values if isinstance(value, EagerTensor)]
    if not tensors:
        first = convert_to_tensor(values[0])
        return [first] + [convert_to_tensor(value, None if isinstance(value, np.ndarray) else first.dtype) for value in values[1:]]
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        if tensor.dtype != dtype:
            raise errors.invalid(f"{op_name}: the operands have the types {dtype.name} and {tensor.dtype.name}. "
                                 "Types are not converted by themselves: tf.cast changes one.")
    return [value if isinstance(value, EagerTensor) else _operand(value, dtype) for value in values]


def _operand(value, dtype):
    if isinstance(value, (np.ndarray, np.generic)) and not (dtype.is_integer and np.asarray(value).dtype.kind == "f"):
        if np.asarray(value).dtype.kind in "biufc":
            return EagerTensor(np.asarray(value).astype(dtype.as_numpy_dtype), dtype)
    return convert_to_tensor(value, dtype)
