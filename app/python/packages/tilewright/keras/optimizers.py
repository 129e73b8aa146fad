"""Optimizers: their arguments, and the values that a script may change while a model trains."""

from tilewright.keras import schedules
from tilewright.keras.configured import Configured, bind, plain
from tilewright.missing import not_yet
from tilewright.tf import dtypes
from tilewright.tf.variable import HostCell, Variable

#: Arguments of the addons that only tell the compiler how: updates are computed in float32, and in place.
_HINTS = ("optimizer_compute_precisions", "outline_apply_gradients", "outline_apply_gradients_kwargs")
#: Arguments of every optimizer beside its own.
_COMMON = ("clipnorm", "clipvalue", "global_clipnorm", "decay", "lr", "gradient_transformers", "gradient_aggregator")


class Optimizer(Configured):
    """An optimizer of compile. `learning_rate` is a variable: assigning changes it, also while the model trains."""

    default_rate = 0.001
    parameters = "name"  # of a script's own

    def __init__(self, *args, **kwargs):
        common = {key: kwargs.pop(key) for key in _COMMON if key in kwargs}
        self._given = bind(type(self).__name__, self.parameters, args, kwargs)
        for name in _HINTS:
            value = plain(self._given.pop(name, None))
            if value and not (name == "optimizer_compute_precisions" and set(value) == {"float32"}):
                raise not_yet(f"the argument {name} of {type(self).__name__}")
        if "lr" in common:
            self._given["learning_rate"] = common.pop("lr")
        for name in ("gradient_transformers", "gradient_aggregator"):
            if common.pop(name, None):
                raise not_yet(f"the argument {name} of {type(self).__name__}")
        clips = [name for name in ("clipnorm", "global_clipnorm") if common.get(name) is not None]
        if len(clips) > 1:
            raise ValueError(f"{type(self).__name__}: only one of {' and '.join(clips)} can be set.")
        self._given.update(common)
        self._hyper = {}
        self.live = None  # the training that uses this optimizer now
        self.__dict__["_rate"] = _RateCell(self, self._given.get("learning_rate", self.default_rate))
        self.__dict__["iterations"] = Variable.over(_StepCell(self), (), dtypes.int64, "iter", False)

    def __getattr__(self, name):
        if name in ("learning_rate", "lr"):
            return self.__dict__["_rate"].shown()
        if name in self.__dict__.get("_hyper", {}):
            return self._hyper[name]
        return super().__getattr__(name)

    def __setattr__(self, name, value):
        if name in ("learning_rate", "lr"):
            self.__dict__["_rate"].write(value)
        elif name in self.__dict__.get("_given", {}) and name != "name":
            self._given[name] = value
            if self.live is not None:
                self.live.set_value(name, float(value))
        else:
            object.__setattr__(self, name, value)

    def get_config(self):
        return {"name": self._given.get("name") or type(self).__name__, **self._given, "learning_rate": self._rate.value()}

    def keras_json(self):
        if type(self).__name__ not in CLASSES:
            raise not_yet(f"the script's own optimizer {type(self).__name__} in compile")
        given = {key: value for key, value in self._given.items() if not (key == "name" and value is None)}
        given["learning_rate"] = self._rate.value()
        return {"class_name": self.class_name or type(self).__name__, "config": plain(given)}

    def apply_gradients(self, grads_and_vars, name=None, experimental_aggregate_gradients=True):
        """Updates the variables; inside a tf.function."""
        from tilewright.trace.context import current
        from tilewright.trace.optimizers import apply_gradients

        if current() is None:
            raise not_yet(f"{type(self).__name__}.apply_gradients outside of a tf.function", "Model.fit trains as well.")
        return apply_gradients(self, grads_and_vars)

    def minimize(self, loss, var_list, grad_loss=None, name=None, tape=None):
        """Gradients of a loss, a tensor or a function that computes it, and their update; inside a tf.function."""
        return self.apply_gradients(zip(self.get_gradients(loss() if callable(loss) else loss, var_list), var_list))

    def get_gradients(self, loss, params):
        """The gradients of a loss to variables; inside a tf.function. ValueError if one does not depend on it."""
        from tilewright.trace.context import current
        from tilewright.trace.tape import gradients

        if current() is None:
            raise not_yet(f"{type(self).__name__}.get_gradients outside of a tf.function")
        found = gradients(loss, list(params))
        for gradient, variable in zip(found, params):
            if gradient is None:
                raise ValueError(f"The loss does not depend on {variable.name}.")
        return found


    # What a script's own optimizer uses ---------------------------------------------------------------------------------

    def _set_hyper(self, name, value):
        """A number of the optimizer. The learning rate may change while a model trains; others are those of the next program."""
        if name in ("learning_rate", "lr"):
            self.learning_rate = value
        else:
            self._hyper[name] = value() if callable(value) else value

    def _get_hyper(self, name, dtype=None):
        from tilewright.trace.optimizers import hyper

        return hyper(self, name, dtype)

    def _decayed_lr(self, var_dtype):
        return self._get_hyper("learning_rate", var_dtype)

    def _serialize_hyperparameter(self, name):
        return self._rate.value() if name in ("learning_rate", "lr") else self._hyper[name]

    def add_slot(self, var, slot_name, initializer="zeros", shape=None):
        """A variable beside a weight, such as its momentum."""
        from tilewright.trace.optimizers import add_slot

        return add_slot(self, var, slot_name, initializer)

    def get_slot(self, var, slot_name):
        from tilewright.trace.optimizers import get_slot

        return get_slot(self, var, slot_name)

    def get_slot_names(self):
        from tilewright.trace.optimizers import slot_names

        return slot_names(self)

    def add_weight(self, name, shape=(), dtype=None, initializer="zeros", trainable=False, **kwargs):
        from tilewright.keras.own_weights import make_weight

        return make_weight(self._given.get("name") or type(self).__name__, name, shape, dtype or "float32", initializer, trainable)

    def _create_slots(self, var_list):
        """A script's own optimizer makes its slots here."""

    def _prepare_local(self, var_device, var_dtype, apply_state):
        apply_state[(var_device, var_dtype)]["lr_t"] = self._decayed_lr(var_dtype)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        """One weight's update."""
        from tilewright.trace.optimizers import update_one

        return update_one(self, grad, var)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        raise not_yet(f"{type(self).__name__}._resource_apply_sparse", "Gradients of embeddings are dense tensors.")


class _RateCell(HostCell):
    """The learning rate: a number, or a schedule of the device."""

    def __init__(self, optimizer, value):
        self._optimizer = optimizer
        self._value = value

    def value(self):
        live = self._optimizer.live
        if live is not None and not isinstance(self._value, schedules.LearningRateSchedule):
            return live.learning_rate()
        return self._value if isinstance(self._value, schedules.LearningRateSchedule) else float(self._value)

    def shown(self):
        value = self.value()
        return value if isinstance(value, schedules.LearningRateSchedule) else Variable.over(self, (), dtypes.float32, "learning_rate",
                                                                                            False)

    def read(self):
        import numpy as np

        return np.float32(self.value())

    def write(self, value):
        if isinstance(value, schedules.LearningRateSchedule):
            if self._optimizer.live is not None:
                raise not_yet("a schedule given to an optimizer while it trains")
            self._value = value
            return
        self._value = float(value)
        if self._optimizer.live is not None:
            self._optimizer.live.set_learning_rate(self._value)


class _StepCell(HostCell):
    """The count of weight updates."""

    def __init__(self, optimizer):
        self._optimizer = optimizer
        self._count = 0

    def read(self):
        import numpy as np

        live = self._optimizer.live
        return np.int64(live.updates() if live is not None else self._count)

    def write(self, value):
        if self._optimizer.live is not None:
            raise not_yet("assigning the iterations of an optimizer that trains")
        self._count = int(value)


_ROWS = {
    "SGD": ("learning_rate momentum nesterov name", 0.01),
    "RMSprop": ("learning_rate rho momentum epsilon centered name", 0.001),
    "Adam": ("learning_rate beta_1 beta_2 epsilon amsgrad name", 0.001),
    "Nadam": ("learning_rate beta_1 beta_2 epsilon name", 0.001),
    "Adamax": ("learning_rate beta_1 beta_2 epsilon name", 0.001),
    "Adagrad": ("learning_rate initial_accumulator_value epsilon name", 0.001),
    "Adadelta": ("learning_rate rho epsilon name", 0.001),
    "Ftrl": ("learning_rate learning_rate_power initial_accumulator_value l1_regularization_strength l2_regularization_strength name "
             "l2_shrinkage_regularization_strength beta", 0.001),
    "AdamIpuOptimizer": ("learning_rate beta_1 beta_2 epsilon amsgrad name m_dtype v_dtype vhat_dtype debiasing " + " ".join(_HINTS), 0.001),
    "SGDIpuOptimizer": ("learning_rate momentum nesterov name momentum_accum_dtype " + " ".join(_HINTS), 0.01),
    "LAMBIpuOptimizer": ("learning_rate beta_1 beta_2 epsilon weight_decay_rate exclude_from_weight_decay exclude_from_layer_adaptation "
                         "name m_dtype v_dtype weight_norm_clip debiasing " + " ".join(_HINTS), 0.001),
}
CLASSES = {name: type(name, (Optimizer,), {"parameters": row[0], "default_rate": row[1], "__module__": __name__,
                                           "__doc__": ("The addons' " if "Ipu" in name else "Keras's ") + name + "."})
           for name, row in _ROWS.items()}
globals().update(CLASSES)
OptimizerV2 = Optimizer


def is_known(optimizer):
    """Whether the engine has the optimizer: a class of the table or one around it, not a script's own."""
    return type(optimizer).__module__.startswith("tilewright.")


def get(identifier):
    """An optimizer from its name, a configuration or the optimizer itself."""
    if isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, dict):
        return get(identifier["class_name"]).__class__(**identifier["config"])
    if isinstance(identifier, str):
        for name, kind in CLASSES.items():
            if name.lower() == identifier.lower():
                return kind()
        from tilewright.missing import nearest

        raise ValueError(f"Unknown optimizer: {identifier}.{nearest(identifier.lower(), map(str.lower, CLASSES))}")
    raise ValueError(f"Could not interpret the optimizer {identifier!r}.")


def serialize(optimizer):
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}


def deserialize(config, custom_objects=None):
    return get(config)
