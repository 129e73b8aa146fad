"""What each operation of TensorFlow becomes in the engine's graph.

A row takes the graph, the traced inputs, the inferred result and the attributes, and returns a traced tensor, or a list.
Truth values are 1 and 0 in float32.
"""

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import dtypes
from tilewright.tf.kernels import axes_of
from tilewright.tf.specs import TensorSpec

ROWS = {}


def row(*names):
    def enter(function):
        for name in names:
            ROWS[name] = function
        return function
    return enter


def _unary(kind, **attributes):
    return lambda graph, inputs, spec, given: graph.emit(kind, inputs, attributes=attributes)


def _floats(graph, inputs):
    """Whole numbers as float32, for operations that the device has for floats only. Exact below 2^24."""
    return [graph.as_device(tensor, "float32", dtypes.float32) if graph.raw.dtype(tensor.number) in ("int32", "uint8") else tensor
            for tensor in inputs]


def _common(graph, inputs):
    """The inputs broadcast to their common shape."""
    shape = np.broadcast_shapes(*(tuple(tensor.shape) for tensor in inputs))
    return [graph.broadcast(tensor, shape) for tensor in inputs]


def _binary(kind):
    def emit(graph, inputs, spec, given):
        return graph.emit(kind, _common(graph, inputs))
    return emit


def _compare(kind, negated=False, swapped=False):
    def emit(graph, inputs, spec, given):
        left, right = _floats(graph, _common(graph, inputs))
        if swapped:
            left, right = right, left
        result = graph.emit(kind, [left, right])
        if graph.raw.dtype(result.number) != "float32":
            result = graph.as_device(result, "float32", dtypes.float32)
        if negated:
            result = not_(graph, result)
        return graph.traced(result.number, TensorSpec(result.shape, dtypes.bool_))
    return emit


def not_(graph, tensor):
    """1 - x of a truth value."""
    flipped = graph.emit("add_scalar", [graph.emit("neg", [tensor])], attributes={"p0": 1.0})
    return graph.traced(flipped.number, TensorSpec(tensor.shape, dtypes.bool_))


ROWS.update({
    "Sqrt": _unary("sqrt"), "Rsqrt": _unary("rsqrt"), "Exp": _unary("exp"), "Log": _unary("log"), "Log1p": _unary("log1p"),
    "Tanh": _unary("tanh"), "Sigmoid": _unary("sigmoid"), "Softplus": _unary("softplus"), "Softsign": _unary("softsign"),
    "Reciprocal": _unary("reciprocal"), "Elu": _unary("elu", p0=1.0), "Selu": _unary("selu"), "Neg": _unary("neg"), "Abs": _unary("abs"),
    "Sign": _unary("sign"), "Square": _unary("square"), "Relu": _unary("relu"), "Relu6": _unary("clip", p0=0.0, p1=6.0),
    "Add": _binary("add"), "Sub": _binary("sub"), "Mul": _binary("mul"), "Maximum": _binary("max"), "Minimum": _binary("min"),
    "BiasAdd": _binary("add"),
    "Equal": _compare("equal"), "NotEqual": _compare("equal", negated=True), "Greater": _compare("greater"),
    "GreaterEqual": _compare("greater_equal"), "Less": _compare("greater", swapped=True),
    "LessEqual": _compare("greater_equal", swapped=True),
    "LogicalAnd": _binary("mul"), "LogicalOr": _binary("max"), "And": _binary("mul"), "Or": _binary("max"),
    "LogicalNot": lambda graph, inputs, spec, given: not_(graph, inputs[0]),
    "Invert": lambda graph, inputs, spec, given: not_(graph, inputs[0]),
    "LogicalXor": _compare("equal", negated=True),
    "Identity": lambda graph, inputs, spec, given: inputs[0],
    "ZerosLike": lambda graph, inputs, spec, given: graph.constant(0, inputs[0].shape, inputs[0].dtype),
    "OnesLike": lambda graph, inputs, spec, given: graph.constant(1, inputs[0].shape, inputs[0].dtype),
})


@row("TrueDiv")
def _divide(graph, inputs, spec, given):
    if spec.dtype == dtypes.float64:
        raise TypeError("The quotient of whole numbers is float64, which the IPU does not have. Cast them to float32 first.")
    return graph.emit("div", _floats(graph, _common(graph, inputs)), spec.dtype)


@row("SquaredDifference")
def _squared_difference(graph, inputs, spec, given):
    return graph.emit("square", [graph.emit("sub", _common(graph, inputs))])


@row("Pow")
def _power(graph, inputs, spec, given):
    base, exponent = _common(graph, inputs)
    return graph.emit("exp", [graph.emit("mul", [exponent, graph.emit("log", [base])])])


@row("ClipByValue")
def _clip(graph, inputs, spec, given):
    value, low, high = _common(graph, inputs)
    return graph.emit("min", [graph.emit("max", [value, low]), high])


@row("Where")
def _where(graph, inputs, spec, given):
    condition, x, y = _common(graph, inputs)
    condition = graph.as_device(condition, graph.raw.dtype(x.number), x.dtype)
    return graph.emit("select", [condition, x, y], x.dtype)


@row("Cast")
def _cast(graph, inputs, spec, given):
    from tilewright.trace.graph import device_type

    tensor, wanted = inputs[0], given["dtype"]
    if wanted.is_bool and not tensor.dtype.is_bool:
        floats = _floats(graph, [tensor])[0]
        zero = graph.constant(0, floats.shape, floats.dtype)
        return ROWS["NotEqual"](graph, [floats, zero], None, {})
    if tensor.dtype.is_floating and wanted.is_integer:
        tensor = _toward_zero(graph, tensor)
    return graph.as_device(tensor, device_type(wanted, "tf.cast"), wanted)


def _toward_zero(graph, tensor):
    """The engine rounds when it converts to whole numbers; TensorFlow cuts."""
    whole = _whole(graph, tensor)
    size, rounded = graph.emit("abs", [tensor]), graph.emit("abs", [whole])
    beyond = graph.emit("greater", [rounded, size])
    return graph.emit("mul", [graph.emit("sign", [tensor]), graph.emit("sub", [rounded, beyond])])


def _whole(graph, tensor):
    """The nearest whole numbers, in the tensor's own type."""
    return graph.as_device(graph.as_device(tensor, "int32", dtypes.int32), graph.raw.dtype(tensor.number), tensor.dtype)


def _floor_of(graph, tensor):
    whole = _whole(graph, tensor)
    return graph.emit("sub", [whole, graph.emit("greater", [whole, tensor])])


@row("Floor")
def _floor(graph, inputs, spec, given):
    return _floor_of(graph, inputs[0]) if inputs[0].dtype.is_floating else inputs[0]


@row("Ceil")
def _ceil(graph, inputs, spec, given):
    whole = _whole(graph, inputs[0])
    return graph.emit("add", [whole, graph.emit("greater", [inputs[0], whole])])


@row("FloorDiv")
def _floor_division(graph, inputs, spec, given, remainder=False):
    """Of whole numbers exact below 2^24."""
    dtype, device = inputs[0].dtype, graph.raw.dtype(inputs[0].number)
    a, b = _floats(graph, _common(graph, inputs))
    result = _floor_of(graph, graph.emit("div", [a, b]))
    if remainder:
        result = graph.emit("sub", [a, graph.emit("mul", [result, b])])
    return graph.as_device(result, device, dtype)


ROWS["FloorMod"] = lambda graph, inputs, spec, given: _floor_division(graph, inputs, spec, given, True)


# Products ---------------------------------------------------------------------------------------------------------------


@row("MatMul")
def _matmul(graph, inputs, spec, given):
    flags = {"transpose_a": given.get("transpose_a", False), "transpose_b": given.get("transpose_b", False)}
    plain = all(tensor.shape.rank == 2 for tensor in inputs)
    return graph.emit("matmul" if plain else "batch_matmul", inputs, attributes=flags)


# Reductions -------------------------------------------------------------------------------------------------------------


def _reduction(kind):
    def emit(graph, inputs, spec, given):
        tensor = inputs[0]
        axes = list(axes_of(given.get("axis"), tensor.shape.rank))
        if not axes:
            return tensor
        exact = tensor if kind in ("reduce_max", "reduce_min") and not tensor.dtype.is_integer else _floats(graph, inputs)[0]
        result = graph.emit(kind, [exact], attributes={"axes": axes, "keepdims": bool(given.get("keepdims", False))})
        if tensor.dtype.is_integer:
            from tilewright.trace.graph import device_type

            result = graph.as_device(_toward_zero(graph, result) if kind == "reduce_mean" else result,
                                     device_type(tensor.dtype, kind), tensor.dtype)
        return graph.traced(result.number, TensorSpec(result.shape, tensor.dtype))
    return emit


ROWS.update({"Sum": _reduction("reduce_sum"), "Mean": _reduction("reduce_mean"), "Max": _reduction("reduce_max"),
             "Min": _reduction("reduce_min"), "Prod": _reduction("reduce_prod"), "All": _reduction("reduce_min"),
             "Any": _reduction("reduce_max")})


@row("Variance", "Std")
def _variance(graph, inputs, spec, given):
    raise not_yet("tf.math.reduce_variance and reduce_std in a tf.function on the IPU", "Compute the mean of squared differences.")


def _arg_row(kind):
    def emit(graph, inputs, spec, given):
        axis = axes_of(given.get("axis", 0), inputs[0].shape.rank)[0]
        result = graph.emit(kind, _floats(graph, inputs), spec.dtype, attributes={"axis": axis})
        return graph.as_device(result, "int32", spec.dtype)
    return emit


ROWS.update({"ArgMax": _arg_row("argmax"), "ArgMin": _arg_row("argmin")})


def _last_axis(kind):
    """An operation along the last axis; other axes are brought there and back."""
    def emit(graph, inputs, spec, given):
        tensor = inputs[0]
        rank = tensor.shape.rank
        axis = axes_of(given.get("axis", -1), rank)[0]
        if axis == rank - 1:
            return graph.emit(kind, [tensor])
        perm = list(range(rank))
        perm[axis], perm[-1] = perm[-1], perm[axis]
        turned = graph.emit("transpose", [tensor], attributes={"perm": perm})
        return graph.emit("transpose", [graph.emit(kind, [turned])], attributes={"perm": perm})
    return emit


ROWS.update({"Softmax": _last_axis("softmax"), "LogSoftmax": _last_axis("log_softmax")})


@row("CumSum")
def _cumsum(graph, inputs, spec, given):
    return graph.emit("cumsum", inputs, attributes={"axis": axes_of(given.get("axis", 0), inputs[0].shape.rank)[0],
                                                    "exclusive": bool(given.get("exclusive")), "reverse": bool(given.get("reverse"))})


# Shapes and joints ------------------------------------------------------------------------------------------------------


@row("Reshape", "ExpandDims", "Squeeze")
def _reshape(graph, inputs, spec, given):
    return graph.reshaped(inputs[0], spec.shape)


@row("BroadcastTo")
def _broadcast(graph, inputs, spec, given):
    return graph.broadcast(inputs[0], spec.shape)


@row("Transpose")
def _transpose(graph, inputs, spec, given):
    rank = inputs[0].shape.rank
    perm = given.get("perm")
    return graph.emit("transpose", inputs, attributes={"perm": list(reversed(range(rank))) if perm is None else [int(i) for i in perm]})


@row("Concat")
def _concat(graph, inputs, spec, given):
    return inputs[0] if len(inputs) == 1 else graph.emit(
        "concat", inputs, attributes={"axis": axes_of(given["axis"], inputs[0].shape.rank)[0]})


@row("Stack")
def _stack(graph, inputs, spec, given):
    axis = axes_of(given.get("axis", 0), spec.shape.rank)[0]
    single = list(spec.shape)
    single[axis] = 1
    return _concat(graph, [graph.reshaped(tensor, single) for tensor in inputs], None, {"axis": axis})


@row("Tile")
def _tile(graph, inputs, spec, given):
    result = inputs[0]
    for axis, times in enumerate(given["multiples"]):
        if times > 1:
            result = _concat(graph, [result] * int(times), None, {"axis": axis})
    return result


def _box(graph, tensor, starts, sizes):
    if all(start == 0 for start in starts) and list(sizes) == list(tensor.shape):
        return tensor
    return graph.emit("slice", [tensor], attributes={"starts": [int(x) for x in starts], "sizes": [int(x) for x in sizes]})


@row("Slice")
def _slice(graph, inputs, spec, given):
    tensor, key = inputs[0], list(given["key"])
    shape = list(tensor.shape)
    named = [part for part in key if part is not None and part is not Ellipsis]
    if Ellipsis not in key:
        key.append(Ellipsis)
    at = key.index(Ellipsis)
    key[at:at + 1] = [slice(None)] * (len(shape) - len(named))
    starts, sizes, axis = [], [], 0
    for part in key:
        if part is None:
            continue
        if isinstance(part, slice):
            low, high, step = part.indices(shape[axis])
            if step != 1:
                raise not_yet("a slice with a step in a tf.function on the IPU", "Use tf.gather with the numbers of the rows.")
            starts.append(low)
            sizes.append(max(0, high - low))
        else:
            starts.append(part % shape[axis] if shape[axis] else 0)
            sizes.append(1)
        axis += 1
    return graph.reshaped(_box(graph, tensor, starts, sizes), spec.shape)


@row("Split")
def _split(graph, inputs, spec, given):
    tensor = inputs[0]
    axis = axes_of(given["axis"], tensor.shape.rank)[0]
    extent, sizes = tensor.shape[axis], given["sizes"]
    sizes = [extent // sizes] * sizes if isinstance(sizes, int) else list(sizes)
    if -1 in sizes:
        sizes[sizes.index(-1)] = extent - sum(size for size in sizes if size != -1)
    parts, start = [], 0
    for size in sizes:
        starts, box = [0] * tensor.shape.rank, list(tensor.shape)
        starts[axis], box[axis] = start, size
        parts.append(_box(graph, tensor, starts, box))
        start += size
    return parts


@row("Unstack")
def _unstack(graph, inputs, spec, given):
    tensor = inputs[0]
    axis = axes_of(given.get("axis", 0), tensor.shape.rank)[0]
    shape = [extent for i, extent in enumerate(tensor.shape) if i != axis]
    return [graph.reshaped(part, shape) for part in _split(graph, inputs, None, {"axis": axis, "sizes": tensor.shape[axis]})]


@row("Pad")
def _pad(graph, inputs, spec, given):
    if given.get("mode", "CONSTANT").upper() != "CONSTANT" or given.get("constant_values", 0) != 0:
        raise not_yet("tf.pad with other than zeros in a tf.function on the IPU")
    pairs = given["paddings"]
    return graph.emit("pad", inputs, attributes={"before": [int(a) for a, _ in pairs], "after": [int(b) for _, b in pairs]})


@row("Gather")
def _gather(graph, inputs, spec, given):
    table, indices = inputs
    if axes_of(given.get("axis", 0), table.shape.rank)[0] != 0:
        raise not_yet("tf.gather along another axis than 0 in a tf.function on the IPU", "Transpose the table first.")
    rows, width = table.shape[0], int(np.prod(table.shape[1:], dtype=np.int64))
    flat = graph.reshaped(table, [rows, width])
    found = graph.emit("gather", [flat, graph.reshaped(indices, [int(np.prod(indices.shape, dtype=np.int64))])], table.dtype)
    return graph.reshaped(found, spec.shape)


@row("OneHot")
def _one_hot(graph, inputs, spec, given):
    if given["on"] != 1 or given["off"] != 0 or given["axis"] not in (-1, inputs[0].shape.rank):
        raise not_yet("tf.one_hot with other values or another axis in a tf.function on the IPU")
    hot = graph.emit("one_hot", [graph.as_device(inputs[0], "int32", dtypes.int32)], dtypes.float32, attributes={"depth": int(given["depth"])})
    return _cast(graph, [hot], None, {"dtype": given["dtype"]})
