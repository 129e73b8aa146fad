"""A value of a function that is being traced."""

from tilewright.tf import errors
from tilewright.tf.optable import SymbolicTensor
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import Tensor
from tilewright.trace.context import current


class TracedTensor(Tensor, SymbolicTensor):
    """Shape and type are known, the value is not. `number` is its place in the engine's graph."""

    def __init__(self, graph, number, spec):
        self.graph, self.number, self.spec = graph, number, spec

    @property
    def shape(self):
        return self.spec.shape

    @property
    def dtype(self):
        return self.spec.dtype

    @property
    def name(self):
        return f"{self.graph.name}/{self.number}:0"

    def apply_op(self, op, inputs, attributes):
        return current_graph(self).apply(op, inputs, attributes)

    def numpy(self):
        raise AttributeError("'Tensor' object has no attribute 'numpy': inside a tf.function a tensor has no value yet.")

    def __bool__(self):
        raise errors.OperatorNotAllowedInGraphError(
            "A tensor of a tf.function cannot decide a Python branch here: its value is not known while the function is traced. "
            "AutoGraph converts if and while statements of the function itself; elsewhere use tf.cond or tf.where.")

    def __len__(self):
        raise TypeError("len() of a tensor of a tf.function is not defined. Use tensor.shape[0].")

    def __iter__(self):
        if self.shape.rank == 0:
            raise TypeError("A scalar tensor cannot be iterated.")
        return (self[i] for i in range(self.shape[0]))

    def __int__(self):
        raise TypeError("A tensor of a tf.function has no value yet: int() needs one.")

    def __float__(self):
        raise TypeError("A tensor of a tf.function has no value yet: float() needs one.")

    def __index__(self):
        raise TypeError("A tensor of a tf.function has no value yet and is no Python index.")

    def __array__(self, dtype=None):
        raise NotImplementedError("A tensor of a tf.function has no value yet: numpy cannot read it.")

    def __hash__(self):
        raise TypeError("A tensor is not hashable. Use tensor.ref() as a key.")

    __eq__, __ne__ = Tensor.__eq__, Tensor.__ne__

    def set_shape(self, shape):
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"The shape {self.shape} is not compatible with {shape}.")

    def __str__(self):
        return f'Tensor("{self.name}", shape={self.shape}, dtype={self.dtype.name})'

    def __repr__(self):
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


def current_graph(tensor):
    """The graph being traced, to which the tensor must belong."""
    graph = current()
    if graph is not tensor.graph:
        raise errors.InaccessibleTensorError(
            f"The tensor {tensor.name} belongs to the function {tensor.graph.name}, which is not being traced now. Return it from "
            "the function instead of keeping it.")
    return graph


def spec_of(value):
    return TensorSpec(value.shape, value.dtype)
