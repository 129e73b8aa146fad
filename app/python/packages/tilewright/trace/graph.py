"""The function that is being traced: its engine graph, its variables, and what it captured."""

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import dtypes, errors
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import EagerTensor, convert_to_tensor
from tilewright.trace.tensor import TracedTensor

#: The device's type of each type of TensorFlow. Truth values are 1 and 0.
DEVICE = {"float32": "float32", "float16": "float16", "int32": "int32", "int64": "int32", "uint32": "int32", "uint8": "uint8",
          "bool": "float32"}
#: Constants with more elements are written to the device before the function runs.
_MOST_CONSTANTS = 4096


def device_type(dtype, where):
    """The device's type for a type of TensorFlow. Raises TypeError for one that it does not have."""
    name = dtypes.as_dtype(dtype).name
    if name not in DEVICE:
        raise TypeError(f"{where}: the IPU has no type {name}. Cast to float32, float16, int32 or bool first.")
    return DEVICE[name]


class FunctionGraph:
    """One traced function."""

    def __init__(self, name):
        import _tilewright

        self.name = name
        self.raw = _tilewright.Graph(name)
        self.variables = {}      # id of a variable -> (variable, its number)
        self.written = {}        # the same of those that the function assigns
        self.captured = []       # (name of a device variable, array): written before each run
        self.infeed_of = None    # the iterator that feeds the loop
        self.outfeed_of = None   # the queue that takes results
        self.loops = 0

    # Values -------------------------------------------------------------------------------------------------------------

    def traced(self, number, spec):
        return TracedTensor(self, number, spec)

    def emit(self, kind, inputs, dtype=None, shape=None, attributes=None, outputs=None):
        """Appends one operation of the engine and returns its first result. `inputs` are traced tensors; `dtype` is
        TensorFlow's type of the result, that of the first input by default."""
        numbers = self.raw.op(kind, [tensor.number for tensor in inputs], attributes or {}, kind, outputs or [])
        return self.result(numbers[0], dtype or inputs[0].dtype)

    def result(self, number, dtype):
        return self.traced(number, TensorSpec(self.raw.shape(number), dtype))

    def reshaped(self, tensor, shape):
        shape = [int(extent) for extent in shape]
        if list(tensor.shape) == shape:
            return tensor
        return self.emit("reshape", [tensor], outputs=[(shape, self.raw.dtype(tensor.number))])

    def broadcast(self, tensor, shape):
        shape = [int(extent) for extent in shape]
        if list(tensor.shape) == shape:
            return tensor
        return self.emit("broadcast", [tensor], outputs=[(shape, self.raw.dtype(tensor.number))])

    def as_device(self, tensor, device, dtype):
        """The tensor in another type of the device, known as `dtype`."""
        if self.raw.dtype(tensor.number) == device:
            return self.traced(tensor.number, TensorSpec(tensor.shape, dtype))
        return self.emit("cast", [tensor], dtype, outputs=[(list(tensor.shape), device)])

    def constant(self, value, shape, dtype):
        """A tensor of equal elements."""
        return self.result(self.raw.constant(float(value), list(shape), device_type(dtype, self.name)), dtypes.as_dtype(dtype))

    def lift(self, value, dtype=None):
        """A traced tensor of any value."""
        if hasattr(value, "_read_tensor"):
            value = value._read_tensor()
        if isinstance(value, TracedTensor):
            if value.graph is not self:
                raise errors.InaccessibleTensorError(
                    f"The tensor {value.name} belongs to the function {value.graph.name}. Return it from the function instead of "
                    "keeping it.")
            return value
        if isinstance(value, (list, tuple)) and any(isinstance(part, TracedTensor) for part in value):
            from tilewright.tf.functions import stack

            return stack([self.lift(part, dtype) for part in value])
        tensor = convert_to_tensor(value, dtype)
        array = np.asarray(tensor._value)
        device = device_type(tensor.dtype, f"a value that {self.name} captured")
        if array.size and np.all(array == array.flat[0]):
            return self.constant(float(array.flat[0]), array.shape, tensor.dtype)
        if array.size <= _MOST_CONSTANTS:
            number = self.raw.constants([float(x) for x in array.ravel()], list(array.shape), device)
        else:
            name = f"{self.name}/captured_{len(self.captured)}"
            self.captured.append((name, array.astype(device)))
            number = self.raw.read(self.raw.variable(name, list(array.shape), device))
        return self.result(number, tensor.dtype)

    # Operations ---------------------------------------------------------------------------------------------------------

    def apply(self, op, inputs, attributes):
        """What TensorFlow's operation becomes."""
        from tilewright.trace.lowering import ROWS

        if op.inputs == "same":
            tensors = self._together(op.name, inputs)
        else:
            tensors = [self.lift(value) for value in inputs]
        try:
            spec = op.infer([tensor.spec for tensor in tensors], **attributes)
        except errors.InvalidArgumentError as error:
            raise ValueError(str(error)) from None
        except ValueError as error:
            raise ValueError(f"{op.name}: {error}") from None
        row = ROWS.get(op.name)
        if row is None:
            raise not_yet(f"the operation {op.name} in a tf.function on the IPU", "Outside of functions it computes on the host.")
        return row(self, tensors, spec, attributes)

    def _together(self, name, inputs):
        read = [value._read_tensor() if hasattr(value, "_read_tensor") else value for value in inputs]
        typed = [value for value in read if isinstance(value, (TracedTensor, EagerTensor))]
        dtype = typed[0].dtype
        for value in typed[1:]:
            if value.dtype != dtype:
                raise TypeError(f"{name}: the operands have the types {dtype.name} and {value.dtype.name}. Types are not converted by "
                                "themselves: tf.cast changes one.")
        tensors = []
        for value in read:
            if isinstance(value, (np.ndarray, np.generic)) and not (dtype.is_integer and np.asarray(value).dtype.kind == "f"):
                value = np.asarray(value).astype(dtype.as_numpy_dtype)
            tensors.append(self.lift(value, None if isinstance(value, (TracedTensor, EagerTensor)) else dtype))
        return tensors

    # Variables ----------------------------------------------------------------------------------------------------------

    def number_of(self, variable):
        if id(variable) not in self.variables:
            name = self._name_for(variable)
            number = self.raw.variable(name, list(variable.shape), device_type(variable.dtype, variable.name))
            self.variables[id(variable)] = (variable, number, name)
        return self.variables[id(variable)][1]

    def _name_for(self, variable):
        name = variable.name.partition(":")[0]
        taken = {entry[2] for entry in self.variables.values()}
        return name if name not in taken else f"{name}#{len(taken)}"

    def adopt(self, variable, name):
        """Takes note of a variable that the engine's graph has already, under this name."""
        if id(variable) not in self.variables:
            self.variables[id(variable)] = (variable, self.raw.variable_named(name), name)

    def read(self, variable):
        return self.result(self.raw.read(self.number_of(variable)), variable.dtype)

    def assign(self, variable, value):
        tensor = self.lift(value, variable.dtype if not isinstance(value, (TracedTensor, EagerTensor)) else None)
        if tensor.dtype != variable.dtype:
            raise ValueError(f"{variable.name}: a value of type {tensor.dtype.name} cannot be assigned to {variable.dtype.name}.")
        if not variable.shape.is_compatible_with(tensor.shape):
            raise ValueError(f"{variable.name}: a value of shape {tensor.shape} cannot be assigned to the shape {variable.shape}.")
        self.raw.assign(self.number_of(variable), tensor.number)
        self.written[id(variable)] = variable
