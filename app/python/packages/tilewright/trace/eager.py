"""Eager operations on the IPU: each is compiled and run alone, as on the real system."""

from tilewright.tf import optable
from tilewright.tf.tensor import EagerTensor
from tilewright.trace.function import Concrete

_programs = {}


def run(op, tensors, attributes):
    """The results of one operation on tensors with values. Programs are kept by operation, attributes, shapes and types."""
    key = (op.name, repr(sorted(attributes.items())), tuple((tensor.dtype.name, tuple(tensor.shape)) for tensor in tensors))
    if key not in _programs:
        def alone(*inputs):
            return optable.apply(op.name, *inputs, **attributes)

        _programs[key] = Concrete(op.name, alone, list(tensors), {}, _Placed)
    return _programs[key](list(tensors))


class _Placed:
    """Stands for the strategy of operations that tf.device places on the IPU."""


def is_placeable(op, tensors):
    """Whether the device has the operation and its types."""
    from tilewright.trace.graph import DEVICE
    from tilewright.trace.lowering import ROWS

    return bool(tensors) and op.name in ROWS and all(isinstance(tensor, EagerTensor) and tensor.dtype.name in DEVICE for tensor in tensors)
