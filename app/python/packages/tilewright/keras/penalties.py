"""Regularizers and constraints of weights."""

from tilewright.keras.configured import Configured, family
from tilewright.keras.initializers import _get


class Regularizer(Configured):
    """A penalty in the loss."""

    def __call__(self, x):
        """The penalty of a weight: l1 |w| + l2 w^2, summed."""
        from tilewright.missing import not_yet
        from tilewright.tf import functions as tf

        name = type(self).__name__
        if name not in ("L1", "L2", "L1L2"):
            raise not_yet(f"calling the regularizer {name}")
        first = {"L1": 0.01, "L1L2": 0.0}.get(name, 0.0)
        second = {"L2": 0.01, "L1L2": 0.0}.get(name, 0.0)
        total = 0.0
        if self._given.get("l1", first):
            total = total + float(self._given.get("l1", first)) * tf.reduce_sum(tf.abs(x))
        if self._given.get("l2", second):
            total = total + float(self._given.get("l2", second)) * tf.reduce_sum(tf.square(x))
        return total


class Constraint(Configured):
    """A rule for a weight after each update."""


REGULARIZERS = family(__name__, Regularizer, {"L1": "l1", "L2": "l2", "L1L2": "l1 l2", "OrthogonalRegularizer": "factor mode"})
CONSTRAINTS = family(__name__, Constraint, {"MaxNorm": "max_value axis", "NonNeg": "", "UnitNorm": "axis",
                                            "MinMaxNorm": "min_value max_value rate axis", "RadialConstraint": ""})
globals().update(REGULARIZERS)
globals().update(CONSTRAINTS)
max_norm, non_neg, unit_norm, min_max_norm = (CONSTRAINTS[name] for name in ("MaxNorm", "NonNeg", "UnitNorm", "MinMaxNorm"))


def l1(l1=0.01, **kwargs):
    return REGULARIZERS["L1"](l1)


def l2(l2=0.01, **kwargs):
    return REGULARIZERS["L2"](l2)


def l1_l2(l1=0.01, l2=0.01):
    return REGULARIZERS["L1L2"](l1, l2)


def get_regularizer(identifier):
    return _get(identifier, {**REGULARIZERS, "l1": REGULARIZERS["L1"], "l2": REGULARIZERS["L2"], "l1_l2": l1_l2}, "regularizer")


def get_constraint(identifier):
    return _get(identifier, {**CONSTRAINTS, "max_norm": max_norm, "non_neg": non_neg, "unit_norm": unit_norm}, "constraint")
