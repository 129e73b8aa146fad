"""Metrics: classes for compile, by name in the engine."""

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
}


class Metric(Configured):
    """A value that fit and evaluate report."""

    @property
    def name(self):
        return self._given.get("name") or _NAMES.get(type(self).__name__) or snake_case(type(self).__name__)

    def keras_json(self):
        if type(self).__name__ not in _ROWS:
            raise not_yet(f"the metric {type(self).__name__} in compile")
        given = {key: value for key, value in self.get_config().items() if key not in ("dtype", "name")}
        if "name" not in self._given:
            return {"class_name": type(self).__name__, "config": given}
        return {"class_name": type(self).__name__, "config": {**given, "name": self._given["name"]}}

    def update_state(self, *args, **kwargs):
        raise not_yet(f"{type(self).__name__}.update_state", "Give the metric to compile.")

    def result(self):
        raise not_yet(f"{type(self).__name__}.result", "fit, evaluate and History give the values.")


CLASSES = family(__name__, Metric, {name: (parameters + " name dtype").strip() for name, parameters in _ROWS.items()})
globals().update(CLASSES)

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
    raise not_yet(f"the metric {identifier!r} in compile", "Use a name or a class that Keras has.")


def name_of(identifier):
    """The name in logs and history."""
    return identifier if isinstance(identifier, str) else identifier.name


def json_of(identifier):
    identifier = get(identifier)
    return identifier if isinstance(identifier, str) else identifier.keras_json()
