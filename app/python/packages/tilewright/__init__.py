"""Tilewright in Python: projects are opened, compiled, trained and asked for predictions.

Scripts that are written for TensorFlow on the IPU run under `python3 -m tilewright script.py`; see tilewright.names for what
they find.
"""

import importlib

_FROM_ENGINE = ("Project", "Training", "State", "Error", "evaluate", "predict", "epoch_order", "version")

__all__ = [*_FROM_ENGINE, "open", "fit"]


def __getattr__(name):
    if name in _FROM_ENGINE:
        return getattr(importlib.import_module("_tilewright"), name)
    if name in ("open", "fit"):
        return getattr(importlib.import_module("tilewright.direct"), name)
    raise AttributeError(f"tilewright.{name} is not there yet.")
