"""ALSOptimizer inside a function: the rule of the engine's own trainings (engine/training/loss_scale.cpp) on traced tensors.

get_gradients returns gradients of the scaled loss. apply_gradients counts them, removes the scale, updates if all are finite, and sets
the next scale.
"""

import numpy as np

from tilewright.tf import functions as tf
from tilewright.tf.variable import Variable
from tilewright.trace import loops
from tilewright.trace.optimizers import apply_gradients


def state_of(optimizer):
    """The scale and its counts: variables that stay between runs."""
    state = optimizer.__dict__.get("_scale_state")
    if state is None:
        first = {"scale": optimizer._scaling["loss_scale_factor"], "over": 0.0, "updates": 0.0, "share": 0.0}
        state = {name: Variable(np.float32(value), name=f"loss_scale/{name}", trainable=False) for name, value in first.items()}
        optimizer.__dict__["_scale_state"] = state
    return state


def scaled(optimizer, loss):
    return loss * tf.cast(state_of(optimizer)["scale"].value(), loss.dtype)


def unscaled(optimizer, gradients):
    inverse = 1.0 / state_of(optimizer)["scale"].value()
    return [None if gradient is None else tf.cast(tf.cast(gradient, "float32") * inverse, gradient.dtype) for gradient in gradients]


def apply(optimizer, pairs):
    """One update from gradients of the scaled loss."""
    pairs = list(pairs)
    given = [gradient for gradient, _ in pairs if gradient is not None]
    sizes = [tf.abs(tf.cast(gradient, "float32")) for gradient in given]
    edge = float(optimizer._scaling["histogram_bin_edge"])
    over = tf.add_n([tf.reduce_sum(tf.cast(size > edge, "float32")) for size in sizes])
    finite = tf.equal(tf.add_n([tf.reduce_sum(size * 0.0) for size in sizes]), 0.0)
    plain = unscaled(optimizer, [gradient for gradient, _ in pairs])
    _next_scale(optimizer, over, finite, sum(gradient.shape.num_elements() for gradient in given))

    def update():
        apply_gradients(optimizer._inner, list(zip(plain, (variable for _, variable in pairs))))

    loops.cond(finite, update, lambda: None)
    return loops.Operation()


def _next_scale(optimizer, over, finite, elements):
    state, rule = state_of(optimizer), optimizer._scaling
    scale, before = state["scale"].value(), state["share"].value()
    count = state["updates"].value() + 1.0
    due = count >= float(rule["update_frequency"])
    total = over + state["over"].value() if rule["accumulate_statistics_over_update_period"] else over
    periods = rule["update_frequency"] if rule["accumulate_statistics_over_update_period"] else 1
    now = total * ((1.0 - rule["lpf_alpha"]) / (elements * periods)) + before * rule["lpf_alpha"]
    lower = tf.maximum(scale / rule["increase_factor"], 1.0)
    higher = tf.minimum(scale * rule["increase_factor"], rule["max_loss_scaling_factor"])
    after = tf.where(due, tf.where(now > rule["ratio_threshold"], lower, higher), scale)
    goes_on = tf.logical_and(finite, tf.logical_not(due))
    state["over"].assign(tf.where(goes_on, total, tf.zeros_like(total)))
    state["updates"].assign(tf.where(goes_on, count, tf.zeros_like(count)))
    state["share"].assign(tf.where(tf.logical_and(finite, due), now, before))
    state["scale"].assign(tf.where(finite, after, lower))
