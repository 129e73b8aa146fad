"""Updates of weights inside a function: optimizer.apply_gradients, by Keras's formulas.

SGD: v = m v - r g, w += v (Nesterov: w += m v - r g). RMSprop: s = p s + (1 - p) g^2, w -= r g / (sqrt(s) + e).
Adam: m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, w -= r sqrt(1 - b2^t) / (1 - b1^t) m / (sqrt(v) + e).
"""

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import dtypes, functions as tf
from tilewright.tf.log import warn
from tilewright.tf.variable import Variable
from tilewright.trace.loops import Operation


def apply_gradients(optimizer, pairs):
    """Appends one update of the weights; returns an operation."""
    pairs = [(gradient, variable) for gradient, variable in pairs]
    if not pairs:
        raise ValueError("No variables were given to apply_gradients.")
    given = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
    missing = [variable.name for gradient, variable in pairs if gradient is None]
    if not given:
        raise ValueError(f"No gradients provided for any variable: {missing}.")
    if missing:
        warn(f"Gradients do not exist for variables {missing} when minimizing the loss.")
    kind = type(optimizer).__name__
    update = {"SGD": _sgd, "RMSprop": _rmsprop, "Adam": _adam}.get(kind)
    if update is None:
        raise not_yet(f"{kind}.apply_gradients in a tf.function", "SGD, RMSprop and Adam are there.")
    state = _state_of(optimizer)
    state["count"].assign_add(1)
    for gradient, variable in given:
        update(optimizer, state, _clipped(optimizer, gradient), variable)
    return Operation()


def _state_of(optimizer):
    state = optimizer.__dict__.get("_traced_state")
    if state is None:
        rate = Variable.over(_RateCell(optimizer), (), "float32", f"{_name(optimizer)}/learning_rate", False)
        state = {"rate": rate, "count": optimizer.iterations, "slots": {}}
        optimizer.__dict__["_traced_state"] = state
    return state


class _RateCell:
    """The learning rate as the script has set it last."""

    def __init__(self, optimizer):
        self._optimizer = optimizer

    def read(self):
        return np.float32(self._optimizer._rate.value())

    def write(self, array):
        raise not_yet("a function that assigns the learning rate")


def _name(optimizer):
    return optimizer._given.get("name") or type(optimizer).__name__


def _slot(optimizer, state, variable, label):
    key = (id(variable), label)
    if key not in state["slots"]:
        name = f"{_name(optimizer)}/{variable.name.partition(':')[0]}/{label}"
        state["slots"][key] = Variable(np.zeros(tuple(variable.shape), variable.dtype.as_numpy_dtype), name=name, trainable=False)
    return state["slots"][key]


def _number(optimizer, key, default):
    value = optimizer._given.get(key)
    return float(default if value is None else value)


def _clipped(optimizer, gradient):
    limit = optimizer._given.get("clipvalue")
    if limit is not None:
        gradient = tf.clip_by_value(gradient, -float(limit), float(limit))
    if optimizer._given.get("clipnorm") is not None or optimizer._given.get("global_clipnorm") is not None:
        raise not_yet("clipnorm in apply_gradients of a tf.function", "clipvalue is there.")
    return gradient


def _sgd(optimizer, state, gradient, variable):
    momentum = _number(optimizer, "momentum", 0)
    rate = tf.cast(state["rate"].value(), variable.dtype)
    step = rate * gradient
    if momentum == 0:
        variable.assign(variable.value() - step)
        return
    slot = _slot(optimizer, state, variable, "momentum")
    speed = slot.value() * momentum - step
    slot.assign(speed)
    variable.assign(variable.value() + (speed * momentum - step if optimizer._given.get("nesterov") else speed))


def _rmsprop(optimizer, state, gradient, variable):
    if optimizer._given.get("momentum") or optimizer._given.get("centered"):
        raise not_yet("RMSprop with momentum or centered in apply_gradients of a tf.function")
    rho, epsilon = _number(optimizer, "rho", 0.9), _number(optimizer, "epsilon", 1e-7)
    slot = _slot(optimizer, state, variable, "rms")
    mean = slot.value() * rho + tf.square(gradient) * (1 - rho)
    slot.assign(mean)
    variable.assign(variable.value() - state["rate"].value() * gradient / (tf.sqrt(mean) + epsilon))


def _adam(optimizer, state, gradient, variable):
    if optimizer._given.get("amsgrad"):
        raise not_yet("Adam with amsgrad in apply_gradients of a tf.function")
    b1, b2, epsilon = _number(optimizer, "beta_1", 0.9), _number(optimizer, "beta_2", 0.999), _number(optimizer, "epsilon", 1e-7)
    m, v = _slot(optimizer, state, variable, "m"), _slot(optimizer, state, variable, "v")
    first = m.value() * b1 + gradient * (1 - b1)
    second = v.value() * b2 + tf.square(gradient) * (1 - b2)
    m.assign(first)
    v.assign(second)
    count = tf.cast(state["count"].value(), dtypes.float32)
    rate = state["rate"].value() * tf.sqrt(1.0 - tf.exp(count * float(np.log(b2)))) / (1.0 - tf.exp(count * float(np.log(b1))))
    variable.assign(variable.value() - rate * first / (tf.sqrt(second) + epsilon))
