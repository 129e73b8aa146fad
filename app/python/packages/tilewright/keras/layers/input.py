"""The entry of data into a model."""

from tilewright.keras.backend import floatx
from tilewright.keras.engine.keras_tensor import Node
from tilewright.keras.layers.base import Layer
from tilewright.keras.naming import unique_name
from tilewright.missing import not_yet, refuse_arguments
from tilewright.tf import dtypes
from tilewright.tf.shapes import TensorShape
from tilewright.tf.specs import TensorSpec


class InputLayer(Layer):
    """A layer without inputs, whose output is what the data bring."""

    def __init__(self, input_shape=None, batch_size=None, dtype=None, input_tensor=None, sparse=None, name=None, ragged=None,
                 type_spec=None, batch_input_shape=None, **kwargs):
        refuse_arguments("InputLayer", kwargs)
        for what, value in (("sparse", sparse), ("ragged", ragged), ("input_tensor", input_tensor), ("type_spec", type_spec)):
            if value:
                raise not_yet(f"the argument {what} of Input", "An IPU takes dense tensors of fixed shape.")
        super().__init__(name=name or unique_name("input", from_one=True))
        if batch_input_shape is None:
            if input_shape is None:
                raise ValueError("Input: shape must be given.")
            batch_input_shape = (batch_size, *TensorShape(input_shape))
        self._dtype = dtypes.as_dtype(dtype if dtype is not None else floatx()).name
        self._batch_input_shape = tuple(TensorShape(batch_input_shape))
        self.set_weight_rows([])
        self._values = {}
        Node(self, None, {}, [TensorSpec(self._batch_input_shape, self._dtype, self.name)])

    def output_name(self, tensor, suffix):
        return self._name

    @property
    def output_shape(self):
        return [self._batch_input_shape]

    input_shape = output_shape

    def get_config(self):
        return {"batch_input_shape": self._batch_input_shape, "dtype": self._dtype, "sparse": False, "ragged": False,
                "name": self.name}

    def keras_json(self):
        return {"class_name": "InputLayer", "config": {**self.get_config(), "batch_input_shape": list(self._batch_input_shape)}}


def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=None, tensor=None, ragged=None, type_spec=None, **kwargs):
    """A symbolic tensor for the data of one input. `shape` is without the batch: a tuple, a list or a number."""
    batch_shape = kwargs.pop("batch_shape", None)
    refuse_arguments("Input", kwargs, ("batch_shape",))
    if shape is None and batch_shape is None:
        raise ValueError("Please provide to Input a `shape`: the shape of a sample, without the batch.")
    layer = InputLayer(shape, batch_size, dtype, tensor, sparse, name, ragged, type_spec, batch_shape)
    return layer._inbound_nodes[0].outputs[0]
