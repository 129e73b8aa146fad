"""Model and Sequential."""

import json

import numpy as np

from tilewright.ipu.model_options import IpuOptions
from tilewright.keras import backend
from tilewright.keras.engine import probe
from tilewright.keras.engine.network import Network, sequential_json
from tilewright.keras.engine.described import shapes_of
from tilewright.keras.engine.own_call import PHASE, call, has_own_call
from tilewright.keras.layers.base import Layer, assign_weights, is_symbolic, parts_of
from tilewright.keras.layers.input import InputLayer
from tilewright.keras.naming import snake_case, unique_name
from tilewright.keras.training.compiled import Compiled
from tilewright.keras.training.runs import Runs
from tilewright.keras.training.steps import Steps
from tilewright.keras.training.traced import Steps as TracedSteps
from tilewright.missing import NotThereYet, not_yet, refuse_arguments
from tilewright.tf import nest
from tilewright.tf.tensor import EagerTensor, convert_to_tensor
from tilewright.trace.models import call_model, is_traced


class Model(Compiled, Runs, Steps, IpuOptions):
    """A model of layers. Model(inputs, outputs) is a functional one."""

    def __init__(self, *args, **kwargs):
        name = kwargs.pop("name", None)
        self._trainable = kwargs.pop("trainable", True)
        self._own = has_own_call(self, Model)  # a subclass with a call of its own
        args = [] if self._own else args
        inputs = kwargs.pop("inputs", args[0] if args else None)
        outputs = kwargs.pop("outputs", args[1] if len(args) > 1 else None)
        refuse_arguments("Model", kwargs, ("inputs", "outputs", "name", "trainable"))
        self._name = name or unique_name(snake_case(type(self).__name__))
        self._network = None
        self._begin()
        if inputs is not None and outputs is not None:
            self._set_network(inputs, outputs)
        elif not self._own and not isinstance(self, Sequential) and type(self).train_step is Steps.train_step:
            raise TypeError(f"{type(self).__name__} needs inputs and outputs, or a method `call` of its own.")

    def _begin(self):
        self._described = False     # a subclass whose call is not made of layers alone
        self._own_variables, self._penalized, self._step_programs = [], [], {}
        self._inbound_nodes = []
        self.stop_training = False
        self.history = None
        self._live = None
        self.begin_compiled()
        self.begin_ipu_options()

    def call(self, inputs, training=None, mask=None):
        """Runs the model on tensors. A subclass says here which layers it is made of."""
        return self(inputs, training)

    def _set_network(self, inputs, outputs):
        for tensor in [*nest.flatten(inputs), *nest.flatten(outputs)]:
            if not is_symbolic([tensor]):
                raise ValueError(f"Model takes symbolic tensors, such as Input returns; found {tensor!r}.")
        self._network = Network(inputs, outputs, self._name)

    # What a model is made of --------------------------------------------------------------------------------------------

    @property
    def name(self):
        return self._name

    @property
    def built(self):
        return self._network is not None or self._described

    def built_symbolically(self):
        """Whether a network of layer calls is known."""
        return self._network is not None

    def described_layers(self):
        """What Python describes and the engine does not have: single layers, or all of a subclass."""
        if self._described or (self._network is None and not self._own and type(self).train_step is not Steps.train_step):
            return [self]
        return self._network.described() if self._network is not None else []

    def all_layers(self):
        """The model itself and its layers, with those inside of others."""
        found = [self]
        waiting = [*parts_of(self), *(self._network.layers if self._network is not None else [])]
        while waiting:
            layer = waiting.pop(0)
            if not any(layer is other for other in found):
                found.append(layer)
                waiting.extend(parts_of(layer))
                if isinstance(layer, Model) and layer._network is not None:
                    waiting.extend(layer._network.layers)
        return found

    def traced_steps(self, kind):
        """The programs of one kind of step, of this compile."""
        programs = self._step_programs.setdefault(kind, TracedSteps(self, kind))
        return programs

    def network(self):
        if self._network is None:
            raise ValueError(f"The model {self._name} has not yet been built: its shapes are not known. Build it with build(), call it, "
                             "fit it, or give its first layer an input_shape.")
        return self._network

    @property
    def layers(self):
        if self._own or self._network is None:
            return parts_of(self)
        return list(self._network.layers)

    @property
    def inputs(self):
        return list(self.network().inputs)

    @property
    def outputs(self):
        return list(self.network().outputs)

    @property
    def input(self):
        return self.network().input_nest

    @property
    def output(self):
        return self.network().output_nest

    @property
    def input_names(self):
        return [tensor._keras_history[0].name for tensor in self.inputs]

    @property
    def output_names(self):
        return self.network().output_names()

    @property
    def input_shape(self):
        shapes = [tuple(tensor.shape) for tensor in self.inputs]
        return shapes[0] if len(shapes) == 1 else shapes

    @property
    def output_shape(self):
        shapes = [tuple(tensor.shape) for tensor in self.outputs]
        return shapes[0] if len(shapes) == 1 else shapes

    def get_layer(self, name=None, index=None):
        if index is not None:
            if not -len(self.layers) <= index < len(self.layers):
                raise ValueError(f"Was asked to retrieve layer at index {index} but the model has only {len(self.layers)} layers.")
            return self.layers[index]
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}. The layers are {[layer.name for layer in self.layers]}.")

    def build(self, input_shape=None):
        """Builds a subclassed model for a shape with the batch first, or a list of shapes. Functional models are built already."""
        if self._own and self._network is None and input_shape is not None:
            shapes = input_shape if isinstance(input_shape, list) and isinstance(input_shape[0], (tuple, list)) else [input_shape]
            self._call_symbolically([tuple(shape) for shape in shapes], [backend.floatx()] * len(shapes))

    def _call_symbolically(self, shapes, dtypes):
        """Calls a subclass on symbolic inputs: its network is what the call made."""
        inputs = [InputLayer(batch_input_shape=shape, dtype=dtype, name=f"{self._name}_input_{i + 1}").output
                  for i, (shape, dtype) in enumerate(zip(shapes, dtypes))]
        inputs = inputs[0] if len(inputs) == 1 else inputs
        try:
            if self._made_variables():
                raise NotThereYet(f"variables of the model {self._name} in a network of layers are not there yet.")
            self._set_network(inputs, call(self, inputs, (), {"training": PHASE}))
        except NotThereYet:
            self._described = True
            shapes_of(self, inputs, (), {})

    add_weight, add_loss, add_metric = Layer.add_weight, Layer.add_loss, Layer.add_metric
    _made_variables = Layer._made_variables

    @property
    def dtype(self):
        return backend.floatx()

    # Weights ------------------------------------------------------------------------------------------------------------

    def ensure_weights(self):
        """Gives layers without values those that the engine draws for this model."""
        if self._network is None and (self._described or type(self).train_step is not Steps.train_step):
            return
        waiting = [layer for layer in self.network().layers if layer._values is None and layer._rows]
        if not waiting:
            return
        from tilewright.keras.training.fields import seed

        project = self.project() if not self._network.described() else probe.project_of(self._network.known_json())
        project.set("training.seed", str(seed()))
        values = project.initial_weights()
        for layer in waiting:
            layer._values = {row["key"]: values[f"{layer.name}/{row['key']}"] for row in layer._rows}

    def _weighted(self):
        """The layers in the order of the weights: a subclass's own order first."""
        layers = self.layers
        more = self._network.layers if self._own and self._network is not None else []
        return [*layers, *(layer for layer in more if not _holds(layers, layer))]

    def named_weights(self):
        """The newest values by the project's names."""
        self.ensure_weights()
        return {f"{layer.name}/{key}": value for layer in self.network().layers for key, value in layer.weight_values().items()}

    @property
    def weights(self):
        self.ensure_weights()
        return [*self.trainable_weights, *self.non_trainable_weights] if not self._trainable else \
            _once([*self._made_variables(), *(variable for layer in self._weighted() for variable in layer.weights)])

    variables = weights

    @property
    def trainable_weights(self):
        self.ensure_weights()
        made = [variable for variable in self._made_variables() if variable.trainable]
        inner = [variable for layer in self._weighted() for variable in layer.trainable_weights]
        return _once([*made, *inner]) if self._trainable else []

    @property
    def non_trainable_weights(self):
        self.ensure_weights()
        trained = {id(variable) for variable in self.trainable_weights}
        every = [*self._made_variables(), *(variable for layer in self._weighted() for variable in layer.weights)]
        return [variable for variable in _once(every) if id(variable) not in trained]

    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights

    @property
    def trainable(self):
        return self._trainable

    @trainable.setter
    def trainable(self, value):
        self._trainable = bool(value)
        for layer in self.layers:
            layer.trainable = value

    def get_weights(self):
        return [np.array(variable.numpy()) for variable in self.weights]

    def set_weights(self, weights):
        assign_weights(f"the model {self._name}", self.weights, weights)

    def count_params(self):
        if self._network is None or self._network.described():
            return sum(int(np.prod(tuple(variable.shape))) for variable in self.weights)
        return sum(layer.count_params() for layer in self._network.layers)

    @property
    def losses(self):
        """Terms that layers add to the loss and penalties of weights, inside of a function."""
        from tilewright.trace.additions import losses_of

        return losses_of(self.all_layers())

    def save_weights(self, filepath, overwrite=True, save_format=None, options=None):
        """Writes the weights to an .npz beside the name; TensorFlow's and HDF5's formats are not there yet."""
        from tilewright.keras.saving import save_weights

        save_weights(self, filepath, save_format)

    def load_weights(self, filepath, by_name=False, skip_mismatch=False, options=None):
        from tilewright.keras.saving import load_weights

        return load_weights(self, filepath, by_name)

    def save(self, filepath, **kwargs):
        """Writes the model with its compile arguments and weights as a project of Tilewright."""
        from tilewright.keras.saving import save_model

        save_model(self, filepath)

    # Form ---------------------------------------------------------------------------------------------------------------

    def _document(self):
        return self.network().keras_json()

    def project(self):
        """A new project of the model, with nothing but the model set."""
        return probe.project_of(self._document())

    def to_json(self, **kwargs):
        return self.project().keras_json()

    def get_config(self):
        return json.loads(self.to_json())["config"]

    def summary(self, line_length=None, positions=None, print_fn=None, **kwargs):
        """Prints Keras's table of the layers."""
        if self._own or self.described_layers():
            raise not_yet("the summary of a model that Python describes")
        if line_length is not None or positions is not None:
            raise not_yet("summary with line_length or positions")
        write = print_fn or print
        self.network()
        for line in self.project().summary().rstrip("\n").split("\n"):
            write(line)

    def __call__(self, inputs, training=None, mask=None):
        if self._own and is_symbolic(inputs) and not self._described:
            return call(self, inputs, (), {"training": PHASE if training is None else training})
        if is_traced(inputs):
            return call_model(self, inputs, training)
        if is_symbolic(inputs):
            raise not_yet("a model called as a layer of another model", "Call its layers one after the other.")
        tensors = [convert_to_tensor(value) for value in nest.flatten(inputs)]
        if training:
            raise not_yet("a model called on values with training=True", "fit trains; predict and a call infer.")
        self._build_for([tensor.shape for tensor in tensors], [tensor.dtype for tensor in tensors])
        if self.described_layers():
            return self._call_described(inputs)
        outputs = [EagerTensor(array) for array in self._predict_arrays([tensor._value for tensor in tensors])]
        return nest.pack_sequence_as(self.network().output_nest, outputs)

    def _call_described(self, inputs):
        """The outputs for values, by a program of the host for their shapes."""
        from tilewright.trace.function import Function

        if "call" not in self._step_programs:
            self._step_programs["call"] = Function(lambda *given: self(given[0] if len(given) == 1 else list(given), training=False),
                                                   f"{self._name}_call", jit_compile=True)
        return self._step_programs["call"](*[convert_to_tensor(value) for value in nest.flatten(inputs)])

    def _build_for(self, shapes, dtypes):
        if not self._own and self._network is None and type(self).train_step is not Steps.train_step:
            return
        if self._own and self._network is None and not self._described:
            open_shapes = [(None, *tuple(shape)[1:]) for shape in shapes]
            self._call_symbolically(open_shapes, [backend.floatx() if dtype.is_floating else "int32" for dtype in dtypes])
        if not self._described:
            self.network()

    def _predict_arrays(self, arrays):
        named = {name: _for_engine(array, tensor.dtype) for name, array, tensor in zip(self.input_names, arrays, self.inputs)}
        return probe.predict(self.project(), named, self.named_weights())


def _holds(layers, layer):
    """Whether a layer is one of `layers` or inside one of them."""
    return any(layer is other or (getattr(other, "_rows", None) is None and _holds(parts_of(other), layer)) for other in layers)


def _once(variables):
    """Each variable at its first place."""
    return list({id(variable): variable for variable in variables}.values())


def _for_engine(array, dtype):
    return np.ascontiguousarray(array, dtype.as_numpy_dtype)


def _input_dtype(layer):
    """The type of the data of a first layer: its own, or floatx under a policy of mixed precision; word numbers are integers."""
    if type(layer).__name__ == "Embedding":
        return "int32"
    return backend.floatx() if layer.dtype.startswith("mixed") else layer.dtype


class Sequential(Model):
    """Layers one after the other. Without an input shape it is built at its first call."""

    def __init__(self, layers=None, name=None):
        super().__init__(name=name)
        self._own_layers = []
        self._input_layer = None
        for layer in layers or []:
            self.add(layer)

    def add(self, layer):
        """Appends a layer. An Input, or a first layer with an input_shape, fixes the shapes at once."""
        from tilewright.keras.engine.keras_tensor import KerasTensor

        if isinstance(layer, KerasTensor):
            layer = layer._keras_history[0]
        if isinstance(layer, Model):
            raise not_yet("a model as a layer of a Sequential", "Add its layers one by one.")
        if not isinstance(layer, Layer):
            raise TypeError(f"The added layer must be a layer; found {layer!r}.")
        if any(layer is other for other in self._own_layers) or any(layer.name == other.name for other in self._own_layers):
            raise ValueError(f"All layers of a Sequential must have unique names; there are two of the name \"{layer.name}\".")
        self.forget_stages()
        if isinstance(layer, InputLayer):
            if self._own_layers or self._input_layer:
                raise ValueError("An Input must be the first of a Sequential.")
            self._input_layer = layer
            return
        first = not self._own_layers and self._input_layer is None
        self._own_layers.append(layer)
        if first and layer._batch_input_shape is not None:
            self._input_layer = InputLayer(batch_input_shape=layer._batch_input_shape, dtype=_input_dtype(layer),
                                           name=layer.name + "_input")
        if self._input_layer is not None:
            self._connect(self._own_layers if self._network is None else [layer])

    def pop(self):
        """Removes the last layer."""
        if not self._own_layers:
            raise TypeError("There are no layers in the model.")
        self.forget_stages()
        self._own_layers.pop()
        self._network = None
        if self._own_layers and self._input_layer is not None:
            self._set_network(self._input_layer.output, self._own_layers[-1]._inbound_nodes[0].outputs[0])

    def _connect(self, layers):
        tensor = self._network.outputs[0] if self._network is not None else self._input_layer.output
        for layer in layers:
            tensor = layer(tensor)
        self._set_network(self._input_layer.output, tensor)

    @property
    def layers(self):
        return list(self._own_layers)

    def build(self, input_shape=None):
        """Fixes the shapes: input_shape has the batch first."""
        if self._network is None and input_shape is not None and self._own_layers:
            self._build_with(tuple(input_shape), _input_dtype(self._own_layers[0]))

    def _build_with(self, shape, dtype):
        self._input_layer = InputLayer(batch_input_shape=shape, dtype=dtype, name=self._own_layers[0].name + "_input")
        self._connect(self._own_layers)

    def _build_for(self, shapes, dtypes):
        if self._network is None:
            dtype = dtypes[0]
            kind = _input_dtype(self._own_layers[0]) if dtype.is_floating else "int32"
            self._build_with(tuple(shapes[0]), kind)

    def _document(self):
        self.network()
        return sequential_json(self._name, self._own_layers, self._input_layer)
