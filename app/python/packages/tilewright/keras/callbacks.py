"""Callbacks of a training. They run in Python, between epochs and executions."""

import csv
import os

import numpy as np

from tilewright.keras.progress import Progbar
from tilewright.missing import not_yet
from tilewright.tf import nest


class Callback:
    """What a callback may hear. `model` and `params` are set before training begins."""

    def __init__(self):
        self.model = None
        self.params = None
        self.validation_data = None

    def set_params(self, params):
        self.params = params

    def set_model(self, model):
        self.model = model


def _silent(self, *args, **kwargs):
    """Does nothing; a subclass may."""


_TIMES = ([f"on_{mode}_{when}" for mode in ("train", "test", "predict") for when in ("begin", "end")]
          + [f"on_{mode}_batch_{when}" for mode in ("train", "test", "predict") for when in ("begin", "end")]
          + ["on_epoch_begin", "on_epoch_end", "on_batch_begin", "on_batch_end"])
for _name in _TIMES:
    setattr(Callback, _name, _silent)


def hears(callback, *names):
    """Whether a callback's class has its own form of one of these methods."""
    return any(getattr(type(callback), name, _silent) is not _silent for name in names)


class CallbackList:
    """The callbacks of one run, with the progress bar first and the history last."""

    def __init__(self, callbacks=None, add_history=False, add_progbar=False, model=None, **params):
        self.callbacks = [callback for callback in nest.flatten(callbacks)] if callbacks else []
        history = next((callback for callback in self.callbacks if isinstance(callback, History)), None)
        if add_progbar and not any(isinstance(callback, ProgbarLogger) for callback in self.callbacks):
            self.callbacks.insert(0, ProgbarLogger(count_mode="steps"))
        if add_history and history is None:
            history = History()
            self.callbacks.append(history)
        self.model, self.params = model, params
        for callback in self.callbacks:
            callback.set_model(model)
            callback.set_params(params)
        if history is not None and model is not None:
            model.history = history

    @classmethod
    def within(cls, callbacks):
        """The callbacks of a run that is part of another one: they keep what that one set, and the bar stays silent."""
        part = cls.__new__(cls)
        part.callbacks = [callback for callback in callbacks if not isinstance(callback, ProgbarLogger)]
        part.model, part.params = callbacks.model, callbacks.params
        return part

    def append(self, callback):
        self.callbacks.append(callback)

    def __iter__(self):
        return iter(self.callbacks)

    def wants_train_batches(self):
        """Whether a callback other than the bar acts within an epoch, so that the training must stop for it."""
        names = ("on_train_batch_begin", "on_train_batch_end", "on_batch_begin", "on_batch_end")
        return any(hears(callback, *names) for callback in self.callbacks if not isinstance(callback, ProgbarLogger))

    def tell(self, name, *args, logs=None):
        """Calls one method of every callback. Each gets logs of its own."""
        for callback in self.callbacks:
            getattr(callback, name)(*args, dict(logs or {}))

    def train_batch(self, when, batch, logs=None):
        for callback in self.callbacks:
            getattr(callback, f"on_train_batch_{when}")(batch, dict(logs or {}))
            if hears(callback, f"on_batch_{when}"):
                getattr(callback, f"on_batch_{when}")(batch, dict(logs or {}))


class ProgbarLogger(Callback):
    """Writes the progress bar."""

    def __init__(self, count_mode="samples", stateful_metrics=None):
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError(f"Unknown `count_mode`: {count_mode}")
        self.stateful_metrics = set(stateful_metrics or ())
        self._bar = None
        self._in_fit = False
        self._seen = 0

    def set_params(self, params):
        super().set_params(params)
        self.verbose, self.epochs, self.target = params["verbose"], params["epochs"], params.get("steps")

    def _begin(self):
        self._bar, self._seen = None, 0

    def _open(self):
        names = self.stateful_metrics | set(self.model.metrics_names if self.model is not None else ())
        if self._bar is None:
            self._bar = Progbar(self.target, verbose=self.verbose, stateful_metrics=names)
        self._bar.stateful_metrics |= names

    def _step(self, batch, logs):
        self._open()
        self._seen = batch + 1
        if self.verbose == 1:
            self._bar.update(self._seen, list((logs or {}).items()), finalize=False)

    def _finish(self, logs):
        self._open()
        if self.target is None:
            self.target = self._bar.target = self._seen
        self._bar.update(self.target, list((logs or {}).items()), finalize=True)

    def on_train_begin(self, logs=None):
        self._in_fit = True

    def on_epoch_begin(self, epoch, logs=None):
        self._begin()
        self._open()
        if self.verbose and self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}", flush=True)

    def on_train_batch_end(self, batch, logs=None):
        self._step(batch, logs)

    def on_epoch_end(self, epoch, logs=None):
        self._finish(logs)

    def on_test_begin(self, logs=None):
        if not self._in_fit:
            self._begin()
            self._open()

    def on_test_batch_end(self, batch, logs=None):
        if not self._in_fit:
            self._step(batch, logs)

    def on_test_end(self, logs=None):
        if not self._in_fit:
            self._finish(logs)

    def on_predict_begin(self, logs=None):
        self._begin()
        self._open()

    def on_predict_batch_end(self, batch, logs=None):
        self._step(batch, None)

    def on_predict_end(self, logs=None):
        self._finish(None)


class History(Callback):
    """The logs of every epoch, which fit returns."""

    def __init__(self):
        super().__init__()
        self.history = {}
        self.epoch = []

    def on_train_begin(self, logs=None):
        self.epoch = []

    def on_epoch_end(self, epoch, logs=None):
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)
        self.model.history = self


class BaseLogger(Callback):
    """Keras's means of an epoch. The engine computes them, so there is nothing to do."""

    def __init__(self, stateful_metrics=None):
        super().__init__()


class _Monitor(Callback):
    """A callback that compares one value of the logs between epochs."""

    def _begin_monitor(self, monitor, mode, min_delta=0.0):
        self.monitor = monitor
        rising = mode == "max" or (mode == "auto" and ("acc" in monitor or monitor.startswith("fmeasure")))
        self.monitor_op = np.greater if rising else np.less
        self.min_delta = abs(min_delta) * (1 if rising else -1)
        self._worst = -np.inf if rising else np.inf

    def _monitored(self, logs):
        value = (logs or {}).get(self.monitor)
        if value is None:
            from tilewright.tf.log import warn

            known = ",".join(logs or {})
            warn(f"{type(self).__name__} conditioned on metric `{self.monitor}` which is not available. Available metrics are: {known}")
        return value


class EarlyStopping(_Monitor):
    """Ends the training when the monitored value no longer improves."""

    def __init__(self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto", baseline=None, restore_best_weights=False):
        super().__init__()
        self._begin_monitor(monitor, mode, min_delta)
        self.patience, self.verbose, self.baseline, self.restore_best_weights = patience, verbose, baseline, restore_best_weights

    def on_train_begin(self, logs=None):
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best, self.best_weights = self._worst, None

    def on_epoch_end(self, epoch, logs=None):
        value = self._monitored(logs)
        if value is None:
            return
        if self.restore_best_weights and self.best_weights is None:
            self.best_weights = self.model.get_weights()
        self.wait += 1
        if self.monitor_op(value - self.min_delta, self.best):
            self.best, self.best_epoch = value, epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            if self.baseline is None or self.monitor_op(value - self.min_delta, self.baseline):
                self.wait = 0
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True
            if self.restore_best_weights and self.best_weights is not None:
                if self.verbose:
                    print(f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs=None):
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")


class ReduceLROnPlateau(_Monitor):
    """Lowers the learning rate when the monitored value no longer improves."""

    def __init__(self, monitor="val_loss", factor=0.1, patience=10, verbose=0, mode="auto", min_delta=1e-4, cooldown=0, min_lr=0,
                 **kwargs):
        super().__init__()
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau does not support a factor >= 1.0; it is {factor}.")
        self._begin_monitor(monitor, mode, min_delta)
        self.factor, self.patience, self.verbose, self.cooldown, self.min_lr = factor, patience, verbose, cooldown, min_lr

    def on_train_begin(self, logs=None):
        self.best, self.wait, self.cooldown_counter = self._worst, 0, 0

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["lr"] = float(self.model.optimizer.learning_rate)
        value = self._monitored(logs)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.monitor_op(value - self.min_delta, self.best):
            self.best, self.wait = value, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(epoch)

    def _reduce(self, epoch):
        rate = float(self.model.optimizer.learning_rate)
        if rate > self.min_lr:
            lower = max(rate * self.factor, self.min_lr)
            self.model.optimizer.learning_rate = lower
            if self.verbose > 0:
                print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {lower}.")
            self.cooldown_counter, self.wait = self.cooldown, 0


class LearningRateScheduler(Callback):
    """Sets the learning rate at the begin of each epoch: schedule(epoch, rate)."""

    def __init__(self, schedule, verbose=0):
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        try:
            rate = self.schedule(epoch, float(self.model.optimizer.learning_rate))
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.floating)) and not hasattr(rate, "_value"):
            raise ValueError(f"The output of the \"schedule\" function should be float; it is {rate!r}.")
        self.model.optimizer.learning_rate = float(rate)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: LearningRateScheduler setting learning rate to {float(rate)}.")

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["lr"] = float(self.model.optimizer.learning_rate)


class ModelCheckpoint(_Monitor):
    """Saves the model or its weights at the end of epochs."""

    def __init__(self, filepath, monitor="val_loss", verbose=0, save_best_only=False, save_weights_only=False, mode="auto",
                 save_freq="epoch", options=None, **kwargs):
        super().__init__()
        kwargs.pop("include_optimizer", None)
        period = kwargs.pop("period", 1)
        if kwargs:
            raise TypeError(f"ModelCheckpoint got an unexpected keyword argument '{next(iter(kwargs))}'.")
        if save_freq != "epoch":
            raise not_yet("ModelCheckpoint with save_freq in batches")
        self._begin_monitor(monitor, mode)
        self.filepath, self.verbose, self.period = os.fspath(filepath), verbose, period
        self.save_best_only, self.save_weights_only = save_best_only, save_weights_only
        self.best = self._worst
        self._since = 0

    def on_epoch_end(self, epoch, logs=None):
        self._since += 1
        if self._since < self.period:
            return
        self._since = 0
        path = self.filepath.format(epoch=epoch + 1, **(logs or {}))
        if self.save_best_only:
            value = self._monitored(logs)
            if value is None:
                return
            better = self.monitor_op(value, self.best)
            if self.verbose > 0:
                print(f"\nEpoch {epoch + 1:05d}: {self.monitor} " + (
                    f"improved from {self.best:0.5f} to {value:0.5f}, saving model to {path}" if better
                    else f"did not improve from {self.best:0.5f}"))
            if not better:
                return
            self.best = value
        elif self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: saving model to {path}")
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)


class CSVLogger(Callback):
    """Writes the logs of each epoch as a row."""

    def __init__(self, filename, separator=",", append=False):
        super().__init__()
        self.filename, self.separator, self.append = os.fspath(filename), separator, append
        self._file = self._writer = None

    def on_train_begin(self, logs=None):
        header = not (self.append and os.path.exists(self.filename) and os.path.getsize(self.filename))
        self._file = open(self.filename, "a" if self.append else "w", newline="")
        self._header = header
        self._writer = None

    def on_epoch_end(self, epoch, logs=None):
        names = sorted(logs or {})
        if self._writer is None:
            self._keys = names
            self._writer = csv.DictWriter(self._file, ["epoch", *names], delimiter=self.separator, lineterminator="\n")
            if self._header:
                self._writer.writeheader()
        self._writer.writerow({"epoch": epoch, **{name: (logs or {}).get(name, "NA") for name in self._keys}})
        self._file.flush()

    def on_train_end(self, logs=None):
        self._file.close()


class TerminateOnNaN(Callback):
    """Ends the training when the loss is no number."""

    def on_epoch_end(self, epoch, logs=None):
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Epoch {epoch}: Invalid loss, terminating training")
            self.model.stop_training = True


class LambdaCallback(Callback):
    """A callback of functions."""

    def __init__(self, on_epoch_begin=None, on_epoch_end=None, on_batch_begin=None, on_batch_end=None, on_train_begin=None,
                 on_train_end=None, **kwargs):
        super().__init__()
        given = {"on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end, "on_train_begin": on_train_begin,
                 "on_train_end": on_train_end, "on_train_batch_begin": on_batch_begin, "on_train_batch_end": on_batch_end, **kwargs}
        # A class of its own, so that `hears` finds the batch methods only if they were given.
        own = {name: staticmethod(function) for name, function in given.items() if function is not None}
        self.__class__ = type("LambdaCallback", (LambdaCallback,), own)
