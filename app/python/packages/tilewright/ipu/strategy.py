"""The strategy: models made in its scope run on the IPU."""

import contextlib

from tilewright.missing import not_yet

_current = []


def current_strategy():
    """The strategy of the scope that is open; None outside."""
    return _current[-1] if _current else None


class IPUStrategy:
    """Places models on the IPU."""

    num_replicas_in_sync = 1

    def __init__(self, ipu_device="/device:IPU:0", cpu_device="/device:CPU:0", enable_dataset_iterators=True,
                 enable_keras_extensions=True):
        self._ipu_device, self._cpu_device = ipu_device, cpu_device
        self._enable_iterators, self.keras_extensions = enable_dataset_iterators, enable_keras_extensions

    @contextlib.contextmanager
    def scope(self):
        open_one = current_strategy()
        if open_one is not None and open_one is not self:
            raise RuntimeError("The scope of another strategy is open: a strategy's scope cannot be entered inside it.")
        _current.append(self)
        try:
            yield self
        finally:
            _current.pop()

    def device_ordinal(self):
        return int(self._ipu_device.rpartition(":")[2])

    def run(self, fn, args=(), kwargs=None, options=None):
        raise not_yet("IPUStrategy.run", "Models are trained by fit in the strategy's scope.")

    def experimental_run_v2(self, fn, args=(), kwargs=None):
        raise not_yet("IPUStrategy.experimental_run_v2", "Models are trained by fit in the strategy's scope.")

    @property
    def extended(self):
        raise not_yet("IPUStrategy.extended")


def get_strategy():
    return current_strategy()


def has_strategy():
    return current_strategy() is not None
