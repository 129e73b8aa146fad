"""Metrics: classes for compile, by name in the engine, and a script's own."""

import numpy as np

from tilewright.keras.configured import Configured, family
from tilewright.keras.naming import snake_case
from tilewright.missing import not_yet

#: Names of Keras that are not the class in snake case.
_NAMES = {"KLDivergence": "kullback_leibler_divergence", "AUC": "auc", "MeanIoU": "mean_io_u", "LogCoshError": "logcosh"}
#: Arguments that the engine knows, by class; every class also has name and dtype.
_ROWS = {
    "Accuracy": "", "BinaryAccuracy": "threshold", "CategoricalAccuracy": "", "SparseCategoricalAccuracy": "",
    "TopKCategoricalAccuracy": "k", "SparseTopKCategoricalAccuracy": "k", "MeanSquaredError": "", "MeanAbsoluteError": "",
    "MeanAbsolutePercentageError": "", "MeanSquaredLogarithmicError": "", "BinaryCrossentropy": "from_logits label_smoothing",
    "CategoricalCrossentropy": "from_logits label_smoothing", "SparseCategoricalCrossentropy": "from_logits axis", "Hinge": "",
    "SquaredHinge": "", "CategoricalHinge": "", "Poisson": "", "KLDivergence": "", "LogCoshError": "", "CosineSimilarity": "axis",
    "RootMeanSquaredError": "", "MeanRelativeError": "normalizer", "Mean": "", "Sum": "",
    "TruePositives": "thresholds", "TrueNegatives": "thresholds", "FalsePositives": "thresholds", "FalseNegatives": "thresholds",
    "Precision": "thresholds top_k class_id", "Recall": "thresholds top_k class_id",
    "SensitivityAtSpecificity": "specificity num_thresholds class_id", "SpecificityAtSensitivity": "sensitivity num_thresholds class_id",
    "PrecisionAtRecall": "recall num_thresholds class_id", "RecallAtPrecision": "precision num_thresholds class_id",
    "AUC": "num_thresholds curve summation_method", "MeanIoU": "num_classes",
}
#: Arguments behind name and dtype.
_LAST = {"AUC": "thresholds multi_label num_labels label_weights from_logits"}


class Metric(Configured):
    """A value that fit and evaluate report. A script's own has add_weight, update_state and result."""

    parameters = "name dtype"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._states = []

    @property
    def name(self):
        return self._given.get("name") or _NAMES.get(type(self).__name__) or snake_case(type(self).__name__)

    @property
    def dtype(self):
        return self._given.get("dtype") or "float32"

    def keras_json(self):
        if not is_known(self):
            raise not_yet(f"the script's own metric {type(self).__name__} in a project")
        given = {key: value for key, value in self.get_config().items() if key not in ("dtype", "name")}
        if "name" not in self._given:
            return {"class_name": type(self).__name__, "config": given}
        return {"class_name": type(self).__name__, "config": {**given, "name": self._given["name"]}}

    def add_weight(self, name, shape=(), aggregation=None, synchronization=None, initializer="zeros", dtype=None):
        """A variable of the metric; reset_state sets it to zero."""
        from tilewright.keras.own_weights import make_weight

        self._states.append(make_weight(self.name, name, shape, dtype or self.dtype, initializer, False))
        return self._states[-1]

    @property
    def variables(self):
        return list(self._states)

    weights = variables

    def reset_state(self):
        for variable in self._states:
            variable.assign(np.zeros(tuple(variable.shape), variable.dtype.as_numpy_dtype))

    def reset_states(self):
        self.reset_state()

    def update_state(self, *args, **kwargs):
        from tilewright.keras.metric_values import update

        return update(self, *args, **kwargs)

    def result(self):
        from tilewright.keras.metric_values import result

        return result(self)

    def __call__(self, *args, **kwargs):
        self.update_state(*args, **kwargs)
        return self.result()


CLASSES = family(__name__, Metric, {name: f"{parameters} name dtype {_LAST.get(name, '')}".strip() for name, parameters in _ROWS.items()})
globals().update(CLASSES)


class MeanMetricWrapper(Metric):
    """The mean of a function of labels and predictions."""

    parameters = "fn name dtype"

    def __init__(self, fn, name=None, dtype=None, **kwargs):
        super().__init__(fn, name, dtype)
        self._given["name"] = name or getattr(fn, "__name__", type(fn).__name__)
        self._arguments = kwargs


def is_known(metric):
    """Whether the engine computes the metric: a class of the table, not a script's own."""
    return type(metric) in CLASSES.values()


#: Names that the engine resolves by the shapes.
WORDS = ("accuracy", "acc", "crossentropy", "ce")


def get(identifier):
    """A metric from its name, its class, its function or the metric itself, as the engine takes it."""
    from tilewright.keras import losses

    if isinstance(identifier, str) or isinstance(identifier, Metric):
        return identifier
    if isinstance(identifier, type) and issubclass(identifier, Metric):
        return identifier()
    if identifier in losses.FUNCTIONS.values():
        return identifier.keras_name
    if callable(identifier):
        return MeanMetricWrapper(identifier)
    raise not_yet(f"the metric {identifier!r} in compile", "Use a name, a function or a class.")


def name_of(identifier):
    """The name in logs and history."""
    return identifier if isinstance(identifier, str) else identifier.name


def json_of(identifier):
    identifier = get(identifier)
    return identifier if isinstance(identifier, str) else identifier.keras_json()
