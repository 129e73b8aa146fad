"""Losses: classes for compile, and functions that compute with tensors."""

from tilewright.keras.configured import Configured, NamedFunction, family
from tilewright.keras.naming import snake_case
from tilewright.missing import not_yet
from tilewright.tf import functions as tf
from tilewright.tf.tensor import convert_to_tensor
from tilewright.trace.context import current

EPSILON = 1e-7


class Reduction:
    """How the losses of samples become one number."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"


def _floats(y_true, y_pred):
    y_pred = convert_to_tensor(y_pred)
    if not y_pred.dtype.is_floating:
        y_pred = tf.cast(y_pred, "float32")
    return tf.cast(y_true, y_pred.dtype), y_pred


def _mean(function):
    def loss(y_true, y_pred):
        y_true, y_pred = _floats(y_true, y_pred)
        return tf.reduce_mean(function(y_true, y_pred), -1)
    return loss


def _huber(y_true, y_pred, delta=1.0):
    y_true, y_pred = _floats(y_true, y_pred)
    error = tf.abs(y_pred - y_true)
    return tf.reduce_mean(tf.where(error <= delta, 0.5 * tf.square(error), delta * error - 0.5 * delta * delta), -1)


def _sparse(y_true, y_pred, from_logits=False, axis=-1):
    """Labels are class numbers; probabilities are clipped, then the logarithms are normalised again."""
    y_pred = convert_to_tensor(y_pred)
    labels = tf.cast(y_true, "int64")
    if labels.shape.rank == y_pred.shape.rank and labels.shape[-1] == 1:
        labels = tf.squeeze(labels, -1)
    logits = y_pred if from_logits else tf.log(tf.clip_by_value(y_pred, EPSILON, 1 - EPSILON))
    return tf.sparse_softmax_cross_entropy_with_logits(labels, logits)


def _categorical(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    y_true, y_pred = _floats(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / y_true.shape[-1]
    if from_logits:
        return tf.softmax_cross_entropy_with_logits(y_true, y_pred, axis)
    share = tf.clip_by_value(y_pred / tf.reduce_sum(y_pred, axis, True), EPSILON, 1 - EPSILON)
    return -tf.reduce_sum(y_true * tf.log(share), axis)


def _binary(y_true, y_pred, from_logits=False, label_smoothing=0.0, axis=-1):
    y_true, y_pred = _floats(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        each = tf.maximum(y_pred, 0.0) - y_pred * y_true + tf.log1p(tf.exp(-tf.abs(y_pred)))
    else:
        p = tf.clip_by_value(y_pred, EPSILON, 1 - EPSILON)
        each = -(y_true * tf.log(p + EPSILON) + (1.0 - y_true) * tf.log(1.0 - p + EPSILON))
    return tf.reduce_mean(each, axis)


def _signs(y_true):
    return 2.0 * y_true - 1.0 if bool(tf.reduce_all(tf.logical_or(y_true == 0.0, y_true == 1.0))) else y_true


def _divergence(y_true, y_pred):
    y_true, y_pred = _floats(y_true, y_pred)
    y_true, y_pred = (tf.clip_by_value(value, EPSILON, 1.0) for value in (y_true, y_pred))
    return tf.reduce_sum(y_true * tf.log(y_true / y_pred), -1)


def _cosine(y_true, y_pred, axis=-1):
    y_true, y_pred = _floats(y_true, y_pred)
    def unit(x):
        return x / tf.sqrt(tf.maximum(tf.reduce_sum(tf.square(x), axis, True), 1e-12))
    return -tf.reduce_sum(unit(y_true) * unit(y_pred), axis)


def _categorical_hinge(y_true, y_pred):
    y_true, y_pred = _floats(y_true, y_pred)
    return tf.maximum(tf.reduce_max((1.0 - y_true) * y_pred, -1) - tf.reduce_sum(y_true * y_pred, -1) + 1.0, 0.0)


#: name of the function -> (class, its parameters before reduction and name, the function)
_ROWS = {
    "mean_squared_error": ("MeanSquaredError", "", _mean(lambda y, p: tf.square(p - y))),
    "mean_absolute_error": ("MeanAbsoluteError", "", _mean(lambda y, p: tf.abs(p - y))),
    "mean_absolute_percentage_error": ("MeanAbsolutePercentageError", "",
                                       _mean(lambda y, p: 100.0 * tf.abs((y - p) / tf.maximum(tf.abs(y), EPSILON)))),
    "mean_squared_logarithmic_error": ("MeanSquaredLogarithmicError", "", _mean(
        lambda y, p: tf.square(tf.log1p(tf.maximum(p, EPSILON)) - tf.log1p(tf.maximum(y, EPSILON))))),
    "huber": ("Huber", "delta", _huber),
    "log_cosh": ("LogCosh", "", _mean(lambda y, p: (p - y) + tf.softplus(-2.0 * (p - y)) - 0.6931471805599453)),
    "hinge": ("Hinge", "", _mean(lambda y, p: tf.maximum(1.0 - _signs(y) * p, 0.0))),
    "squared_hinge": ("SquaredHinge", "", _mean(lambda y, p: tf.square(tf.maximum(1.0 - _signs(y) * p, 0.0)))),
    "categorical_hinge": ("CategoricalHinge", "", _categorical_hinge),
    "poisson": ("Poisson", "", _mean(lambda y, p: p - y * tf.log(p + EPSILON))),
    "kl_divergence": ("KLDivergence", "", _divergence),
    "cosine_similarity": ("CosineSimilarity", "axis", _cosine),
    "binary_crossentropy": ("BinaryCrossentropy", "from_logits label_smoothing axis", _binary),
    "categorical_crossentropy": ("CategoricalCrossentropy", "from_logits label_smoothing axis", _categorical),
    "sparse_categorical_crossentropy": ("SparseCategoricalCrossentropy", "from_logits", _sparse),
}
FUNCTIONS = {name: NamedFunction(name, row[2]) for name, row in _ROWS.items()}


class Loss(Configured):
    """A loss with its arguments. Calling it computes the reduced loss of tensors. A script's own has `call`."""

    function = None
    parameters = "reduction name"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.reduction = self._given.get("reduction", Reduction.AUTO)

    @property
    def name(self):
        return self._given.get("name") or getattr(self.function, "keras_name", None) or snake_case(type(self).__name__)

    def call(self, y_true, y_pred):
        """The losses of the samples."""
        if self.function is None:
            raise NotImplementedError(f"The loss {type(self).__name__} needs a method `call`.")
        given = {key: value for key, value in self._given.items() if key not in ("reduction", "name")}
        return type(self).function(y_true, y_pred, **given)

    def __call__(self, y_true, y_pred, sample_weight=None):
        call = self.call
        if current() is not None:
            from tilewright.trace.autograph import convert

            call = convert(call)
        return reduced(call(y_true, y_pred), sample_weight, self.reduction)

    def keras_json(self):
        if not is_known(self):
            raise not_yet(f"the script's own loss {type(self).__name__} in a project")
        given = {key: value for key, value in self.get_config().items() if not (key == "axis" and value == -1)}
        return {"class_name": type(self).__name__, "config": given}


def is_known(loss):
    """Whether the engine computes the loss: a function or class of the table, not a script's own."""
    return loss is None or isinstance(loss, NamedFunction) or type(loss) in CLASSES.values()


def reduced(losses, sample_weight=None, reduction=Reduction.AUTO):
    """The losses of samples as one number."""
    if sample_weight is not None:
        weight = tf.cast(sample_weight, losses.dtype)
        while weight.shape.rank < losses.shape.rank:
            weight = tf.expand_dims(weight, -1)
        losses = losses * weight
    if reduction == Reduction.NONE:
        return losses
    return tf.reduce_sum(losses) if reduction == Reduction.SUM else tf.reduce_mean(losses)


CLASSES = family(__name__, Loss, {row[0]: " ".join(filter(None, (row[1], "reduction name"))) for row in _ROWS.values()})
for _name, _row in _ROWS.items():
    CLASSES[_row[0]].function = FUNCTIONS[_name]
globals().update(FUNCTIONS)
globals().update(CLASSES)
_SHORT = {"mse": "mean_squared_error", "mae": "mean_absolute_error", "mape": "mean_absolute_percentage_error",
          "msle": "mean_squared_logarithmic_error", "kld": "kl_divergence", "kullback_leibler_divergence": "kl_divergence",
          "logcosh": "log_cosh", "bce": "binary_crossentropy"}
for _alias, _name in _SHORT.items():
    globals()[_alias] = FUNCTIONS[_name]
    globals()[_alias.upper()] = FUNCTIONS[_name]


def get(identifier):
    """A loss from its name, its class, a configuration or the loss itself."""
    if isinstance(identifier, str):
        name = _SHORT.get(identifier.lower(), identifier)
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        if identifier in CLASSES:
            return CLASSES[identifier]()
        from tilewright.missing import nearest

        raise ValueError(f"Unknown loss function: {identifier}.{nearest(identifier, [*FUNCTIONS, *CLASSES, *_SHORT])}")
    if isinstance(identifier, dict):
        return CLASSES[identifier["class_name"]](**identifier["config"])
    if identifier is None or callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret the loss {identifier!r}.")


class losses_utils:
    """Keras's module of this name, with what scripts read of it."""

    ReductionV2 = Reduction
