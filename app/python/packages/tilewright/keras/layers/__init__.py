"""Layers: the base class, Input, and a class for each layer of the engine."""

from tilewright.keras.layers.base import Layer
from tilewright.keras.layers.input import Input, InputLayer
from tilewright.keras.layers.known import ALIASES, CLASSES
from tilewright.keras.layers.own import Lambda

__all__ = ["Layer", "Input", "InputLayer", "Lambda", *CLASSES, *ALIASES]
globals().update(CLASSES)
globals().update({alias: CLASSES[name] for alias, name in ALIASES.items()})
