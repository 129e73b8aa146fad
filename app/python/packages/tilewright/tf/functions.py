"""The functions of tensorflow and tensorflow.math. Each checks its arguments and applies a row of the table."""

import numpy as np

from tilewright.tf import dtypes, kernels, layout_kernels  # noqa: F401  (the kernels fill the table)
from tilewright.tf.dtypes import as_dtype
from tilewright.tf.optable import SymbolicTensor, apply
from tilewright.tf.shapes import TensorShape
from tilewright.tf.tensor import EagerTensor, convert_to_tensor

newaxis = None


def _ints(values):
    """A shape or list of axes as Python ints; tensors are read."""
    if isinstance(values, TensorShape):
        values = values.as_list()
    if hasattr(values, "numpy") and not isinstance(values, (list, tuple)):
        values = values.numpy()
    if np.ndim(values) == 0:
        return [values.__index__()]
    return [value.__index__() for value in values]


def _axis(axis):
    if axis is None:
        return None
    listed = _ints(axis)
    return listed[0] if len(listed) == 1 and np.ndim(axis) == 0 else tuple(listed)


# Making -----------------------------------------------------------------------------------------------------------------


def constant(value, dtype=None, shape=None, name="Const"):
    tensor = convert_to_tensor(value, dtype) if not isinstance(value, EagerTensor) or dtype is None else cast(value, dtype)
    if shape is None:
        return tensor
    extents = _ints(shape)
    count = int(np.prod(extents))
    if list(tensor.shape) == extents:
        return tensor
    if tensor.shape.num_elements() == count:
        return reshape(tensor, extents)
    if tensor.shape.num_elements() == 1:
        return fill(extents, tensor)
    raise TypeError(f"The {tensor.shape.num_elements()} values do not fill the shape {tuple(extents)}, which has {count}.")


def zeros(shape, dtype=dtypes.float32, name=None):
    return EagerTensor(np.zeros(_ints(shape), as_dtype(dtype).as_numpy_dtype))


def ones(shape, dtype=dtypes.float32, name=None):
    return EagerTensor(np.ones(_ints(shape), as_dtype(dtype).as_numpy_dtype))


def fill(dims, value, name=None):
    tensor = convert_to_tensor(value)
    return EagerTensor(np.full(_ints(dims), tensor._value), tensor.dtype)


def _cast_or_same(tensor, dtype):
    return tensor if dtype is None else cast(tensor, dtype)


def zeros_like(input, dtype=None, name=None):
    return _cast_or_same(apply("ZerosLike", input), dtype)


def ones_like(input, dtype=None, name=None):
    return _cast_or_same(apply("OnesLike", input), dtype)


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    value = np.eye(num_rows, num_columns, dtype=as_dtype(dtype).as_numpy_dtype)
    return EagerTensor(np.array(np.broadcast_to(value, (*_ints(batch_shape or []), *value.shape))))


def range(start, limit=None, delta=1, dtype=None, name="range"):
    if limit is None:
        start, limit = 0, start
    parts = [convert_to_tensor(part) for part in (start, limit, delta)]
    if dtype is None:
        order = ["int32", "int64", "float32", "float64"]
        dtype = max((part.dtype.name for part in parts), key=lambda name: order.index(name) if name in order else 0)
    low, high, step = (part._value[()] for part in parts)
    if step == 0:
        raise ValueError("range: the step delta must not be 0.")
    return EagerTensor(np.arange(low, high, step).astype(as_dtype(dtype).as_numpy_dtype))


def linspace(start, stop, num, name=None, axis=0):
    start = convert_to_tensor(start)
    return EagerTensor(np.linspace(start._value, convert_to_tensor(stop)._value, int(num), axis=axis).astype(start._value.dtype))


def identity(input, name=None):
    return apply("Identity", input)


def stop_gradient(input, name=None):
    return apply("StopGradient", input)


# Types and shapes -------------------------------------------------------------------------------------------------------


def cast(x, dtype, name=None):
    wanted = as_dtype(dtype)
    if not isinstance(x, (SymbolicTensor, EagerTensor)):
        x = convert_to_tensor(x)
    return x if x.dtype == wanted else apply("Cast", x, dtype=wanted)


def shape(input, out_type=dtypes.int32, name=None):
    tensor = convert_to_tensor(input)
    return EagerTensor(np.array(tensor.shape.as_list(), as_dtype(out_type).as_numpy_dtype))


def size(input, out_type=dtypes.int32, name=None):
    return constant(convert_to_tensor(input).shape.num_elements(), out_type)


def rank(input, name=None):
    return constant(convert_to_tensor(input).shape.rank, dtypes.int32)


def reshape(tensor, shape, name=None):
    return apply("Reshape", tensor, shape=_ints(shape))


def transpose(a, perm=None, conjugate=False, name="transpose"):
    return apply("Transpose", a, perm=None if perm is None else _ints(perm))


def expand_dims(input, axis, name=None):
    return apply("ExpandDims", input, axis=_axis(axis))


def squeeze(input, axis=None, name=None):
    return apply("Squeeze", input, axis=_axis(axis))


def concat(values, axis, name="concat"):
    if not isinstance(values, (list, tuple)):
        values = [values]
    return apply("Concat", *values, axis=_axis(axis))


def stack(values, axis=0, name="stack"):
    return apply("Stack", *values, axis=axis)


def unstack(value, num=None, axis=0, name="unstack"):
    return apply("Unstack", value, axis=axis)


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    sizes = num_or_size_splits if isinstance(num_or_size_splits, int) else _ints(num_or_size_splits)
    return apply("Split", value, sizes=sizes, axis=_axis(axis))


def tile(input, multiples, name=None):
    return apply("Tile", input, multiples=tuple(_ints(multiples)))


def broadcast_to(input, shape, name=None):
    return apply("BroadcastTo", input, shape=tuple(_ints(shape)))


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    pairs = [tuple(_ints(pair)) for pair in (paddings.numpy() if isinstance(paddings, EagerTensor) else paddings)]
    return apply("Pad", tensor, paddings=pairs, mode=mode, constant_values=constant_values)


def slice(input_, begin, size, name=None):
    begin = _ints(begin)
    key = tuple(_builtin_slice(start, None if extent == -1 else start + extent) for start, extent in zip(begin, _ints(size)))
    return apply("Slice", input_, key=key)


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    if batch_dims:
        from tilewright.missing import not_yet

        raise not_yet("tf.gather(batch_dims=…)")
    return apply("Gather", params, indices, axis=0 if axis is None else _axis(axis))


def gather_nd(params, indices, batch_dims=0, name=None):
    return apply("GatherNd", params, indices)


def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    return apply("BooleanMask", tensor, mask)


def scatter_nd(indices, updates, shape, name=None):
    return apply("ScatterNd", indices, updates, shape=tuple(_ints(shape)))


def tensor_scatter_nd_add(tensor, indices, updates, name=None):
    return apply("TensorScatterAdd", tensor, indices, updates)


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    return apply("TensorScatterUpdate", tensor, indices, updates)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    return apply("OneHot", indices, depth=depth.__index__(), on=1 if on_value is None else on_value,
                 off=0 if off_value is None else off_value, axis=-1 if axis is None else axis,
                 dtype=as_dtype(dtype or dtypes.float32))


def reverse(tensor, axis, name=None):
    return apply("Reverse", tensor, axis=tuple(_ints(axis)))


def roll(input, shift, axis, name=None):
    return apply("Roll", input, shift=_axis(shift), axis=_axis(axis))


def repeat(input, repeats, axis=None, name=None):
    return apply("Repeat", input, repeats=_axis(repeats), axis=axis)


def sort(values, axis=-1, direction="ASCENDING", name=None):
    return apply("Sort", values, axis=axis, direction=direction)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    return apply("ArgSort", values, axis=axis, direction=direction)


# Elementwise ------------------------------------------------------------------------------------------------------------


def _unary(row):
    def function(x, name=None):
        return apply(row, x)
    return function


def _binary(row):
    def function(x, y, name=None):
        return apply(row, x, y)
    return function


abs, negative, sign, square, sqrt, rsqrt = map(_unary, ("Abs", "Neg", "Sign", "Square", "Sqrt", "Rsqrt"))
exp, expm1, log, log1p, floor, ceil, round = map(_unary, ("Exp", "Expm1", "Log", "Log1p", "Floor", "Ceil", "Round"))
sin, cos, tan, asin, acos, atan = map(_unary, ("Sin", "Cos", "Tan", "Asin", "Acos", "Atan"))
sinh, cosh, tanh, asinh, acosh, atanh = map(_unary, ("Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh"))
sigmoid, softplus, softsign, erf, reciprocal = map(_unary, ("Sigmoid", "Softplus", "Softsign", "Erf", "Reciprocal"))
relu, relu6, elu, selu, logical_not = map(_unary, ("Relu", "Relu6", "Elu", "Selu", "LogicalNot"))
is_nan, is_inf, is_finite = map(_unary, ("IsNan", "IsInf", "IsFinite"))
add, subtract, multiply, divide, floordiv = map(_binary, ("Add", "Sub", "Mul", "TrueDiv", "FloorDiv"))
floormod, pow, maximum, minimum = map(_binary, ("FloorMod", "Pow", "Maximum", "Minimum"))
squared_difference, divide_no_nan, atan2 = map(_binary, ("SquaredDifference", "DivNoNan", "Atan2"))
equal, not_equal, less, less_equal = map(_binary, ("Equal", "NotEqual", "Less", "LessEqual"))
greater, greater_equal = map(_binary, ("Greater", "GreaterEqual"))
logical_and, logical_or, logical_xor = map(_binary, ("LogicalAnd", "LogicalOr", "LogicalXor"))
truediv, mod = divide, floormod


def add_n(inputs, name=None):
    total = inputs[0]
    for value in inputs[1:]:
        total = add(total, value)
    return convert_to_tensor(total)


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    return apply("ClipByValue", t, clip_value_min, clip_value_max)


def where(condition, x=None, y=None, name=None):
    if x is None and y is None:
        return EagerTensor(np.argwhere(convert_to_tensor(condition)._value))
    if x is None or y is None:
        raise ValueError("x and y must both be given, or neither.")
    from tilewright.tf.tensor import convert_together

    if not isinstance(x, SymbolicTensor) and not isinstance(y, SymbolicTensor):
        x, y = convert_together((x, y), "Where")
    return apply("Where", condition, x, y)


def leaky_relu(features, alpha=0.2, name=None):
    return where(greater(features, 0), features, multiply(features, alpha))


def gelu(features, approximate=False, name=None):
    x = convert_to_tensor(features)
    if approximate:
        return 0.5 * x * (1.0 + tanh(0.7978845608028654 * (x + 0.044715 * pow(x, 3))))
    return 0.5 * x * (1.0 + erf(x / 1.4142135623730951))


def swish(features):
    return multiply(features, sigmoid(features))


# Reductions and products ------------------------------------------------------------------------------------------------


def _reduction(row):
    def function(input_tensor, axis=None, keepdims=False, name=None):
        return apply(row, input_tensor, axis=_axis(axis), keepdims=keepdims)
    return function


reduce_sum, reduce_mean, reduce_max, reduce_min = map(_reduction, ("Sum", "Mean", "Max", "Min"))
reduce_prod, reduce_all, reduce_any = map(_reduction, ("Prod", "All", "Any"))
reduce_std, reduce_variance, reduce_logsumexp = map(_reduction, ("Std", "Variance", "LogSumExp"))


def argmax(input, axis=None, output_type=dtypes.int64, name=None):
    return apply("ArgMax", input, axis=0 if axis is None else _axis(axis), output_type=as_dtype(output_type))


def argmin(input, axis=None, output_type=dtypes.int64, name=None):
    return apply("ArgMin", input, axis=0 if axis is None else _axis(axis), output_type=as_dtype(output_type))


def norm(tensor, ord="euclidean", axis=None, keepdims=False, name=None):
    if ord in ("euclidean", 2):
        return sqrt(reduce_sum(square(tensor), axis, keepdims))
    if ord == 1:
        return reduce_sum(abs(tensor), axis, keepdims)
    if ord == np.inf:
        return reduce_max(abs(tensor), axis, keepdims)
    return pow(reduce_sum(pow(abs(tensor), float(ord)), axis, keepdims), 1.0 / ord)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    return apply("CumSum", x, axis=axis, exclusive=exclusive, reverse=reverse)


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False, b_is_sparse=False,
           output_type=None, name=None):
    return apply("MatMul", a, b, transpose_a=transpose_a or adjoint_a, transpose_b=transpose_b or adjoint_b)


def tensordot(a, b, axes, name=None):
    a, b = convert_to_tensor(a), convert_to_tensor(b)
    return EagerTensor(np.asarray(np.tensordot(a._value, b._value, axes)))


def einsum(equation, *inputs, name=None):
    return apply("Einsum", *inputs, equation=equation)


def bias_add(value, bias, data_format=None, name=None):
    return apply("BiasAdd", value, bias)


def softmax(logits, axis=None, name=None):
    return apply("Softmax", logits, axis=-1 if axis is None else axis)


def log_softmax(logits, axis=None, name=None):
    return apply("LogSoftmax", logits, axis=-1 if axis is None else axis)


def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    return negative(reduce_sum(multiply(labels, log_softmax(logits, axis)), axis))


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    logits = convert_to_tensor(logits)
    return softmax_cross_entropy_with_logits(one_hot(labels, logits.shape[-1], dtype=logits.dtype), logits)


def top_k(input, k=1, sorted=True, name=None):
    import collections

    values, indices = apply("TopK", input, k=int(k))
    return collections.namedtuple("TopKV2", "values indices")(values, indices)


def no_op(name=None):
    return None


def is_tensor(x):
    return isinstance(x, (EagerTensor, SymbolicTensor)) or hasattr(x, "_read_tensor")


def executing_eagerly():
    return True


# `slice` above is TensorFlow's name; Python's own is needed inside it.
_builtin_slice = __builtins__["slice"] if isinstance(__builtins__, dict) else __builtins__.slice
