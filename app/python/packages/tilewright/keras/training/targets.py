"""What the losses and metrics of a run compare, and what its logs are called.

Usually predictions and labels as they are. Keras has one more rule: where predictions have one axis more than labels and their last
axis is 1, it is dropped. Dense(1) on [batch, 28, …] with class numbers is then a problem of 28 classes for the loss, while "accuracy"
means binary accuracy because of the last axis, with each label compared to all 28 values. The project expresses this by two outputs.
"""

import numpy as np

from tilewright.keras.engine.probe import project_of
from tilewright.keras.metrics import name_of
from tilewright.missing import not_yet


class Targets:
    """Predictions and labels as they are."""

    def __init__(self, model):
        self._model = model

    def project(self):
        return self._model.project()

    def fields(self, training):
        return self._model.compiled_fields(training)

    def columns(self, columns):
        return columns

    def refresh(self):
        """After the arrays of an epoch were filled."""

    def logs(self, loss, metrics):
        """The names and values that Keras logs: penalties of weights are a part of the loss, without an entry of their own."""
        return {"loss": loss, **{name: value for name, value in metrics.items() if name != "regularization_loss"}}


class SqueezedTargets(Targets):
    """Predictions without their last axis of 1: one output for the loss, and one with broadcast labels for the accuracy."""

    _LOSS, _METRIC = "squeezed", "broadcast"

    def __init__(self, model):
        super().__init__(model)
        self._classes = model.outputs[0].shape[-2]
        for metric in model._metrics:
            if name_of(metric) not in ("accuracy", "acc"):
                raise not_yet(f"the metric {name_of(metric)} of predictions whose last axis of 1 is dropped")

    def project(self):
        network = self._model.network()
        document = network.keras_json()
        last = network.outputs[0]
        stage = last.node.pipeline_stage
        for name in (self._LOSS, self._METRIC):
            row = {"class_name": "Reshape", "name": name, "inbound_nodes": [[[*network.reference(last), {}]]],
                   "config": {"name": name, "target_shape": [self._classes], "dtype": last.dtype.name}}
            document["config"]["layers"].append(row if stage is None else {**row, "pipeline_stage": stage})
        document["config"]["output_layers"] = [[self._LOSS, 0, 0], [self._METRIC, 0, 0]]
        return project_of(document)

    def fields(self, training):
        fields = self._model.compiled_fields(training)
        return {**fields, "training.loss": {self._LOSS: fields["training.loss"], self._METRIC: "mean_squared_error"},
                "training.loss_weights": {self._LOSS: 1.0, self._METRIC: 0.0},
                "training.metrics": {self._LOSS: [], self._METRIC: ["binary_accuracy"] if self._model._metrics else []}}

    def columns(self, columns):
        from tilewright.keras.training.data import Columns

        self._labels = next(iter(columns.y.values()))
        self._broadcast = np.empty((len(self._labels), self._classes), np.float32)
        self.refresh()
        return Columns(columns.x, {self._LOSS: self._labels, self._METRIC: self._broadcast}, columns.weight)

    def refresh(self):
        self._broadcast[:] = self._labels.reshape(-1, 1)

    def logs(self, loss, metrics):
        known = {f"{self._METRIC}_binary_accuracy": name_of(metric) for metric in self._model._metrics}
        return {"loss": loss, **{known[name]: value for name, value in metrics.items() if name in known}}


class RepeatedTargets(Targets):
    """One prediction for each sample and several labels: the loss compares the prediction with each of them."""

    _LAYERS = ("repeated", "broadcast")

    def __init__(self, model, count):
        super().__init__(model)
        self._count = count
        if model._metrics:
            raise not_yet("metrics of a model with one prediction and several labels for each sample")

    def project(self):
        network = self._model.network()
        document = network.keras_json()
        last = network.outputs[0]
        place = network.reference(last)
        for name, kind, config in ((self._LAYERS[0], "RepeatVector", {"n": self._count}),
                                   (self._LAYERS[1], "Reshape", {"target_shape": [self._count]})):
            row = {"class_name": kind, "name": name, "inbound_nodes": [[[*place, {}]]],
                   "config": {"name": name, "dtype": last.dtype.name, **config}}
            document["config"]["layers"].append(row if last.node.pipeline_stage is None else
                                                {**row, "pipeline_stage": last.node.pipeline_stage})
            place = [name, 0, 0]
        document["config"]["output_layers"] = [place]
        return project_of(document)

    def columns(self, columns):
        from tilewright.keras.training.data import Columns

        return Columns(columns.x, {self._LAYERS[1]: next(iter(columns.y.values()))}, columns.weight)


def targets_of(model, source):
    """The rule that applies to the outputs of a model and the labels of a source."""
    labels = source.label_shapes()
    if len(model.outputs) == 1 and model.loss is not None and len(labels) == 1:
        prediction, label = model.outputs[0].shape, labels[0]
        is_class = model.class_labels() == [True]
        # A label of rank 1 counts as [batch, 1].
        if is_class and prediction.rank == 3 and prediction[-1] == 1 and len(label) <= 2:
            return SqueezedTargets(model)
        if not is_class and prediction.rank == len(label) == 2 and prediction[-1] == 1 and label[-1] not in (1, None):
            return RepeatedTargets(model, label[-1])
    return Targets(model)
