"""The values of Keras's metrics from tensors: in a function, or on the host.

A mean keeps a total and a count, as Keras does. Others compute in the engine's own trainings only.
"""

import functools

from tilewright.keras import losses
from tilewright.keras.naming import snake_case
from tilewright.missing import not_yet
from tilewright.tf import functions as tf
from tilewright.tf.tensor import convert_to_tensor


def _same(y_true, y_pred):
    return tf.cast(tf.equal(tf.cast(y_true, y_pred.dtype), y_pred), "float32")


def _largest(values):
    return tf.argmax(values, -1, "int32")


def _binary_accuracy(y_true, y_pred, threshold=0.5):
    return tf.reduce_mean(_same(y_true, tf.cast(y_pred > threshold, y_pred.dtype)), -1)


def _sparse_accuracy(y_true, y_pred):
    y_true = convert_to_tensor(y_true) if not hasattr(y_true, "shape") else y_true
    if y_true.shape.rank == y_pred.shape.rank and y_true.shape[-1] == 1:
        y_true = tf.squeeze(y_true, -1)
    return tf.cast(tf.equal(tf.cast(y_true, "int32"), _largest(y_pred)), "float32")


_FUNCTIONS = {
    "Accuracy": _same, "BinaryAccuracy": _binary_accuracy, "SparseCategoricalAccuracy": _sparse_accuracy,
    "CategoricalAccuracy": lambda y_true, y_pred: tf.cast(tf.equal(_largest(y_true), _largest(y_pred)), "float32"),
    "LogCoshError": losses.FUNCTIONS["log_cosh"], "KLDivergence": losses.FUNCTIONS["kl_divergence"],
    "RootMeanSquaredError": lambda y_true, y_pred: tf.square(y_pred - tf.cast(y_true, y_pred.dtype)),
}


def _function_of(metric):
    """The function whose mean the metric is, with its arguments; None for Mean itself and for sums."""
    if hasattr(metric, "fn"):
        return functools.partial(metric.fn, **metric._arguments)
    name = next((kind.__name__ for kind in type(metric).__mro__ if kind.__module__.endswith("keras.metrics")), "Metric")
    if name in ("Mean", "Sum"):
        return None
    found = _FUNCTIONS.get(name) or losses.FUNCTIONS.get(snake_case(name))
    if found is None:
        raise not_yet(f"{type(metric).__name__}.update_state", "Give the metric to compile of a model with a loss and optimizer of Keras.")
    return functools.partial(found, **{key: value for key, value in metric._given.items() if key not in ("name", "dtype") and value is not None})


def _total(metric):
    if not metric._states:
        metric.add_weight("total")
        metric.add_weight("count")
    return metric._states


def update(metric, *values, sample_weight=None):
    """Adds values, or those of labels and predictions."""
    from tilewright.trace.autograph import convert
    from tilewright.trace.context import current

    function = _function_of(metric)
    total, count = _total(metric)
    if function is None:
        added, *rest = values
        sample_weight = rest[0] if rest else sample_weight
    else:
        y_true, y_pred, *rest = values
        sample_weight = rest[0] if rest else sample_weight
        if current() is not None:
            y_true, y_pred = current().lift(y_true), current().lift(y_pred)
            function = convert(function)
        else:
            y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
        added = function(y_true, y_pred)
    added = tf.cast(added, "float32")
    if sample_weight is not None:
        weight = tf.cast(sample_weight, "float32")
        while weight.shape.rank < added.shape.rank:
            weight = tf.expand_dims(weight, -1)
        weight = weight * tf.ones_like(added)
        total.assign_add(tf.reduce_sum(added * weight))
        count.assign_add(tf.reduce_sum(weight))
        return
    total.assign_add(tf.reduce_sum(added))
    count.assign_add(float(added.shape.num_elements()))


def result(metric):
    """The value of what has been added since the last reset; 0 without any."""
    _function_of(metric)
    total, count = _total(metric)
    names = {kind.__name__ for kind in type(metric).__mro__}
    if "Sum" in names:
        return total.value()
    mean = total.value() / tf.maximum(count.value(), 1e-30)
    return tf.sqrt(mean) if "RootMeanSquaredError" in names else mean


def word(name, y_true, y_pred):
    """Keras's function for "accuracy" and "crossentropy", by the shapes."""
    binary = y_pred.shape.rank and y_pred.shape[-1] == 1
    sparse = y_true.shape.rank < y_pred.shape.rank or (y_true.shape[-1] == 1 and y_pred.shape[-1] > 1)
    if name in ("accuracy", "acc"):
        return _FUNCTIONS["BinaryAccuracy" if binary else "SparseCategoricalAccuracy" if sparse else "CategoricalAccuracy"]
    return losses.FUNCTIONS["binary_crossentropy" if binary else "sparse_categorical_crossentropy" if sparse else "categorical_crossentropy"]
