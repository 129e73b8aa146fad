"""tf.device and tf.config: places of operations."""

import collections
import contextlib

_places = []
PhysicalDevice = collections.namedtuple("PhysicalDevice", "name device_type")


@contextlib.contextmanager
def device(name):
    """Places eager operations: on the IPU each is a program of its own, elsewhere the host computes it."""
    _places.append("IPU" in str(name).upper())
    try:
        yield
    finally:
        _places.pop()


def is_on_ipu():
    """Whether eager operations are placed on the IPU."""
    return bool(_places) and _places[-1]


def list_physical_devices(device_type=None):
    """The host, and the IPUs of the configuration."""
    from tilewright.ipu.config import configured

    sizes = configured().device_sizes() if configured() is not None else [1, 1]
    found = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
    found += [PhysicalDevice(f"/physical_device:IPU:{i}", "IPU") for i in range(len(sizes))]
    return [entry for entry in found if device_type in (None, entry.device_type)]


list_logical_devices = list_physical_devices


@contextlib.contextmanager
def name_scope(name, *args, **kwargs):
    """A prefix of names in a graph; eager tensors have no names."""
    yield name
