"""keras.backend and keras.mixed_precision: global settings and small functions."""

import numpy as np

from tilewright.keras import naming
from tilewright.tf import dtypes
from tilewright.tf.functions import constant  # noqa: F401

_settings = {"floatx": "float32", "policy": None, "epsilon": 1e-7}


def floatx():
    return _settings["floatx"]


def set_floatx(value):
    if value not in ("float16", "float32", "float64"):
        raise ValueError(f"Unknown floatx type: {value}. Choose float16, float32 or float64.")
    _settings["floatx"] = value


def epsilon():
    return _settings["epsilon"]


def set_epsilon(value):
    _settings["epsilon"] = float(value)


def image_data_format():
    return "channels_last"


def clear_session():
    """Starts the names of layers again."""
    naming.clear_session()


def get_value(x):
    return x.numpy() if hasattr(x, "numpy") else x


def set_value(x, value):
    x.assign(np.asarray(value, x.dtype.as_numpy_dtype))


def learning_phase():
    return 0


class Policy:
    """Types of computation and of weights."""

    def __init__(self, name):
        self.name = name
        if name.startswith("mixed_"):
            self.compute_dtype, self.variable_dtype = name[len("mixed_"):], "float32"
        else:
            self.compute_dtype = self.variable_dtype = dtypes.as_dtype(name).name

    def __repr__(self):
        return f'<Policy "{self.name}">'


def set_global_policy(policy):
    _settings["policy"] = policy if isinstance(policy, Policy) or policy is None else Policy(policy)


def global_policy():
    return _settings["policy"] or Policy(floatx())


def layer_dtype():
    """The type of new layers: a policy's name or floatx."""
    return global_policy().name
