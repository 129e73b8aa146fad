"""Updates of weights inside a function: optimizer.apply_gradients, by Keras's formulas.

SGD: v = m v - r g, w += v (Nesterov: w += m v - r g). RMSprop: s = p s + (1 - p) g^2, w -= r g / (sqrt(s) + e).
Adam: m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, w -= r sqrt(1 - b2^t) / (1 - b1^t) m / (sqrt(v) + e).
"""

import collections
import inspect

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import dtypes, functions as tf
from tilewright.tf.log import warn
from tilewright.tf.variable import Variable
from tilewright.trace.context import current
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
    if not getattr(current(), "updates", True):
        return Operation()
    state = _state_of(optimizer)
    given = _clipped(optimizer, given)
    if _is_table_row(optimizer):
        state["count"].assign_add(1)
        for gradient, variable in given:
            update_one(optimizer, gradient, variable)
    else:
        _apply_own(optimizer, given)
        state["count"].assign_add(1)
    for _, variable in given:
        if variable.constraint is not None:
            variable.assign(variable.constraint(variable.value()))
    return Operation()


_UPDATES = {}  # Keras's class -> its update


def _update_of(optimizer):
    return next((_UPDATES[kind.__name__] for kind in type(optimizer).__mro__ if kind.__name__ in _UPDATES), None)


def _is_table_row(optimizer):
    """Whether one of Keras's updates applies, not a method of the script."""
    return "_resource_apply_dense" not in _own_methods(optimizer) and _update_of(optimizer) is not None


def _own_methods(optimizer):
    from tilewright.keras.optimizers import Optimizer

    return {name for kind in type(optimizer).__mro__ if issubclass(kind, Optimizer) and kind is not Optimizer for name in vars(kind)}


def update_one(optimizer, gradient, variable):
    """Keras's update of one weight."""
    update = _update_of(optimizer)
    if update is None:
        raise not_yet(f"{type(optimizer).__name__}.apply_gradients in a tf.function", f"{', '.join(sorted(_UPDATES))} are there.")
    update(optimizer, _state_of(optimizer), gradient, variable)
    return Operation()


def _apply_own(optimizer, pairs):
    """The methods of a script's own optimizer, with their statements converted."""
    from tilewright.trace.autograph import convert

    if "_resource_apply_dense" not in _own_methods(optimizer):
        raise not_yet(f"the optimizer {type(optimizer).__name__} without a _resource_apply_dense of its own")
    variables = [variable for _, variable in pairs]
    convert(optimizer._create_slots)(variables)
    apply_state = collections.defaultdict(dict)
    for device, dtype in {(variable.device, variable.dtype) for variable in variables}:
        apply_state[(device, dtype)] = {}
        convert(optimizer._prepare_local)(device, dtype, apply_state)
    apply = convert(optimizer._resource_apply_dense)
    takes = inspect.signature(optimizer._resource_apply_dense).parameters
    more = {"apply_state": apply_state} if "apply_state" in takes else {}
    for gradient, variable in pairs:
        apply(gradient, variable, **more)


def hyper(optimizer, name, dtype=None):
    """A number of an optimizer as a tensor of the function."""
    if name in ("learning_rate", "lr"):
        value = _state_of(optimizer)["rate"].value()
    elif name in optimizer._hyper:
        value = current().lift(optimizer._hyper[name], "float32")
    else:
        raise AttributeError(f"The optimizer {type(optimizer).__name__} has no number '{name}': _set_hyper gives it one.")
    return value if dtype is None else tf.cast(value, dtype)


def add_slot(optimizer, variable, label, initializer="zeros"):
    from tilewright.keras.own_weights import make_weight

    slots, key = _state_of(optimizer)["slots"], (id(variable), label)
    if key not in slots:
        if hasattr(initializer, "numpy"):
            slots[key] = Variable(initializer, name=_slot_name(optimizer, variable, label), trainable=False)
        else:
            owner, _, name = _slot_name(optimizer, variable, label).rpartition("/")
            slots[key] = make_weight(owner, name, tuple(variable.shape), variable.dtype, initializer, False)
    return slots[key]


def get_slot(optimizer, variable, label):
    slots = _state_of(optimizer)["slots"]
    if (id(variable), label) not in slots:
        raise ValueError(f"The optimizer {type(optimizer).__name__} has no slot '{label}' for {variable.name}: add_slot makes it.")
    return slots[(id(variable), label)]


def slot_names(optimizer):
    return sorted({label for _, label in _state_of(optimizer)["slots"]})


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


def is_rate(variable):
    """Whether a variable is the learning rate of an optimizer, which the script sets."""
    return isinstance(variable._cell, _RateCell)


def _name(optimizer):
    return optimizer._given.get("name") or type(optimizer).__name__


def _slot(optimizer, state, variable, label):
    key = (id(variable), label)
    if key not in state["slots"]:
        state["slots"][key] = Variable(np.zeros(tuple(variable.shape), variable.dtype.as_numpy_dtype),
                                       name=_slot_name(optimizer, variable, label), trainable=False)
    return state["slots"][key]


def _slot_name(optimizer, variable, label):
    return f"{_name(optimizer)}/{variable.name.partition(':')[0]}/{label}"


def _number(optimizer, key, default):
    value = optimizer._given.get(key)
    return float(default if value is None else value)


def _clipped(optimizer, pairs):
    """The gradients with the optimizer's limits: each element, each tensor's norm, or the norm of all."""
    given = optimizer._given
    if given.get("clipvalue") is not None:
        limit = float(given["clipvalue"])
        pairs = [(tf.clip_by_value(gradient, -limit, limit), variable) for gradient, variable in pairs]
    if given.get("clipnorm") is not None:
        pairs = [(_scaled(gradient, tf.reduce_sum(tf.square(gradient)), given["clipnorm"]), variable) for gradient, variable in pairs]
    if given.get("global_clipnorm") is not None:
        square = tf.add_n([tf.reduce_sum(tf.square(gradient)) for gradient, _ in pairs])
        pairs = [(_scaled(gradient, square, given["global_clipnorm"]), variable) for gradient, variable in pairs]
    return pairs


def _scaled(gradient, square, limit):
    """The gradient with a norm of at most `limit`, where `square` is that of the norm."""
    return gradient * tf.cast(float(limit) / tf.maximum(tf.sqrt(square), float(limit)), gradient.dtype)


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


_UPDATES.update({"SGD": _sgd, "RMSprop": _rmsprop, "Adam": _adam})
