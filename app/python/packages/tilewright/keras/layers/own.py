"""Layers around a function of the script, and around one operation."""

from tilewright.keras.layers.base import Layer


class Lambda(Layer):
    """Applies a function. On symbolic tensors its operations become layers of their own; Lambda itself computes nothing."""

    def __init__(self, function, output_shape=None, mask=None, arguments=None, **kwargs):
        super().__init__(**kwargs)
        self.function = function
        self.arguments = dict(arguments or {})

    def call(self, inputs, training=None):
        from tilewright.trace.context import current

        if current() is None:
            return self.function(inputs, **self.arguments)
        from tilewright.trace.autograph import convert

        return convert(self.function)(inputs, **self.arguments)


class OperationLayer(Layer):
    """One operation of TensorFlow on symbolic tensors and constants."""

    def __init__(self, op, attributes, **kwargs):
        super().__init__(**kwargs)
        self._op, self._attributes = op, attributes

    def call(self, inputs):
        from tilewright.tf import optable

        return optable.apply(self._op.name, *inputs, **self._attributes)
