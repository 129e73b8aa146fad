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
        self.feeds_iterators, self.keras_extensions = enable_dataset_iterators, enable_keras_extensions

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
        """Runs a tf.function on the IPU."""
        from tilewright.trace.function import Concrete, Function, require_float_types

        if not isinstance(fn, (Function, Concrete)):
            raise ValueError("IPUStrategy.run takes a tf.function: eager execution of run is not supported. Decorate the function with "
                             "@tf.function(jit_compile=True).")
        require_float_types([list(args), kwargs or {}], "IPUStrategy.run")
        if current_strategy() is self:
            return fn(*args, **(kwargs or {}))
        with self.scope():
            return fn(*args, **(kwargs or {}))

    def experimental_run_v2(self, fn, args=(), kwargs=None):
        """SDK 2.1 and before: run, also of a function that is not a tf.function."""
        from tilewright.trace.function import Function

        return self.run(fn if isinstance(fn, Function) else Function(fn, jit_compile=True), args, kwargs)

    @property
    def extended(self):
        raise not_yet("IPUStrategy.extended")


def get_strategy():
    return current_strategy()


def has_strategy():
    return current_strategy() is not None
