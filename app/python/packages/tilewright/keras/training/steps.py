"""train_step, test_step and predict_step of a model, and the losses and metrics that they use: Keras's own forms.

They are traced. A model whose loss, metrics, optimizer and layers the engine knows needs none of them.
"""

from tilewright.keras import losses, metrics
from tilewright.keras.metric_values import word
from tilewright.missing import not_yet
from tilewright.tf import functions as tf, nest
from tilewright.tf.tensor import EagerTensor

_STEPS = ("train_step", "test_step", "predict_step")


def unpack(data):
    """(x, y, weight of samples) of an element; None for what it does not have."""
    if not isinstance(data, tuple):
        return data, None, None
    return (*data, None, None)[:3]


class Steps:
    """The part of a model that says what a step computes."""

    def own_steps(self):
        """Names of the steps that the script has written, and of layers that Python describes."""
        if hasattr(type(self), "make_train_function"):
            raise not_yet(f"{type(self).__name__}.make_train_function", "Write a train_step.")
        found = [f"{type(self).__name__}.{name}" for name in _STEPS if getattr(type(self), name) is not getattr(Steps, name)]
        return found + [f"the layer {layer.name}" for layer in self.described_layers()]

    def traces(self):
        """Whether Python describes a part of what fit and evaluate compute."""
        return bool(self.own_parts())

    def train_step(self, data):
        """One update: returns the logs."""
        from tilewright.trace.tape import GradientTape

        x, y, weight = unpack(data)
        with GradientTape() as tape:
            predicted = self(x, training=True)
            loss = self.compiled_loss(y, predicted, weight, regularization_losses=self.losses)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        self.compiled_metrics.update_state(y, predicted, weight)
        return {metric.name: metric.result() for metric in self.metrics}

    def test_step(self, data):
        x, y, weight = unpack(data)
        predicted = self(x, training=False)
        self.compiled_loss(y, predicted, weight, regularization_losses=self.losses)
        self.compiled_metrics.update_state(y, predicted, weight)
        return {metric.name: metric.result() for metric in self.metrics}

    def predict_step(self, data):
        x, _, _ = unpack(data)
        return self(x, training=False)

    @property
    def compiled_loss(self):
        return self._step_parts()[0]

    @property
    def compiled_metrics(self):
        return self._step_parts()[1]

    def _step_parts(self):
        if self._steps_of is None:
            self.need_compiled()
            self._steps_of = (CompiledLoss(self), CompiledMetrics(self))
        return self._steps_of

    def step_metrics(self):
        """The metrics of compile and those among the attributes of the model and its layers."""
        from tilewright.keras.engine.own_call import tracked

        found = []
        if self._compiled:
            found = [*self.compiled_loss.metrics, *self.compiled_metrics.metrics, *self.compiled_metrics.added]
        for owner in [self, *self.all_layers()]:
            found.extend(metric for metric in tracked(owner, metrics.Metric) if not any(metric is other for other in found))
        return found


class CompiledLoss:
    """The losses of compile over the outputs, and the means that the logs show."""

    def __init__(self, model):
        self._model, self._loss, self._weights = model, model._losses, model._loss_weights
        self._mean = metrics.Mean(name="loss")
        self._means = {}

    @property
    def metrics(self):
        return [self._mean, *self._means.values()] if self._loss is not None or self._mean._states else []

    def __call__(self, y_true, y_pred, sample_weight=None, regularization_losses=None):
        """The sum of the weighted losses and the penalties."""
        outputs = nest.flatten(y_pred)
        names = _names(self._model, y_pred)
        targets = _by_output(y_true, y_pred, names)
        chosen, weights = _by_name(self._loss, names), _by_name(self._weights, names)
        total = None
        for name, target, output, loss, weight in zip(names, targets, outputs, chosen, weights):
            if loss is None or target is None:
                continue
            value = _value(loss, *_fitted(target, output), sample_weight)
            if len(outputs) > 1:
                if name not in self._means:
                    self._means[name] = metrics.Mean(name=f"{name}_loss")
                self._means[name].update_state(value)
            value = value if weight is None else value * float(weight)
            total = value if total is None else total + value
        for term in regularization_losses or []:
            total = term if total is None else total + term
        if total is None:
            raise ValueError("No loss found. You may have forgotten to give compile a loss.")
        self._mean.update_state(total, sample_weight=float(outputs[0].shape[0]))
        return total


class CompiledMetrics:
    """The metrics of compile over the outputs, and those that layers add."""

    def __init__(self, model):
        self._model, self._given = model, model._metrics
        self._made = None
        self._added = {}

    @property
    def metrics(self):
        return [metric for group in self._made or [] for metric in group]

    @property
    def added(self):
        """Means of what layers add; each name is one metric."""
        return list(self._added.values())

    def update_state(self, y_true, y_pred, sample_weight=None):
        from tilewright.trace.additions import metrics_of

        outputs, names = nest.flatten(y_pred), _names(self._model, y_pred)
        targets = _by_output(y_true, y_pred, names)
        if self._made is None:
            given = _by_name(self._given, names) if isinstance(self._given, dict) else _groups(self._given or [], names)
            self._made = [[_made(metric, target, output, name if len(names) > 1 else None) for metric in _list(group)]
                          for group, target, output, name in zip(given, targets, outputs, names)]
        for group, target, output in zip(self._made, targets, outputs):
            for metric in group:
                _converted(metric.update_state)(*_fitted(target, output))
        for name, tensor in metrics_of(self._model.all_layers()):
            if name not in self._added:
                self._added[name] = metrics.Mean(name=name)
            self._added[name].update_state(tensor)


def _converted(function):
    from tilewright.trace.autograph import convert

    return convert(function)


def _value(loss, y_true, y_pred, sample_weight):
    """One number of one loss: a Loss reduces by itself, a function's values are averaged."""
    if isinstance(loss, losses.Loss):
        return loss(y_true, y_pred, sample_weight)
    return losses.reduced(_converted(loss)(y_true, y_pred), sample_weight)


def _made(given, y_true, y_pred, output):
    """The metric for an entry of compile."""
    given = metrics.get(given)
    if isinstance(given, metrics.Metric):
        return given
    name = given if output is None else f"{output}_{given}"
    if given in metrics.WORDS:
        return metrics.MeanMetricWrapper(word(given, y_true, y_pred), name)
    if given in losses._SHORT or given in losses.FUNCTIONS:
        return metrics.MeanMetricWrapper(losses.get(given), name)
    for known in metrics.CLASSES.values():
        if given in (known.__name__, known().name if not known.parameters.startswith(("specificity", "sens", "recall", "prec", "num_classes")) else ""):
            return known(name=name)
    raise ValueError(f"Unknown metric function: {given}.")


def _fitted(y_true, y_pred):
    """Labels with the rank and type of predictions, where Keras adapts them."""
    if y_true.shape.rank == 1 and y_pred.shape.rank == 2:
        y_true = tf.expand_dims(y_true, -1)
    if y_true.dtype != y_pred.dtype and y_true.dtype.is_floating == y_pred.dtype.is_floating:
        y_true = tf.cast(y_true, y_pred.dtype)
    return y_true, y_pred


def _names(model, y_pred):
    if isinstance(y_pred, dict):
        return sorted(y_pred)
    count = len(nest.flatten(y_pred))
    if model.built_symbolically() and len(model.output_names) == count:
        return model.output_names
    return [f"output_{i + 1}" for i in range(count)]


def _by_output(y_true, y_pred, names):
    if isinstance(y_true, dict):
        return [y_true.get(name) for name in names]
    leaves = nest.flatten(y_true) if y_true is not None else []
    return leaves if len(leaves) == len(names) else [leaves[0] if leaves else None] * len(names)


def _list(group):
    return list(group) if isinstance(group, (list, tuple)) else [] if group is None else [group]


def _by_name(given, names):
    """An entry for each output from a dict by name, a list, or one for all."""
    if isinstance(given, dict):
        return [given.get(name) for name in names]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError(f"compile was given {len(given)} entries for the {len(names)} outputs {names}.")
        return list(given)
    return [given] * len(names)


def _groups(given, names):
    """Metrics of each output: a list of lists is one for each, a plain list is for all."""
    return list(given) if len(names) == len(given) and any(isinstance(part, (list, tuple)) for part in given) else [given] * len(names)
