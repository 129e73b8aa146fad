"""Names of layers and models: Dense becomes dense, then dense_1, …"""

import contextlib
import re

_COUNTERS = {}


def snake_case(name):
    """MaxPooling2D -> max_pooling2d, as Keras writes it."""
    broken = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", broken).lower()


def unique_name(base, from_one=False):
    """The next name of a base: without a number first, or with _1 first (inputs)."""
    count = _COUNTERS.get(base, 0)
    _COUNTERS[base] = count + 1
    if from_one:
        return f"{base}_{count + 1}"
    return base if count == 0 else f"{base}_{count}"


def clear_session():
    """Starts all names again."""
    _COUNTERS.clear()


@contextlib.contextmanager
def fresh():
    """Names from the begin; those outside go on behind it."""
    before = dict(_COUNTERS)
    _COUNTERS.clear()
    try:
        yield
    finally:
        _COUNTERS.clear()
        _COUNTERS.update(before)
