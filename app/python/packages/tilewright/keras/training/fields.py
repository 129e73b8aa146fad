"""The fields of a project that a compiled model sets."""

import json
import os

from tilewright.keras.configured import plain
from tilewright.tf.errors import from_engine

#: training.seed of a project, when the script sets none.
DEFAULT_SEED = 42


#: The smallest system for a number of IPUs, unless TILEWRIGHT_TARGET names one.
_SYSTEMS = ((1, "gc200"), (4, "pod4"), (16, "pod16"), (64, "pod64"))


def seed():
    """The seed of weights and shuffles: that of tf.random.set_seed."""
    from tilewright.tf.random import global_seed

    return DEFAULT_SEED if global_seed() is None else global_seed()


def set_field(project, field, value):
    """Sets a field from a Python value; errors are ValueErrors."""
    import _tilewright

    value = plain(value)
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        project.set(field, text)
    except _tilewright.Error as error:
        raise from_engine(error) from None


def set_fields(project, fields):
    for field, value in fields.items():
        if value is not None:
            set_field(project, field, value)


def system_fields(strategy):
    """Where the model runs: on the host without a strategy, else on the configured system."""
    if strategy is None:
        return {"system.target": "cpu"}
    from tilewright.ipu.config import configured

    config = configured()
    ipus = max([1, *(config.device_sizes() if config is not None else [])])
    fields = {"system.target": os.environ.get("TILEWRIGHT_TARGET") or next(
        (target for size, target in _SYSTEMS if ipus <= size), _SYSTEMS[-1][1])}
    if config is not None:
        fields.update(config.project_fields())
    return fields
