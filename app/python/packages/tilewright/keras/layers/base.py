"""What all layers have: name, weights, calls, and the stage of a pipeline."""

import numpy as np

from tilewright.keras.engine.own_call import call, tracked
from tilewright.keras.naming import snake_case, unique_name
from tilewright.missing import NotThereYet, not_yet
from tilewright.tf import dtypes, nest
from tilewright.tf.shapes import TensorShape
from tilewright.tf.variable import Variable


class WeightCell:
    """A variable's place in its layer's values."""

    def __init__(self, layer, key):
        self._layer, self._key = layer, key

    def read(self):
        return self._layer.weight_values()[self._key]

    def write(self, array):
        self._layer.weight_values()[self._key] = np.array(array)
        self._layer.weights_changed()


class Layer:
    """The base of all layers. Weights live in `_values` by name; while a training runs, its device has the newest."""

    def __init__(self, trainable=True, name=None, dtype=None, dynamic=False, **kwargs):
        self._name = name or unique_name(snake_case(type(self).__name__))
        self._trainable = trainable
        self._dtype = None if dtype is None else getattr(dtype, "name", None) or dtypes.as_dtype(dtype).name
        self._batch_input_shape = _input_shape(type(self).__name__, kwargs)
        self._inbound_nodes = []
        self._rows = None      # the weights: name, shape, dtype, trainable
        self._values = None    # name -> array
        self._variables = []
        self._live = None      # the training that holds the newest values
        self._own_variables = []  # of add_weight
        self._penalized = []      # (variable, its regularizer)
        self.built = False
        from tilewright.ipu.pipelining import current_stage

        self._stage = current_stage()

    # Names and types ----------------------------------------------------------------------------------------------------

    @property
    def name(self):
        return self._name

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        self._trainable = bool(value)

    @property
    def dtype(self):
        return self._dtype or default_dtype()

    def output_name(self, tensor, suffix):
        return f"{self._name}{suffix}/{'output' if tensor == 0 else f'output_{tensor}'}:0"

    # Calls --------------------------------------------------------------------------------------------------------------

    def _node(self):
        if not self._inbound_nodes:
            raise AttributeError(f"The layer {self._name} has never been called: it has no input and output yet.")
        return self._inbound_nodes[0]

    @property
    def input(self):
        inputs = self._node().inputs
        return inputs[0] if len(inputs) == 1 else inputs

    @property
    def output(self):
        outputs = self._node().outputs
        return outputs[0] if len(outputs) == 1 else outputs

    @property
    def input_shape(self):
        shapes = [tuple(tensor.shape) for tensor in self._node().inputs]
        return shapes[0] if len(shapes) == 1 else shapes

    @property
    def output_shape(self):
        shapes = [tuple(tensor.shape) for tensor in self._node().outputs]
        return shapes[0] if len(shapes) == 1 else shapes

    def call(self, inputs, *args, **kwargs):
        """What the layer does; a script's own layer says it by the layers that it calls."""
        raise not_yet(f"the layer {type(self).__name__} without a call of its own")

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, constraint=None,
                   use_resource=None, synchronization=None, aggregation=None, **kwargs):
        """A weight of a script's own layer; also with the shape in front, as add_weight(shape=…)."""
        from tilewright.keras.own_weights import make_weight
        from tilewright.keras.penalties import get_constraint, get_regularizer
        from tilewright.missing import refuse_arguments

        refuse_arguments("add_weight", kwargs, ("getter", "collections", "experimental_autocast", "caching_device"))
        if isinstance(name, (tuple, list)) and (shape is None or isinstance(shape, str)):
            name, shape = shape, name
        dtype = dtype or ("float32" if self.dtype.startswith("mixed") else self.dtype)
        variable = make_weight(self._name, name or f"weight_{len(self._own_variables)}", shape, dtype, initializer,
                               True if trainable is None else bool(trainable))
        variable.constraint = get_constraint(constraint)
        self._own_variables.append(variable)
        if regularizer is not None:
            self._penalized.append((variable, get_regularizer(regularizer)))
        return variable

    def add_loss(self, losses, **kwargs):
        """Adds a term to the loss of the model: inside `call`, a tensor or several."""
        from tilewright.trace.additions import add_loss

        add_loss(self, losses)

    def add_metric(self, value, name=None, **kwargs):
        """Adds the mean of a tensor to what fit and evaluate report: inside `call`."""
        from tilewright.trace.additions import add_metric

        add_metric(self, value, name)

    def build(self, input_shape):
        """A script's own layer may make its inner layers here."""

    def __call__(self, inputs, *args, **kwargs):
        if not self.built:
            shapes = [tuple(tensor.shape) for tensor in nest.flatten(inputs)]
            self.build(TensorShape(shapes[0]) if len(shapes) == 1 else [TensorShape(shape) for shape in shapes])
            self.built = True
        if not is_symbolic(inputs):
            from tilewright.trace.context import current

            if current() is None:
                return call(self, inputs, args, kwargs)
            from tilewright.keras.engine.described import computed

            return computed(self, inputs, args, kwargs, kwargs.get("training"))
        if not self._made_variables():
            try:
                return call(self, inputs, args, kwargs)
            except NotThereYet:
                pass  # not made of layers alone: Python describes it
        from tilewright.keras.engine.described import node_of

        return node_of(self, inputs, args, kwargs)

    def _made_variables(self):
        """The variables of the layer itself: of add_weight, and those among its attributes."""
        made = list(self._own_variables)
        for variable in tracked(self, Variable):
            if not any(variable is other for other in made):
                made.append(variable)
        return made

    # Weights ------------------------------------------------------------------------------------------------------------

    def set_weight_rows(self, rows):
        """Declares the weights once their shapes are known."""
        self._rows = [{**row, "key": row["name"].partition("/")[2]} for row in rows]
        self._variables = [Variable.over(WeightCell(self, row["key"]), row["shape"], row["dtype"], f"{self._name}/{row['key']}",
                                         row["trainable"]) for row in self._rows]
        self.built = True
        if not rows:
            self._values = {}

    def weight_values(self):
        """The newest values by name."""
        if self._live is not None:
            self._live.pull()
        if self._values is None:
            self._values = self.first_values()
        return self._values

    def weights_changed(self):
        if self._live is not None:
            self._live.changed()

    def first_values(self):
        raise ValueError(f"The weights of the layer {self._name} have not been created: it has not been built.")

    @property
    def weights(self):
        """Those of the layer itself, or of the layers that a script's own layer is made of."""
        if self._rows is not None:
            return list(self._variables)
        return [*self._made_variables(), *(variable for part in parts_of(self) for variable in part.weights)]

    variables = weights

    @property
    def trainable_weights(self):
        return [variable for variable in self.weights if variable.trainable and self._trainable]

    @property
    def non_trainable_weights(self):
        return [variable for variable in self.weights if not (variable.trainable and self._trainable)]

    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights

    def get_weights(self):
        if self._rows is None:
            return [np.array(variable.numpy()) for variable in self.weights]
        return [np.array(self.weight_values()[row["key"]]) for row in self._rows]

    def set_weights(self, weights):
        assign_weights(f"the layer {self._name}", self._variables if self._rows is not None else self.weights, weights)

    def count_params(self):
        if not self.built:
            raise ValueError(f"The layer {self._name} is not built, so its parameters cannot be counted. Call it or build it first.")
        return sum(int(np.prod(tuple(variable.shape))) for variable in self.weights)

    @property
    def losses(self):
        """Terms of the loss that the layer adds, and penalties of its weights."""
        from tilewright.trace.additions import losses_of

        return losses_of([self])

    def get_config(self):
        return {"name": self._name, "trainable": self._trainable, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def __repr__(self):
        return f"<keras.layers.{type(self).__name__} '{self._name}'>"


def parts_of(owner):
    """The layers and models among the attributes of an object."""
    from tilewright.keras.models import Model

    return tracked(owner, (Layer, Model))


def assign_weights(owner, variables, weights):
    """Gives variables the arrays of a list of the same length and shapes."""
    weights = list(weights)
    if len(weights) != len(variables):
        raise ValueError(f"You called set_weights on {owner} with {len(weights)} arrays, but it has {len(variables)} weights.")
    for variable, value in zip(variables, weights):
        if tuple(np.shape(value)) != tuple(variable.shape):
            raise ValueError(f"{owner}: the weight {variable.name} has the shape {variable.shape}, the array {np.shape(value)}.")
    for variable, value in zip(variables, weights):
        variable.assign(np.asarray(value, variable.dtype.as_numpy_dtype))


def default_dtype():
    """The type of new layers: the policy of mixed precision, else floatx."""
    from tilewright.keras import backend

    return backend.layer_dtype()


def _input_shape(where, kwargs):
    """The shape of a first layer's input, with its batch, taken out of the keyword arguments; None without one."""
    from tilewright.missing import refuse_arguments

    batch = kwargs.pop("batch_size", None)
    shape = kwargs.pop("batch_input_shape", None)
    if "input_shape" in kwargs:
        shape = (batch, *_as_tuple(kwargs.pop("input_shape")))
    elif "input_dim" in kwargs and where != "Embedding":
        shape = (batch, kwargs.pop("input_dim"))
    kwargs.pop("autocast", None)
    weights = kwargs.pop("weights", None)
    if weights is not None:
        raise not_yet(f"the argument weights of {where}", "set_weights gives a built layer its weights.")
    refuse_arguments(where, kwargs)
    return None if shape is None else tuple(shape)


def _as_tuple(shape):
    return (shape,) if isinstance(shape, int) else tuple(shape)


def is_symbolic(inputs):
    from tilewright.keras.engine.keras_tensor import KerasTensor

    return any(isinstance(tensor, KerasTensor) for tensor in nest.flatten(inputs))
