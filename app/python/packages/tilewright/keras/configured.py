"""Objects that are a class name and its arguments: initializers, regularizers, losses, metrics, optimizers, schedules.

The engine knows what they mean; Python keeps what the script gave.
"""

import numpy as np

from tilewright.missing import nearest
from tilewright.tf import dtypes


def plain(value):
    """A value for a model's JSON: objects become {"class_name", "config"}, functions their names."""
    if hasattr(value, "keras_json"):
        return value.keras_json()
    if isinstance(value, dtypes.DType):
        return value.name
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if callable(value):
        name = getattr(value, "keras_name", None)
        if name is None:
            from tilewright.missing import not_yet

            raise not_yet(f"the script's own function or class {getattr(value, '__name__', value)!r} in a model",
                          "Use a name or a class that Keras has.")
        return name
    if hasattr(value, "_read_tensor") or hasattr(value, "_value"):
        return plain(np.asarray(value))
    return value


def bind(where, parameters, args, kwargs):
    """Arguments by name, as a call of Python would bind them. `parameters`: "units activation=… " without defaults."""
    names = parameters.split()
    if len(args) > len(names):
        raise TypeError(f"{where} takes {len(names)} positional arguments but {len(args)} were given.")
    given = dict(zip(names, args))
    for name, value in kwargs.items():
        if name in given:
            raise TypeError(f"{where} got multiple values for argument '{name}'.")
        if name not in names:
            raise TypeError(f"{where} got an unexpected keyword argument '{name}'.{nearest(name, names)}")
        given[name] = value
    return given


class Configured:
    """A class name and the arguments that the script gave; the others have the engine's defaults."""

    class_name = None
    parameters = ""

    def __init__(self, *args, **kwargs):
        self._given = bind(type(self).__name__, self.parameters, args, kwargs)

    def __getattr__(self, name):
        given = self.__dict__.get("_given", {})
        if name in given:
            return given[name]
        raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}'.")

    def get_config(self):
        return dict(self._given)

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def keras_json(self):
        return {"class_name": self.class_name or type(self).__name__, "config": plain(self._given)}

    def __eq__(self, other):
        return type(self) is type(other) and self.keras_json() == other.keras_json()

    __hash__ = object.__hash__


def family(module, base, rows):
    """Classes of one kind from rows of "Name": "parameters"; returns them by name."""
    return {name: type(name, (base,), {"parameters": parameters, "__module__": module, "__doc__": f"Keras's {name}."})
            for name, parameters in rows.items()}


class NamedFunction:
    """A function that also has a name for the engine. Calling it computes with tensors."""

    def __init__(self, keras_name, function):
        self.keras_name = self.__name__ = keras_name
        self.__doc__ = function.__doc__
        self._function = function

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)

    def __repr__(self):
        return f"<function {self.keras_name}>"
