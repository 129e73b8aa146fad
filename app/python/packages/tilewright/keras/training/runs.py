"""fit, evaluate and predict."""

import numpy as np

from tilewright.ipu.config import only_compiles
from tilewright.keras.callbacks import CallbackList
from tilewright.keras.training import traced
from tilewright.keras.training.data import source_of
from tilewright.keras.training.fields import seed, set_fields, system_fields
from tilewright.keras.training.plan import Plan
from tilewright.keras.training.session import Compiled, Live
from tilewright.keras.training.targets import targets_of
from tilewright.missing import not_yet
from tilewright.reports import path_for
from tilewright.tf import nest
from tilewright.tf.errors import from_engine


def _verbose(verbose, default=1):
    return default if verbose == "auto" or verbose is None else int(verbose)


class _Means:
    """The means of an epoch so far, from the values of each step."""

    def __init__(self):
        self._steps, self._sums = 0, {}

    def add(self, values):
        self._steps += 1
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + value

    def logs(self):
        return {name: total / self._steps for name, total in self._sums.items()}


class _Order:
    """The engine's order of the samples in the epochs after those of earlier fits."""

    def __init__(self, samples, trained):
        self._samples, self._trained = samples, trained

    def __call__(self, epoch):
        import _tilewright

        return _tilewright.epoch_order(self._samples, seed(), self._trained + epoch)


class Runs:
    """The part of a model that runs it."""

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose="auto", callbacks=None, validation_split=0.0, validation_data=None,
            shuffle=True, class_weight=None, sample_weight=None, initial_epoch=0, steps_per_epoch=None, validation_steps=None,
            validation_batch_size=None, validation_freq=1, max_queue_size=10, workers=1, use_multiprocessing=False):
        """Trains the model; returns the History."""
        self.need_compiled()
        if validation_split:
            x, y, sample_weight, validation_data = _split(x, y, sample_weight, validation_split)
        source = source_of(self, x, y, sample_weight, batch_size, steps_per_epoch, shuffle, self.on_ipu())
        self._build_for(source.shapes, [_type(dtype) for dtype in source.types])
        plan = Plan(self, source, steps_per_epoch, training=True)
        run = callbacks if isinstance(callbacks, CallbackList) else CallbackList(
            callbacks, add_history=True, add_progbar=_verbose(verbose) != 0, model=self, verbose=_verbose(verbose), epochs=epochs,
            steps=plan.steps)
        if self.traces():
            if class_weight is not None:
                raise not_yet("class_weight in a model that is trained by its train_step")
            traced.check(self, self.own_parts())
            fit = _TracedFit(self, source, plan, run, None)
        else:
            fit = _Fit(self, source, plan, run, lambda targets: self._training_project(targets, source, plan, epochs - initial_epoch,
                                                                                       class_weight))
        fit.validation = validation_data and (validation_data, validation_steps, validation_batch_size, validation_freq)
        return fit.run(initial_epoch, epochs)

    def _training_project(self, targets, source, plan, epochs, class_weight):
        project = targets.project()
        set_fields(project, system_fields(self._strategy))
        set_fields(project, targets.fields(training=True))
        set_fields(project, self.ipu_fields(training=True))
        set_fields(project, {**plan.fields(), "training.epochs": epochs, "training.shuffle": source.shuffle,
                             "training.class_weight": None if class_weight is None else {str(k): v for k, v in class_weight.items()}})
        return project

    def evaluate(self, x=None, y=None, batch_size=None, verbose=1, sample_weight=None, steps=None, callbacks=None, max_queue_size=10,
                 workers=1, use_multiprocessing=False, return_dict=False, **kwargs):
        """Loss and metrics of the data: a number, a list, or a dict."""
        self.need_compiled()
        source = source_of(self, x, y, sample_weight, batch_size, steps, False, self.on_ipu())
        self._build_for(source.shapes, [_type(dtype) for dtype in source.types])
        plan = Plan(self, source, steps, training=False)
        run = callbacks if isinstance(callbacks, CallbackList) else CallbackList(
            callbacks, add_history=True, add_progbar=_verbose(verbose) != 0, model=self, verbose=_verbose(verbose), epochs=1,
            steps=plan.steps)
        run.tell("on_test_begin")
        run.tell("on_test_batch_begin", 0)
        if self.traces():
            traced.check(self, self.own_parts())
            logs = traced.evaluate(self, source, plan)
        else:
            logs = self._evaluate(plan.whole(source.begin(plan.batches)), plan, targets_of(self, source))
        self.know_metrics(logs)
        run.tell("on_test_batch_end", plan.steps - 1, logs=logs)
        run.tell("on_test_end", logs=logs)
        if return_dict:
            return logs
        values = list(logs.values())
        return values[0] if len(values) == 1 else values

    def _evaluate(self, columns, plan, targets):
        import _tilewright

        if self.loss is None:
            self.predict_columns(columns, plan)
            return {"loss": 0.0}
        columns, project = targets.columns(columns), targets.project()
        set_fields(project, system_fields(self._strategy))
        set_fields(project, targets.fields(training=False))
        set_fields(project, self.ipu_fields(training=False))
        set_fields(project, {**plan.fields(), **columns.fields()})
        try:
            result = _tilewright.evaluate(project, columns.x, columns.y, self.named_weights(), sample_weight=columns.weight,
                                           report=self._report(project, "evaluate"), beside=self._trains())
        except _tilewright.Error as error:
            raise from_engine(error) from None
        return targets.logs(result["loss"], result["metrics"])

    def predict(self, x, batch_size=None, verbose=0, steps=None, callbacks=None, max_queue_size=10, workers=1,
                use_multiprocessing=False):
        """The outputs for the data, as numpy arrays."""
        source = source_of(self, x, None, None, batch_size, steps, False, self.on_ipu())
        self._build_for(source.shapes, [_type(dtype) for dtype in source.types])
        plan = Plan(self, source, steps, training=False)
        run = callbacks if isinstance(callbacks, CallbackList) else CallbackList(
            callbacks, add_history=True, add_progbar=_verbose(verbose, 0) != 0, model=self, verbose=_verbose(verbose, 0), epochs=1,
            steps=plan.steps)
        run.tell("on_predict_begin")
        run.tell("on_predict_batch_begin", 0)
        described = self.own_steps()
        if described:
            traced.check(self, described)
            result = traced.predict(self, source, plan)
        else:
            outputs = self.predict_columns(plan.whole(source.begin(plan.batches)), plan)
            result = nest.pack_sequence_as(self.network().output_nest, outputs)
        run.tell("on_predict_batch_end", plan.steps - 1, logs={"outputs": result})
        run.tell("on_predict_end")
        return result

    def predict_columns(self, columns, plan):
        import _tilewright

        project = self.project()
        set_fields(project, system_fields(self._strategy))
        set_fields(project, self.ipu_fields(training=False))
        set_fields(project, plan.fields())
        try:
            return _tilewright.predict(project, columns.x, self.named_weights(), report=self._report(project, "predict"),
                                       beside=self._trains())
        except _tilewright.Error as error:
            raise from_engine(error) from None

    def _trains(self):
        """Whether the model is being trained: its device then computes in between."""
        return any(layer._live is not None for layer in self.network().layers)

    def _report(self, project, kind):
        """The file for the report of a program that may run again; None on the host, which has no tiles."""
        return path_for(self.name, kind, project.get()) if self.on_ipu() else None

    def train_on_batch(self, *args, **kwargs):
        raise not_yet("train_on_batch", "fit trains.")

    def test_on_batch(self, x, y=None, sample_weight=None, reset_metrics=True, return_dict=False):
        return self.evaluate(x, y, batch_size=len(nest.flatten(x)[0]), verbose=0, sample_weight=sample_weight, return_dict=return_dict)

    def predict_on_batch(self, x):
        return self.predict(x, batch_size=len(nest.flatten(x)[0]))


class _Fit:
    """One call of fit."""

    def __init__(self, model, source, plan, callbacks, project):
        self._model, self._source, self._plan, self._callbacks, self._project = model, source, plan, callbacks, project
        hears = callbacks.wants_train_batches()
        self._each_step = hears and model.on_ipu() and model._asynchronous
        self._in_steps = hears and not self._each_step
        self._step = 0
        self._means = _Means()
        self._shows = any(getattr(callback, "verbose", 0) == 1 for callback in callbacks)
        self.validation = None

    def run(self, first, epochs):
        model = self._model
        model.stop_training = False
        self._logs, self._live = {}, None
        self._callbacks.tell("on_train_begin")
        try:
            for epoch in range(first, epochs):
                self._epoch(epoch)
                if model.stop_training:
                    break
            if self._live is not None:
                model._state = self._live.end()
        except BaseException:
            if self._live is not None:
                self._live.abandon()
            raise
        self._callbacks.tell("on_train_end", logs=self._logs)
        return model.history

    def _begin(self):
        """Compiles and attaches. This belongs to the first epoch, after its callbacks, which may have set the learning rate."""
        model = self._model
        model.optimizer._first_updates = int(model.optimizer.iterations)
        self._targets = targets_of(model, self._source)
        columns, project = self._targets.columns(self._source.begin(self._plan.batches)), self._project(self._targets)
        set_fields(project, columns.fields())
        if model._state is None:
            model._epochs_trained = 0
        if model.on_ipu() and only_compiles():
            return Compiled(model, project, columns)
        order = None
        if self._source.shuffle and model._epochs_trained:
            order = _Order(columns.count(), model._epochs_trained)
        return Live(model, project, columns, model._state, order, every=1, on_step=self._on_step)

    def _epoch(self, epoch):
        self._means, self._step = _Means(), 0
        self._callbacks.tell("on_epoch_begin", epoch)
        if self._live is None:
            self._live = self._begin()
        else:
            self._source.next_epoch()
            self._targets.refresh()
        live = self._live
        self._model._epochs_trained += 1
        ended = self._in_pieces(live) if self._in_steps else live.run()
        if not ended and live.over and not self._model.stop_training:
            live.finish()  # raises what ended the training
        logs = self._targets.logs(ended[-1]["loss"], ended[-1]["metrics"]) if ended else self._means.logs()
        self._model.know_metrics(logs)
        self._end_epoch(epoch, logs)

    def _end_epoch(self, epoch, logs):
        if self.validation is not None and self._validates(epoch):
            values = self._validate()
            logs.update({f"val_{name}": value for name, value in values.items()})
        self._logs = logs
        # One dict for all callbacks: an entry that one adds, such as the learning rate, reaches those behind it.
        for callback in self._callbacks:
            callback.on_epoch_end(epoch, logs)

    def _in_pieces(self, live):
        """The epoch in executions, with the callbacks of batches between them."""
        size = self._plan.execution
        while True:
            self._callbacks.train_batch("begin", self._step)
            ended = live.run(steps=size)
            self._callbacks.train_batch("end", self._step - 1, self._means.logs())
            if ended or self._model.stop_training or live.over or self._step >= self._plan.steps:
                return ended

    def _on_step(self, step, loss, metrics):
        if self._each_step:
            self._callbacks.train_batch("begin", self._step)
        self._step += 1
        self._means.add(self._targets.logs(loss, metrics))
        if self._each_step:
            self._callbacks.train_batch("end", self._step - 1, self._means.logs())
            return
        if self._in_steps or not self._shows:
            return
        if self._step % self._plan.execution == 0 or self._step == self._plan.steps:
            logs = self._means.logs()
            self._model.know_metrics(logs)
            self._callbacks.train_batch("end", self._step - 1, logs)

    def _validates(self, epoch):
        frequency = self.validation[3]
        if isinstance(frequency, int):
            return (epoch + 1) % frequency == 0
        return epoch + 1 in list(frequency)

    def _validate(self):
        data, steps, batch, _ = self.validation
        given = data if isinstance(data, tuple) else (data,)
        batch = batch or (None if self._source.is_dataset else self._source.batch_size)
        return self._model.evaluate(*given[:2], sample_weight=given[2] if len(given) > 2 else None, batch_size=batch, verbose=0,
                                    steps=steps, callbacks=CallbackList.within(self._callbacks), return_dict=True)


class _TracedFit(_Fit):
    """One call of fit of a model whose steps are traced."""

    def run(self, first, epochs):
        model = self._model
        if model.optimizer is not None and model.optimizer.live is not None:
            raise not_yet("a fit within a fit")
        if not hasattr(model, "_epochs_trained"):
            model._epochs_trained = 0
        self._elements = traced.Elements(model, self._source)
        return super().run(first, epochs)

    def _epoch(self, epoch):
        model, plan = self._model, self._plan
        self._callbacks.tell("on_epoch_begin", epoch)
        for metric in model.metrics:
            metric.reset_state()
        step, logs = 0, {}
        size = traced.group_size(plan, self._in_steps)
        for group in traced.in_groups(self._elements.epoch(plan.batches, model._epochs_trained), size):
            self._callbacks.train_batch("begin", step)
            logs = traced.train_group(model, self._elements, group)[-1]
            step += len(group)
            self._callbacks.train_batch("end", step - 1, logs)
            if model.stop_training:
                break
        model._epochs_trained += 1
        model.know_metrics(logs)
        self._end_epoch(epoch, dict(logs))


def _type(dtype):
    from tilewright.tf.dtypes import as_dtype

    return as_dtype(dtype)


def _split(x, y, weight, share):
    """The last part of the samples for validation, taken before shuffling."""
    from tilewright.tf.data.dataset import Dataset

    if isinstance(x, Dataset):
        raise ValueError("`validation_split` is only supported for arrays, not for a data set.")
    leaves = nest.flatten(x)
    cut = int(len(leaves[0]) * (1.0 - share))
    if not 0 < cut < len(leaves[0]):
        raise ValueError(f"validation_split={share} leaves no samples for training or none for validation.")
    def part(structure, rows):
        return None if structure is None else nest.map_structure(lambda array: np.asarray(array)[rows], structure)
    head, tail = slice(None, cut), slice(cut, None)
    later = (part(x, tail), part(y, tail)) if weight is None else (part(x, tail), part(y, tail), part(weight, tail))
    return part(x, head), part(y, head), part(weight, head), later
