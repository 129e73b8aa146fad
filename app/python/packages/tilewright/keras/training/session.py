"""A training of the engine while a fit runs: where the newest weights and the learning rate are."""

import _tilewright

from tilewright.keras.metrics import name_of
from tilewright.reports import path_for
from tilewright.tf.errors import from_engine
from tilewright.tf.log import warn


class Compiled:
    """In place of a training where programs are only compiled (PRE_COMPILE): every result is zero."""

    over = False

    def __init__(self, model, project, columns):
        self._names = ["loss", *map(name_of, model._metrics if isinstance(model._metrics, list) else [])]
        try:
            training = _tilewright.Training(project, columns.x, columns.y, sample_weight=columns.weight)
            training.finish()
        except _tilewright.Error as error:
            raise from_engine(error) from None
        for text in training.take_warnings():
            warn(text)

    def run(self, steps=None):
        loss, *metrics = self._names
        return [{loss: 0.0, "metrics": dict.fromkeys(metrics, 0.0)}]

    def end(self):
        """There is no state to continue."""

    def abandon(self):
        """Nothing is held."""


class Live:
    """One training. Layers read their weights through it, and an optimizer its learning rate."""

    def __init__(self, model, project, columns, state=None, order=None, every=0, on_step=None):
        self._model = model
        self._optimizer = model.optimizer
        self._stale = False      # the device has newer weights than the layers
        self._running = False
        self._changed = False    # the layers have newer weights than the device
        self._accumulation = int(project.get("training.gradient_accumulation_steps"))
        self._updates = 0
        try:
            self._training = _tilewright.Training(
                project, columns.x, columns.y, sample_weight=columns.weight, weights=model.named_weights() if state is None else None,
                state=state, order=order, every=every, on_step=on_step,
                report=path_for(model.name, "fit") if model.on_ipu() else None)
        except _tilewright.Error as error:
            raise from_engine(error) from None
        self._begun = self._training.step
        if state is not None:
            self._training.set_weights(model.named_weights())
        self._tell_warnings()
        if state is not None:
            self._take_rate()
        for layer in model.network().layers:
            layer._live = self
        self._optimizer.live = self

    def _take_rate(self):
        """A state brings the rate of its time; the optimizer's may have changed since."""
        if self._training.learning_rate is not None:
            self._training.learning_rate = self._optimizer._rate.value()

    @property
    def steps_per_epoch(self):
        return self._training.steps_per_epoch

    @property
    def over(self):
        return self._training.over

    def run(self, steps=None):
        """Trains to the end of the epoch, or so many steps; returns the finished epochs."""
        if self._changed:
            self._training.set_weights({f"{layer.name}/{key}": value for layer in self._model.network().layers
                                        for key, value in (layer._values or {}).items()})
            self._changed = False
        self._stale = self._running = True
        try:
            epochs = self._training.run(steps=steps) if steps is not None else self._training.run(epochs=1)
        except _tilewright.Error as error:
            raise from_engine(error) from None
        finally:
            self._running = False
        self._tell_warnings()
        return epochs

    def _tell_warnings(self):
        for text in self._training.take_warnings():
            warn(text)

    def pull(self):
        """Brings the newest weights to the layers. While an execution runs, they keep those from before it."""
        if not self._stale or self._running:
            return
        self._stale = False
        values = self._training.weights()
        for layer in self._model.network().layers:
            if layer._rows:
                layer._values = {row["key"]: values[f"{layer.name}/{row['key']}"] for row in layer._rows}

    def changed(self):
        self._changed = True

    def learning_rate(self):
        return self._training.learning_rate

    def set_learning_rate(self, rate):
        self._training.learning_rate = rate

    def set_value(self, name, value):
        self._training.set_value(name, value)

    def updates(self):
        return self._optimizer._first_updates + (self._training.step - self._begun) // self._accumulation

    def end(self):
        """Brings everything back and releases the device. Returns the state, to continue with."""
        self.pull()
        updates, state = self.updates(), self._training.state()
        if self._training.learning_rate is not None:
            rate = self._training.learning_rate
            self._detach()
            self._optimizer.learning_rate = rate
        self._detach()
        self._optimizer.iterations.assign(updates)
        self.finish()
        return state

    def finish(self):
        """Releases the device. Raises what ended the training before its end."""
        try:
            self.facts = self._training.finish()
        except _tilewright.Error as error:
            raise from_engine(error) from None
        self._tell_warnings()

    def _detach(self):
        for layer in self._model.network().layers:
            layer._live = None
        self._optimizer.live = None

    def abandon(self):
        """After an error: the layers keep the last values that they can get."""
        updates = self.updates()
        try:
            self.pull()
        except _tilewright.Error:
            pass
        self._detach()
        self._optimizer.iterations.assign(updates)
