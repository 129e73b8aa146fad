"""tf.summary: values for TensorBoard."""

import contextlib
import os

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import events
from tilewright.trace.context import current

_writers, _steps = [], []


class SummaryWriter:
    """Writes into one folder. The file is made with the first value."""

    def __init__(self, logdir, suffix=""):
        self._folder, self._suffix, self._file = os.fspath(logdir), suffix, None
        self.closed = False

    @contextlib.contextmanager
    def as_default(self, step=None):
        self.set_as_default(step)
        try:
            yield self
        finally:
            self.flush()
            _writers.pop()
            _steps.pop()

    def set_as_default(self, step=None):
        _writers.append(self)
        _steps.append(step)

    def write(self, step, summary):
        if self.closed:
            raise RuntimeError("SummaryWriter is already closed.")
        if self._file is None:
            self._file = events.EventFile(self._folder, self._suffix)
        self._file.write(step, summary)

    def flush(self):
        if self._file is not None and not self.closed:
            self._file.flush()

    def close(self):
        self.flush()
        if self._file is not None:
            self._file.close()
        self.closed = True


def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None):
    """A writer into a folder; `with writer.as_default():` makes the functions below write there."""
    return SummaryWriter(logdir, filename_suffix or "")


class _Silent(SummaryWriter):
    def __init__(self):
        super().__init__("")

    def write(self, step, summary):
        pass


def create_noop_writer():
    return _Silent()


def _write(tag, step, make):
    """Writes a value at a step; False where there is no writer."""
    if current() is not None:
        raise not_yet("tf.summary inside a tf.function on the IPU", "Return the value, or send it by an outfeed queue.")
    if not _writers:
        return False
    step = _steps[-1] if step is None else step
    if step is None:
        raise ValueError("No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step().")
    _writers[-1].write(int(step), make(tag))
    return True


def scalar(name, data, step=None, description=None):
    value = np.asarray(data)
    if value.size != 1:
        raise ValueError(f"tf.summary.scalar takes one number; {name} has the shape {value.shape}.")
    return _write(name, step, lambda tag: events.scalar(tag, value.reshape(()), description))


def histogram(name, data, step=None, buckets=None, description=None):
    return _write(name, step, lambda tag: events.histogram(tag, np.asarray(data), 30 if buckets is None else int(buckets), description))


def text(name, data, step=None, description=None):
    return _write(name, step, lambda tag: events.text(tag, str(getattr(data, "numpy", lambda: data)()), description))


def image(name, data, step=None, max_outputs=3, description=None):
    """Images as [count, height, width, 1 to 4]: floats from 0 to 1, or uint8."""
    array = np.asarray(data)
    if array.ndim != 4 or not 1 <= array.shape[3] <= 4:
        raise ValueError(f"tf.summary.image takes [count, height, width, 1 to 4 channels]; {name} has the shape {array.shape}.")
    if array.dtype.kind == "f":
        array = np.clip(array * 255.0 + 0.5, 0, 255)
    return _write(name, step, lambda tag: events.images(tag, list(array[:max_outputs].astype(np.uint8)), description))


def flush(writer=None, name=None):
    for target in [writer] if writer is not None else _writers[-1:]:
        target.flush()


def set_step(step):
    if _steps:
        _steps[-1] = step


def get_step():
    return _steps[-1] if _steps else None
