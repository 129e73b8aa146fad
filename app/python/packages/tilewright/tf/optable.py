"""The table of operations, and the one way through which every value goes.

An operation has a name, a rule that infers shape and type, and a kernel on host arrays. `apply` looks at its inputs: if one
of them is symbolic, that one decides what the operation means (a Keras tensor makes a layer, a traced tensor a node of a
graph); otherwise the kernel computes. Nothing outside the table computes with tensors, so other kernels can take its place.
"""

import numpy as np

from tilewright.tf import dtypes, errors
from tilewright.tf.device import is_on_ipu
from tilewright.tf.specs import TensorSpec
from tilewright.trace.context import current


class Op:
    """One operation. `inputs` says how arguments become tensors: "same" type for all, "each" its own, "list" one list."""

    def __init__(self, name, infer, kernel, inputs="same"):
        self.name = name
        self.infer = infer
        self.kernel = kernel
        self.inputs = inputs


TABLE = {}

#: Returned by a kernel's rule for results whose shape depends on the values.
UNKNOWN = object()


def define(name, infer, inputs="same"):
    """Decorates a kernel: kernel(*arrays, **attributes) -> array or list of arrays."""
    def enter(kernel):
        TABLE[name] = Op(name, infer, kernel, inputs)
        return kernel
    return enter


def eager_on_ipu():
    """The module of eager operations on the IPU, loaded when the first one is met."""
    from tilewright.trace import eager

    return eager


class SymbolicTensor:
    """A tensor without a value. apply_op(op, inputs, attributes) records the operation and returns symbolic results."""


def apply(name, *inputs, **attributes):
    """Applies an operation to tensors, variables, arrays and Python values; returns a tensor or a list of tensors."""
    op = TABLE[name]
    if current() is not None:  # variables are read by the function that is traced
        inputs = tuple(value._read_tensor() if hasattr(value, "_read_tensor") else value for value in inputs)
    for value in inputs:
        if isinstance(value, SymbolicTensor):
            return value.apply_op(op, inputs, attributes)
        if isinstance(value, (list, tuple)):
            for part in value:
                if isinstance(part, SymbolicTensor):
                    return part.apply_op(op, inputs, attributes)
    return _compute(op, inputs, attributes)


def _compute(op, inputs, attributes):
    from tilewright.tf.tensor import EagerTensor, convert_together, convert_to_tensor

    if op.inputs == "same":
        tensors = convert_together(inputs, op.name)
    else:
        tensors = [convert_to_tensor(value) for value in inputs]
    try:
        spec = op.infer(tensors, **attributes)  # a tensor has shape and dtype, as a spec
    except ValueError as error:
        raise errors.invalid(f"{op.name}: {error}") from None
    if is_on_ipu() and eager_on_ipu().is_placeable(op, tensors):
        return eager_on_ipu().run(op, tensors, attributes)
    arrays = [tensor._value for tensor in tensors]
    if any(array.dtype.kind == "f" for array in arrays):
        with np.errstate(all="ignore"):
            result = op.kernel(*arrays, **attributes)
    else:
        result = op.kernel(*arrays, **attributes)
    if isinstance(result, list):
        return [EagerTensor(np.asarray(part)) for part in result]
    dtype = spec.dtype if isinstance(spec, TensorSpec) else None
    if dtype is not None and dtype != dtypes.string:
        return EagerTensor(np.asarray(result, dtype.as_numpy_dtype), dtype)
    return EagerTensor(np.asarray(result))
