"""Rows of the operation table: elementwise operations, products and reductions, on numpy."""

import numpy as np

from tilewright.tf import dtypes, shapes
from tilewright.tf.optable import define
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import EagerTensor  # noqa: F401  (the table's results)


def same(specs, **_):
    """The rule of an operation whose result is like its first input."""
    return TensorSpec(specs[0].shape, specs[0].dtype)


def boolean(specs, **_):
    return TensorSpec(specs[0].shape, dtypes.bool_)


def broadcast_shape(specs):
    shape = tuple(specs[0].shape)
    for spec in specs[1:]:
        shape = shapes.broadcast(shape, tuple(spec.shape))
    return shape


def elementwise(specs, **_):
    return TensorSpec(broadcast_shape(specs), specs[0].dtype)


def comparison(specs, **_):
    return TensorSpec(broadcast_shape(specs), dtypes.bool_)


def need_float(specs):
    if not specs[0].dtype.is_floating:
        raise ValueError(f"needs floating point numbers, not {specs[0].dtype.name}")


def floating(specs, **_):
    need_float(specs)
    return elementwise(specs)


def _erf(x):
    """The error function, by the C library, element by element."""
    from math import erf
    return np.vectorize(erf, otypes=[np.float64])(x)


def _softplus(x):
    return np.logaddexp(x, 0)


def _sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


#: Operations of one floating input.
_FLOAT_UNARY = {
    "Sqrt": np.sqrt, "Rsqrt": lambda x: 1 / np.sqrt(x), "Exp": np.exp, "Expm1": np.expm1, "Log": np.log, "Log1p": np.log1p,
    "Sin": np.sin, "Cos": np.cos, "Tan": np.tan, "Asin": np.arcsin, "Acos": np.arccos, "Atan": np.arctan, "Sinh": np.sinh,
    "Cosh": np.cosh, "Tanh": np.tanh, "Asinh": np.arcsinh, "Acosh": np.arccosh, "Atanh": np.arctanh, "Sigmoid": _sigmoid,
    "Softplus": _softplus, "Erf": _erf, "Reciprocal": lambda x: 1 / x,
    "Elu": lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0)), x),
    "Selu": lambda x: 1.0507009873554805 * np.where(x < 0, 1.6732632423543772 * np.expm1(np.minimum(x, 0)), x),
    "Softsign": lambda x: x / (1 + np.abs(x)),
}
#: Operations of one input of numbers.
_UNARY = {
    "Neg": np.negative, "Abs": np.abs, "Sign": np.sign, "Square": np.square, "Floor": np.floor, "Ceil": np.ceil, "Round": np.rint,
    "Relu": lambda x: np.maximum(x, 0), "Relu6": lambda x: np.clip(x, 0, 6), "Identity": lambda x: x, "StopGradient": lambda x: x,
    "ZerosLike": np.zeros_like, "OnesLike": np.ones_like,
}
_BINARY = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "FloorDiv": np.floor_divide, "FloorMod": np.mod, "Pow": np.power,
    "Maximum": np.maximum, "Minimum": np.minimum, "SquaredDifference": lambda a, b: np.square(a - b),
    "DivNoNan": lambda a, b: np.where(b == 0, 0, a / np.where(b == 0, 1, b)), "Atan2": np.arctan2,
}
_COMPARISONS = {"Equal": np.equal, "NotEqual": np.not_equal, "Less": np.less, "LessEqual": np.less_equal, "Greater": np.greater,
                "GreaterEqual": np.greater_equal}
_LOGICAL = {"LogicalAnd": np.logical_and, "LogicalOr": np.logical_or, "LogicalXor": np.logical_xor}
_BITWISE = {"And": np.bitwise_and, "Or": np.bitwise_or, "Xor": np.bitwise_xor}


def _float_rule(specs, **_):
    need_float(specs)
    return same(specs)


for _name, _function in _FLOAT_UNARY.items():
    define(_name, _float_rule)(_function)
for _name, _function in _UNARY.items():
    define(_name, same)(_function)
for _name, _function in _BINARY.items():
    define(_name, elementwise)(_function)
for _name, _function in _COMPARISONS.items():
    define(_name, comparison)(_function)
for _name, _function in _BITWISE.items():
    define(_name, elementwise)(_function)


def _logical_rule(specs, **_):
    for spec in specs:
        if not spec.dtype.is_bool:
            raise ValueError(f"needs booleans, not {spec.dtype.name}")
    return comparison(specs)


for _name, _function in _LOGICAL.items():
    define(_name, _logical_rule)(_function)
define("LogicalNot", _logical_rule)(np.logical_not)
define("Invert", same)(np.invert)
for _name, _function in {"IsNan": np.isnan, "IsInf": np.isinf, "IsFinite": np.isfinite}.items():
    define(_name, boolean)(_function)

#: The type of int / int, by the name of the operands' type.
_DIVIDED = {"int32": dtypes.float64, "int64": dtypes.float64, "uint8": dtypes.float32, "int8": dtypes.float32,
            "int16": dtypes.float32, "uint16": dtypes.float32}


def _true_div_rule(specs, **_):
    dtype = specs[0].dtype
    return TensorSpec(broadcast_shape(specs), _DIVIDED.get(dtype.name, dtype))


@define("TrueDiv", _true_div_rule)
def _true_div(a, b):
    if a.dtype.kind in "iu":
        wide = _DIVIDED.get(a.dtype.name, dtypes.float64).as_numpy_dtype
        return a.astype(wide) / b.astype(wide)
    return a / b


def _cast_rule(specs, dtype):
    return TensorSpec(specs[0].shape, dtype)


@define("Cast", _cast_rule)
def _cast(x, dtype):
    return x.astype(dtype.as_numpy_dtype)


@define("Where", lambda specs: TensorSpec(broadcast_shape(specs), specs[1].dtype), inputs="each")
def _where(condition, x, y):
    return np.where(condition, x, y)


@define("ClipByValue", elementwise)
def _clip(x, low, high):
    return np.minimum(np.maximum(x, low), high)


# Products ---------------------------------------------------------------------------------------------------------------


def _matmul_rule(specs, transpose_a=False, transpose_b=False):
    a, b = (list(spec.shape) for spec in specs)
    if len(a) < 2 or len(b) < 2:
        raise ValueError(f"needs matrices, not the shapes {a} and {b}")
    if transpose_a:
        a[-1], a[-2] = a[-2], a[-1]
    if transpose_b:
        b[-1], b[-2] = b[-2], b[-1]
    if a[-1] is not None and b[-2] is not None and a[-1] != b[-2]:
        raise ValueError(f"the matrices {a} and {b} do not fit: {a[-1]} columns and {b[-2]} rows")
    return TensorSpec((*shapes.broadcast(tuple(a[:-2]), tuple(b[:-2])), a[-2], b[-1]), specs[0].dtype)


@define("MatMul", _matmul_rule)
def _matmul(a, b, transpose_a=False, transpose_b=False):
    return np.matmul(np.swapaxes(a, -1, -2) if transpose_a else a, np.swapaxes(b, -1, -2) if transpose_b else b)


def _bias_rule(specs):
    if specs[1].shape.rank != 1 or specs[0].shape[-1] != specs[1].shape[0]:
        raise ValueError(f"the bias {specs[1].shape} does not fit the last axis of {specs[0].shape}")
    return same(specs)


define("BiasAdd", _bias_rule)(np.add)


def _einsum_rule(specs, equation):
    return TensorSpec(None, specs[0].dtype)


@define("Einsum", _einsum_rule)
def _einsum(*operands, equation):
    return np.einsum(equation, *operands)


# Reductions -------------------------------------------------------------------------------------------------------------


def axes_of(axis, rank):
    """Axes as sorted, not negative numbers; None: all."""
    if axis is None:
        return tuple(range(rank))
    listed = [axis] if np.ndim(axis) == 0 else list(axis)
    result = []
    for one in listed:
        one = int(one)
        if not -rank <= one < rank:
            raise ValueError(f"the axis {one} does not exist in a tensor of rank {rank}")
        result.append(one % rank)
    return tuple(sorted(result))


def reduced_shape(shape, axis, keepdims):
    axes = axes_of(axis, len(shape))
    if keepdims:
        return [1 if i in axes else extent for i, extent in enumerate(shape)]
    return [extent for i, extent in enumerate(shape) if i not in axes]


def _reduction_rule(specs, axis=None, keepdims=False):
    return TensorSpec(reduced_shape(specs[0].shape, axis, keepdims), specs[0].dtype)


def _reduce(name, function):
    @define(name, _reduction_rule)
    def kernel(x, axis=None, keepdims=False):
        return function(x, axis=axes_of(axis, x.ndim), keepdims=keepdims)
    return kernel


def _mean(x, axis, keepdims):
    """Integers stay integers: their mean is cut toward zero."""
    if x.dtype.kind in "iu":
        count = int(np.prod([x.shape[i] for i in axis])) or 1
        return np.trunc(np.sum(x, axis=axis, keepdims=keepdims, dtype=np.int64) / count)
    return np.mean(x, axis=axis, keepdims=keepdims, dtype=np.float32 if x.dtype == np.float16 else None)


for _name, _function in {"Sum": np.sum, "Mean": _mean, "Max": np.max, "Min": np.min, "Prod": np.prod, "All": np.all, "Any": np.any,
                         "Std": np.std, "Variance": np.var}.items():
    _reduce(_name, _function)


@define("LogSumExp", _reduction_rule)
def _log_sum_exp(x, axis=None, keepdims=False):
    axes = axes_of(axis, x.ndim)
    top = np.max(x, axis=axes, keepdims=True)
    total = np.log(np.sum(np.exp(x - top), axis=axes, keepdims=True)) + top
    return total if keepdims else np.squeeze(total, axes)


def _arg_rule(specs, axis=0, output_type=dtypes.int64):
    return TensorSpec(reduced_shape(specs[0].shape, axis, False), output_type)


@define("ArgMax", _arg_rule)
def _arg_max(x, axis=0, output_type=dtypes.int64):
    return np.argmax(x, axis=axis)


@define("ArgMin", _arg_rule)
def _arg_min(x, axis=0, output_type=dtypes.int64):
    return np.argmin(x, axis=axis)


def _axis_rule(specs, axis=-1, **_):
    axes_of(axis, specs[0].shape.rank)
    return same(specs)


@define("Softmax", _axis_rule)
def _softmax(x, axis=-1):
    power = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return power / np.sum(power, axis=axis, keepdims=True)


@define("LogSoftmax", _axis_rule)
def _log_softmax(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


@define("CumSum", _axis_rule)
def _cum_sum(x, axis=0, exclusive=False, reverse=False):
    ordered = np.flip(x, axis) if reverse else x
    total = np.cumsum(ordered, axis=axis, dtype=x.dtype)
    if exclusive:
        total = total - ordered
    return np.flip(total, axis) if reverse else total
