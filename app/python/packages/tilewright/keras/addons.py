"""Layers and optimizers of ipu_tensorflow_addons: other names and limits for what the engine has."""

from tilewright.keras.layers.base import Layer
from tilewright.keras.layers.known import ROWS, addon
from tilewright.tf import nest

_MODULE = __name__
_RECURRENT = ("units activation recurrent_activation use_bias kernel_initializer recurrent_initializer bias_initializer unit_forget_bias "
              "dropout dropout_seed return_sequences return_state stateful time_major partials_dtype options options_bwd seed")

Embedding = addon("Embedding", "input_dim output_dim embeddings_initializer serialization_factor", "Embedding", _MODULE)
LSTM = addon("LSTM", _RECURRENT, "LSTM", _MODULE)
GRU = addon("GRU", _RECURRENT.replace("unit_forget_bias ", "") + " reset_after", "GRU", _MODULE)
Dropout = addon("Dropout", "rate noise_shape seed", "Dropout", _MODULE)
LayerNormalization = addon("LayerNormalization", ROWS["LayerNormalization"], "LayerNormalization", _MODULE)
GroupNormalization = addon("GroupNormalization", ROWS["GroupNormalization"], "GroupNormalization", _MODULE)
InstanceNormalization = addon("InstanceNormalization", ROWS["InstanceNormalization"], "InstanceNormalization", _MODULE)
_OneCheckpoint = addon("RecomputationCheckpoint", "", "RecomputationCheckpoint", _MODULE)
PopnnLSTM, PopnnGRU = LSTM, GRU



class RecomputationCheckpoint(Layer):
    """Keeps tensors for the backward pass where others are computed again. A list of tensors gives a list."""

    def call(self, inputs, training=None):
        kept = [_OneCheckpoint()(tensor) for tensor in nest.flatten(inputs)]
        return nest.pack_sequence_as(inputs, kept)


#: Arguments that only tell the compiler how: they have no field here.
_HINTS = ("serialization_factor", "partials_dtype", "options", "options_bwd", "seed", "dropout_seed")


def _without_hints(self, *args, **kwargs):
    _plain_init(self, *args, **kwargs)
    for name in _HINTS:
        if name in self._given and type(self).__name__ != "Dropout":
            value = self._given.pop(name)
            if value is not None and not (name == "serialization_factor" and value == 1):
                from tilewright.missing import not_yet

                raise not_yet(f"the argument {name} of the addons' {type(self).__name__}")


_plain_init = Embedding.__mro__[1].__init__
for _layer in (Embedding, LSTM, GRU):
    _layer.__init__ = _without_hints
