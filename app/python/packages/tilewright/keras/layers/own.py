"""Lambda: a layer around a function of the script."""

from tilewright.keras.layers.base import Layer


class Lambda(Layer):
    """Applies a function. On symbolic tensors its operations become layers of their own; Lambda itself computes nothing."""

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function = function
        self.arguments = dict(arguments or {})

    def call(self, inputs, training=None):
        return self.function(inputs, **self.arguments)
