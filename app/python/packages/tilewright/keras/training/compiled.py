"""compile: loss, optimizer and metrics of a model, as fields of its project."""

from tilewright.keras import losses, metrics, optimizers
from tilewright.missing import not_yet, refuse_arguments
from tilewright.tf import nest


class _MetricName:
    """An entry of model.metrics: what logs call it."""

    def __init__(self, name):
        self.name = name

    def reset_state(self):
        """The engine starts its means anew with each epoch."""

    reset_states = reset_state

    def __repr__(self):
        return f"<metric {self.name}>"


class Compiled:
    """The part of a model that compile sets."""

    def begin_compiled(self):
        self.optimizer = None
        self.loss = self._losses = None
        self._metrics = None
        self._loss_weights = None
        self._steps_per_execution = 1
        self._compiled = False
        self._metric_names = None
        self._state = None  # of the last training, to continue it
        self._steps_of = None  # the traced steps

    def compile(self, optimizer="rmsprop", loss=None, metrics=None, loss_weights=None, weighted_metrics=None, run_eagerly=None,
                steps_per_execution=None, **kwargs):
        """Sets what fit and evaluate need. Weights stay."""
        for name in ("jit_compile", "target_tensors", "sample_weight_mode", "experimental_steps_per_execution"):
            value = kwargs.pop(name, None)
            if name == "experimental_steps_per_execution" and value is not None:
                steps_per_execution = value
            elif value is not None and name != "jit_compile":
                raise not_yet(f"the argument {name} of compile")
        refuse_arguments("compile", kwargs)
        if run_eagerly:
            raise RuntimeError("run_eagerly=True cannot be combined with an IPU: the model is compiled as one program.")
        if weighted_metrics:
            raise not_yet("the argument weighted_metrics of compile")
        new = optimizers.get(optimizer)
        if new is not self.optimizer:
            self._state = None
        self.optimizer = new
        self.loss = loss
        self._losses = _map(loss, losses.get)
        self._metrics = _listed(metrics)
        self._loss_weights = loss_weights
        self._steps_per_execution = 1 if steps_per_execution is None else steps_per_execution.__index__() if hasattr(
            steps_per_execution, "__index__") else int(steps_per_execution)
        if self._steps_per_execution < 1:
            raise ValueError(f"steps_per_execution is {self._steps_per_execution}; it must be 1 or more.")
        self._metric_names = None
        self._compiled = True
        self._steps_of, self._step_programs = None, {}

    def need_compiled(self):
        if not self._compiled:
            raise RuntimeError("You must compile your model before training/testing. Use model.compile(optimizer, loss).")

    @property
    def metrics(self):
        """The metrics of a model whose steps are traced; otherwise objects with the names of the logs, once they are known."""
        return self.step_metrics() if self.traces() else [_MetricName(name) for name in self.metrics_names]

    def own_parts(self):
        """Names of what Python computes in a training: the script's own loss, metrics, optimizer, steps and layers."""
        parts = [f"the loss {getattr(loss, '__name__', type(loss).__name__)}" for loss in _leaves(self._losses) if not losses.is_known(loss)]
        parts += [f"the metric {metrics.name_of(metric)}" for metric in map(metrics.get, _leaves(self._metrics))
                  if not isinstance(metric, str) and not metrics.is_known(metric)]
        if self.optimizer is not None and not optimizers.is_known(self.optimizer):
            parts.append(f"the optimizer {type(self.optimizer).__name__}")
        return parts + self.own_steps()

    @property
    def metrics_names(self):
        return list(self._metric_names or [])

    def know_metrics(self, names):
        self._metric_names = list(names)

    def compiled_fields(self, training):
        """training.loss, training.optimizer and training.metrics."""
        if self.loss is None and training:
            raise ValueError("No loss found. You may have forgotten to give compile a loss.")
        fields = {"training.loss_weights": self._loss_weights, "training.optimizer": self.optimizer.keras_json()}
        if self.loss is not None:
            fields["training.loss"] = self._loss_json()
        if self._metrics:
            fields["training.metrics"] = _map(self._metrics, metrics.json_of)
        return fields

    def _loss_json(self):
        def json_of(loss):
            return loss.keras_json() if hasattr(loss, "keras_json") else _function_name(loss)
        return _map(self._losses, json_of)

    def class_labels(self):
        """Whether the labels of each output are class numbers, by its position."""
        names = self.output_names
        def sparse(loss):
            return loss is not None and "sparse" in str(getattr(loss, "keras_name", None) or type(loss).__name__).lower()
        if isinstance(self._losses, dict):
            return [sparse(self._losses.get(name)) for name in names]
        if isinstance(self._losses, (list, tuple)):
            return [sparse(loss) for loss in self._losses]
        return [sparse(self._losses)] * len(names)


def _function_name(function):
    name = getattr(function, "keras_name", None)
    if name is None:
        raise not_yet(f"the script's own loss {getattr(function, '__name__', function)!r} in compile")
    return name


def _leaves(structure):
    return [leaf for leaf in nest.flatten(structure) if leaf is not None]


def _map(structure, function):
    if isinstance(structure, dict):
        return {key: _map(part, function) for key, part in structure.items()}
    if isinstance(structure, (list, tuple)):
        return [_map(part, function) for part in structure]
    return None if structure is None else function(structure)


def _listed(given):
    if given is None:
        return []
    if isinstance(given, dict):
        return {key: _listed(part) for key, part in given.items()}
    return list(given) if isinstance(given, (list, tuple)) else [given]
