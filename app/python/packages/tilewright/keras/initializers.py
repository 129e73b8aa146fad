"""Initializers of weights. The engine draws their values; a call draws them for a weight that stands alone."""

import json

from tilewright.keras.configured import Configured, family, plain
from tilewright.tf.tensor import EagerTensor


class Initializer(Configured):
    """The first values of a weight."""

    def __call__(self, shape, dtype=None, **kwargs):
        from tilewright.keras.engine.probe import initial_values
        from tilewright.keras.training.fields import seed

        tensor = EagerTensor(initial_values(self.keras_json(), [int(extent) for extent in shape], seed()))
        from tilewright.tf.functions import cast

        return tensor if dtype is None else cast(tensor, dtype)


_CLASSES = family(__name__, Initializer, {
    "Zeros": "", "Ones": "", "Constant": "value", "RandomUniform": "minval maxval seed", "RandomNormal": "mean stddev seed",
    "TruncatedNormal": "mean stddev seed", "VarianceScaling": "scale mode distribution seed", "GlorotUniform": "seed",
    "GlorotNormal": "seed", "HeUniform": "seed", "HeNormal": "seed", "LecunUniform": "seed", "LecunNormal": "seed",
    "Orthogonal": "gain seed", "Identity": "gain",
})
globals().update(_CLASSES)
_ALIASES = {"zeros": "Zeros", "zero": "Zeros", "ones": "Ones", "one": "Ones", "constant": "Constant", "uniform": "RandomUniform",
            "random_uniform": "RandomUniform", "normal": "RandomNormal", "random_normal": "RandomNormal",
            "truncated_normal": "TruncatedNormal", "variance_scaling": "VarianceScaling", "glorot_uniform": "GlorotUniform",
            "glorot_normal": "GlorotNormal", "he_uniform": "HeUniform", "he_normal": "HeNormal", "lecun_uniform": "LecunUniform",
            "lecun_normal": "LecunNormal", "orthogonal": "Orthogonal", "identity": "Identity"}
for _alias, _name in _ALIASES.items():
    globals()[_alias] = _CLASSES[_name]


def get(identifier):
    """An initializer from a name, a configuration or an initializer."""
    return _get(identifier, {**_CLASSES, **{alias: _CLASSES[name] for alias, name in _ALIASES.items()}}, "initializer")


def _get(identifier, classes, what):
    if identifier is None or isinstance(identifier, Configured):
        return identifier
    if isinstance(identifier, dict):
        return _get(identifier["class_name"], classes, what).__class__(**identifier["config"])
    if isinstance(identifier, type) and issubclass(identifier, Configured):
        return identifier()
    if isinstance(identifier, str):
        if identifier in classes:
            return classes[identifier]()
        from tilewright.missing import nearest

        raise ValueError(f"Unknown {what}: {identifier}.{nearest(identifier, classes)}")
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret the {what} {identifier!r}.")


def serialize(initializer):
    return json.loads(json.dumps(plain(initializer)))
