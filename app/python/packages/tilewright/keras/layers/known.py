"""A class for each layer that the engine has. A row gives the parameters in the order of Keras's constructor."""

from tilewright.keras.configured import bind, plain
from tilewright.keras.engine import probe
from tilewright.keras.engine.keras_tensor import Node
from tilewright.keras.engine.own_call import PHASE
from tilewright.keras.layers.base import Layer, is_symbolic
from tilewright.missing import not_yet
from tilewright.tf import dtypes, nest
from tilewright.tf.tensor import EagerTensor, convert_to_tensor
from tilewright.trace.context import current
from tilewright.trace.models import call_layer, is_traced

_KERNEL = "kernel_initializer bias_initializer kernel_regularizer bias_regularizer activity_regularizer kernel_constraint bias_constraint"
_CONV = f"filters kernel_size strides padding data_format dilation_rate groups activation use_bias {_KERNEL}"
_CONV_TRANSPOSE = f"filters kernel_size strides padding output_padding data_format dilation_rate activation use_bias {_KERNEL}"
_SEPARABLE = ("filters kernel_size strides padding data_format dilation_rate depth_multiplier activation use_bias depthwise_initializer "
              "pointwise_initializer bias_initializer depthwise_regularizer pointwise_regularizer bias_regularizer "
              "activity_regularizer depthwise_constraint pointwise_constraint bias_constraint")
_RECURRENT = "kernel_initializer recurrent_initializer bias_initializer"
_RECURRENT_LIMITS = ("kernel_regularizer recurrent_regularizer bias_regularizer activity_regularizer kernel_constraint "
                     "recurrent_constraint bias_constraint")
_SEQUENCES = "dropout recurrent_dropout return_sequences return_state go_backwards stateful"
_CONV_LSTM = (f"filters kernel_size strides padding data_format dilation_rate activation recurrent_activation use_bias {_RECURRENT} "
              f"unit_forget_bias {_RECURRENT_LIMITS} return_sequences return_state go_backwards stateful dropout recurrent_dropout")
_NORM_LIMITS = "beta_initializer gamma_initializer"
_POOL = "pool_size strides padding data_format"
_MERGE = ""

ROWS = {
    "Dense": f"units activation use_bias {_KERNEL}", "Activation": "activation", "Dropout": "rate noise_shape seed",
    "SpatialDropout1D": "rate", "SpatialDropout2D": "rate data_format", "SpatialDropout3D": "rate data_format",
    "GaussianNoise": "stddev", "GaussianDropout": "rate", "AlphaDropout": "rate noise_shape seed",
    "ActivityRegularization": "l1 l2", "Masking": "mask_value", "Flatten": "data_format", "Reshape": "target_shape",
    "Permute": "dims", "RepeatVector": "n",
    "Embedding": "input_dim output_dim embeddings_initializer embeddings_regularizer activity_regularizer embeddings_constraint "
                 "mask_zero input_length",
    "Cropping1D": "cropping", "Cropping2D": "cropping data_format", "Cropping3D": "cropping data_format",
    "ZeroPadding1D": "padding", "ZeroPadding2D": "padding data_format", "ZeroPadding3D": "padding data_format",
    "UpSampling1D": "size", "UpSampling2D": "size data_format interpolation", "UpSampling3D": "size data_format",
    "ReLU": "max_value negative_slope threshold", "LeakyReLU": "alpha", "ELU": "alpha", "ThresholdedReLU": "theta",
    "PReLU": "alpha_initializer alpha_regularizer alpha_constraint shared_axes", "Softmax": "axis",
    "LSTM": f"units activation recurrent_activation use_bias {_RECURRENT} unit_forget_bias {_RECURRENT_LIMITS} {_SEQUENCES} time_major "
            "unroll implementation",
    "GRU": f"units activation recurrent_activation use_bias {_RECURRENT} {_RECURRENT_LIMITS} {_SEQUENCES} unroll time_major reset_after "
           "implementation",
    "SimpleRNN": f"units activation use_bias {_RECURRENT} {_RECURRENT_LIMITS} {_SEQUENCES} unroll",
    "ConvLSTM1D": _CONV_LSTM, "ConvLSTM2D": _CONV_LSTM, "ConvLSTM3D": _CONV_LSTM,
    "Bidirectional": "layer merge_mode weights backward_layer", "TimeDistributed": "layer",
    "Add": _MERGE, "Subtract": _MERGE, "Multiply": _MERGE, "Average": _MERGE, "Maximum": _MERGE, "Minimum": _MERGE,
    "Concatenate": "axis", "Dot": "axes normalize",
    "Conv1D": _CONV, "Conv2D": _CONV, "Conv3D": _CONV, "Conv1DTranspose": _CONV_TRANSPOSE, "Conv2DTranspose": _CONV_TRANSPOSE,
    "Conv3DTranspose": _CONV_TRANSPOSE, "SeparableConv1D": _SEPARABLE, "SeparableConv2D": _SEPARABLE,
    "DepthwiseConv2D": "kernel_size strides padding depth_multiplier data_format dilation_rate activation use_bias "
                       "depthwise_initializer bias_initializer depthwise_regularizer bias_regularizer activity_regularizer "
                       "depthwise_constraint bias_constraint",
    "MaxPooling1D": _POOL, "MaxPooling2D": _POOL, "MaxPooling3D": _POOL,
    "AveragePooling1D": _POOL, "AveragePooling2D": _POOL, "AveragePooling3D": _POOL,
    **{f"Global{kind}Pooling{n}D": "data_format keepdims" for kind in ("Max", "Average") for n in (1, 2, 3)},
    "BatchNormalization": f"axis momentum epsilon center scale {_NORM_LIMITS} moving_mean_initializer moving_variance_initializer "
                          "beta_regularizer gamma_regularizer beta_constraint gamma_constraint",
    "LayerNormalization": f"axis epsilon center scale {_NORM_LIMITS} beta_regularizer gamma_regularizer beta_constraint "
                          "gamma_constraint",
    "GroupNormalization": "groups channels_axis center scale epsilon beta_initializer gamma_initializer strided_channel_grouping",
    "InstanceNormalization": "channels_axis center scale epsilon beta_initializer gamma_initializer",
    "Attention": "use_scale causal dropout", "AdditiveAttention": "use_scale causal dropout",
    "MultiHeadAttention": f"num_heads key_dim value_dim dropout use_bias output_shape attention_axes {_KERNEL}",
    "RecomputationCheckpoint": "",
}
ALIASES = {"MaxPool1D": "MaxPooling1D", "MaxPool2D": "MaxPooling2D", "MaxPool3D": "MaxPooling3D", "AvgPool1D": "AveragePooling1D",
           "AvgPool2D": "AveragePooling2D", "AvgPool3D": "AveragePooling3D", "Convolution1D": "Conv1D", "Convolution2D": "Conv2D",
           "Convolution3D": "Conv3D", "GlobalAvgPool1D": "GlobalAveragePooling1D", "GlobalAvgPool2D": "GlobalAveragePooling2D",
           "GlobalMaxPool1D": "GlobalMaxPooling1D", "GlobalMaxPool2D": "GlobalMaxPooling2D", "Deconvolution2D": "Conv2DTranspose",
           "Convolution2DTranspose": "Conv2DTranspose"}
#: Arguments of the base class.
_BASE = "trainable name dtype dynamic input_shape batch_input_shape input_dim batch_size autocast".split()
#: Outputs with return_state: the sequence or last output, and the states.
_STATES = {"LSTM": 3, "GRU": 2, "SimpleRNN": 2, "ConvLSTM1D": 3, "ConvLSTM2D": 3, "ConvLSTM3D": 3}


#: TensorFlow's name of the last operation of a layer, which names its symbolic output.
_LAST = {"Flatten": "Reshape", "Reshape": "Reshape", "MaxPooling2D": "MaxPool", "AveragePooling2D": "AvgPool", "Add": "add",
         "Multiply": "mul", "Concatenate": "concat", "ReLU": "Relu", "Softmax": "Softmax", "GlobalAveragePooling2D": "Mean",
         "GlobalMaxPooling2D": "Max", "BatchNormalization": "FusedBatchNormV3", "Conv2D": "Conv2D", "Dense": "MatMul"}
_ACTIVATION = {"relu": "Relu", "softmax": "Softmax", "sigmoid": "Sigmoid", "tanh": "Tanh", "elu": "Elu", "selu": "Selu",
               "softplus": "Softplus", "softsign": "Softsign", "exponential": "Exp"}


class KnownLayer(Layer):
    """A layer of the engine. Its arguments are handed over as they are; the engine checks them and tells the shapes."""

    parameters = ""
    engine_class = None

    def __init__(self, *args, **kwargs):
        own = self.parameters.split()
        base = {name: kwargs.pop(name) for name in _BASE if name in kwargs and name not in own}
        super().__init__(**base)
        self._given = bind(type(self).__name__, self.parameters, args, kwargs)
        if self._given.pop("weights", None) is not None:
            raise not_yet(f"the argument weights of {type(self).__name__}")
        self._full = None

    def __getattr__(self, name):
        if not name.startswith("_"):
            for config in (self.__dict__.get("_full"), self.__dict__.get("_given")):
                if config and name in config:
                    return tuple(config[name]) if isinstance(config[name], list) else config[name]
            if name in type(self).parameters.split():
                raise AttributeError(f"'{name}' of the layer {self._name} has its default, which is known once the layer is built.")
        raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'.")

    def _class(self):
        if type(self).__name__ not in CLASSES and type(self) not in _ADDONS:
            raise not_yet(f"the script's own layer {type(self).__name__}")
        return self.engine_class or type(self).__name__

    def _config(self):
        config = {"name": self._name, "trainable": self._trainable, "dtype": self.dtype,
                  **{key: plain(value) for key, value in self._given.items() if value is not None}}
        if "padding" in config and isinstance(config["padding"], str):
            config["padding"] = config["padding"].lower()
        return config

    def get_config(self):
        if self._full is None:
            return self._config()
        return {**self._full, "name": self._name, "trainable": self._trainable}

    def keras_json(self):
        return {"class_name": self._class(), "config": self._config()}

    def output_name(self, tensor, suffix):
        last = _ACTIVATION.get(self._full.get("activation")) if isinstance(self._full.get("activation"), str) else None
        if last is None or self._class() in _STATES:
            last = "BiasAdd" if self._full.get("use_bias") and self._class() in ("Dense", "Conv2D") else _LAST.get(self._class())
        return super().output_name(tensor, suffix) if last is None else f"{self._name}{suffix}/{last}:0"

    def _outputs(self, kwargs):
        if type(self).__name__ == "MultiHeadAttention" and kwargs.get("return_attention_scores"):
            return 2
        return _STATES.get(self._class(), 1) if self._given.get("return_state") else 1

    def build(self, input_shape):
        """Creates the weights for inputs of this shape."""
        shapes = input_shape if isinstance(input_shape, list) and input_shape and not isinstance(input_shape[0], (int, type(None))) \
            else [input_shape]
        self._learn(self._ask([(tuple(shape), self.dtype) for shape in shapes], {}))

    def _ask(self, inputs, kwargs):
        return probe.facts(self._class(), self._config(), inputs, kwargs, self._outputs(kwargs))

    def _learn(self, facts):
        if self._rows is None:
            self._full = facts.config
            self.set_weight_rows(facts.weights)
        elif [row["shape"] for row in self._rows] != [row["shape"] for row in facts.weights]:
            raise ValueError(f"Input of the layer {self._name} is incompatible with it: its weights were made for another size. "
                             f"Expected weights of the shapes {[row['shape'] for row in self._rows]}, found "
                             f"{[row['shape'] for row in facts.weights]}.")

    def first_values(self):
        if self._rows is None:
            return super().first_values()
        raise ValueError(f"The weights of the layer {self._name} are created with its model. Make a model of it first.")

    def __call__(self, inputs, *args, **kwargs):
        training = kwargs.pop("training", None)
        inputs, kwargs = self._merged(inputs, args, kwargs)
        if is_traced(inputs):
            return self._compute_traced(nest.flatten(inputs), kwargs, training)
        if not is_symbolic(inputs):
            return self._compute(nest.flatten(inputs), kwargs)
        tensors = nest.flatten(inputs)
        facts = self._ask([(tuple(tensor.shape), tensor.dtype) for tensor in tensors], _constants(kwargs))
        self._learn(facts)
        call = dict(kwargs) if training is None or training is PHASE else {**kwargs, "training": bool(training)}
        node = Node(self, inputs, call, facts.outputs)
        from tilewright.ipu.pipelining import current_stage

        node.pipeline_stage = current_stage() if current_stage() is not None else self._stage
        return node.outputs[0] if len(node.outputs) == 1 else node.outputs

    def _merged(self, inputs, args, kwargs):
        """The inputs with those that Keras takes beside them: initial states, key and value."""
        inputs = list(inputs) if isinstance(inputs, (list, tuple)) else inputs
        extra = list(args)
        for name in ("initial_state", "value", "key"):
            if kwargs.get(name) is not None:
                extra.append(kwargs[name])
            kwargs.pop(name, None)
        for name in ("mask", "attention_mask", "constants"):
            if kwargs.get(name) is not None:
                raise not_yet(f"the argument {name} of a call of {type(self).__name__}")
            kwargs.pop(name, None)
        if not extra:
            return inputs, kwargs
        return [*nest.flatten(inputs), *nest.flatten(extra)], kwargs

    def _compute(self, inputs, kwargs):
        """The layer on values: the engine runs it on the host."""
        arrays = [_cast_like(convert_to_tensor(value), self.dtype)._value for value in inputs]
        config = [(array.shape, array.dtype) for array in arrays]
        self._learn(self._ask(config, _constants(kwargs)))
        if self._values is None:
            self._values = self._standalone_values(config, kwargs)
        weights = {f"{self._name}/{key}": value for key, value in self.weight_values().items()}
        outputs = probe.run(self._class(), self._config(), arrays, _constants(kwargs), self._outputs(kwargs), weights)
        tensors = [EagerTensor(array) for array in outputs]
        return tensors[0] if len(tensors) == 1 else tensors

    def _compute_traced(self, inputs, kwargs, training):
        """The layer inside a tf.function: part of its program."""
        leaves = [_cast_like(current().lift(value), self.dtype) for value in inputs]
        config = [(tuple(leaf.shape), leaf.dtype) for leaf in leaves]
        self._learn(self._ask(config, _constants(kwargs)))
        if self._values is None:
            self._values = self._standalone_values(config, kwargs)
        document = probe._model(self._class(), self._config(), config, _constants(kwargs), self._outputs(kwargs))
        return call_layer(self, leaves, training, probe.facts(self._class(), self._config(), config, kwargs, self._outputs(kwargs)), document)

    def _standalone_values(self, inputs, kwargs):
        from tilewright.keras.training.fields import seed

        project = probe.project_of(probe._model(self._class(), self._config(), inputs, _constants(kwargs), self._outputs(kwargs)))
        project.set("training.seed", str(seed()))
        return {name.partition("/")[2]: value for name, value in project.initial_weights().items()}


def _constants(kwargs):
    return {key: plain(value) for key, value in kwargs.items() if value is not None}


def _cast_like(tensor, dtype):
    """Floating inputs take the layer's type; integers stay."""
    from tilewright.tf.functions import cast

    if tensor.dtype.is_floating and tensor.dtype.name != dtype and dtype in ("float32", "float16"):
        return cast(tensor, dtype)
    return cast(tensor, dtypes.int32) if tensor.dtype == dtypes.int64 else tensor


CLASSES = {name: type(name, (KnownLayer,), {"parameters": parameters, "__module__": __name__, "__doc__": f"Keras's {name}."})
           for name, parameters in ROWS.items()}
_ADDONS = set()


def addon(name, parameters, engine_class, module):
    """A layer of the addons: another name and order of arguments for a layer of the engine."""
    layer = type(name, (KnownLayer,), {"parameters": parameters, "engine_class": engine_class, "__module__": module,
                                       "__doc__": f"The addons' {name}."})
    _ADDONS.add(layer)
    return layer
