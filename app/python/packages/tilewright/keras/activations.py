"""Activation functions, by name in a model or called with tensors."""

from tilewright.keras.configured import NamedFunction
from tilewright.tf import functions as tf


def _relu(x, alpha=0.0, max_value=None, threshold=0.0):
    """max(x, 0), or a slope alpha below the threshold, at most max_value."""
    y = tf.relu(x) if not alpha and not threshold else tf.where(tf.greater_equal(x, threshold), x, (x - threshold) * alpha)
    return y if max_value is None else tf.minimum(y, max_value)


_FUNCTIONS = {
    "linear": lambda x: x, "relu": _relu, "sigmoid": tf.sigmoid, "tanh": tf.tanh, "softplus": tf.softplus, "softsign": tf.softsign,
    "softmax": lambda x, axis=-1: tf.softmax(x, axis), "log_softmax": lambda x, axis=-1: tf.log_softmax(x, axis),
    "exponential": tf.exp, "elu": tf.elu, "selu": tf.selu, "gelu": tf.gelu, "swish": tf.swish, "relu6": tf.relu6,
    "hard_sigmoid": lambda x: tf.clip_by_value(x * 0.2 + 0.5, 0.0, 1.0), "leaky_relu": tf.leaky_relu,
}
NAMED = {name: NamedFunction(name, function) for name, function in _FUNCTIONS.items()}
globals().update(NAMED)


def get(identifier):
    """An activation from its name or the function itself; None is linear."""
    if identifier is None:
        return NAMED["linear"]
    if isinstance(identifier, str):
        if identifier not in NAMED:
            from tilewright.missing import nearest

            raise ValueError(f"Unknown activation function: {identifier}.{nearest(identifier, NAMED)}")
        return NAMED[identifier]
    if callable(identifier):
        return identifier
    raise TypeError(f"Could not interpret the activation function {identifier!r}.")


def serialize(activation):
    return activation.keras_name
